import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "./project.mjs";

const types = `
---@class clined.Point
---@field x number
---@field y? number
---@field kind "near"|"far"
---@alias clined.Points clined.Point[]
`;
const module = `
local M = {}
---@param point clined.Point
---@param name string
---@param more? integer
---@return string
function M.tell(point, name, more) return name .. point.x .. (more or "") end
---@return clined.Points
function M.all() return {} end
M.free = function(...) return ... end
return M
`;

// What is wrong in this module, which may require clined.other.
const found = (text) =>
  check([
    { name: "clined.types", text: types },
    { name: "clined.other", text: module },
    { name: "it", text: `local other = require("clined.other")\nother.free()\n${text}` },
  ]).map((line) => line.replace(/^it:\d+: /, ""));

const wrong = {
  "there is no type clined.Pont": "---@type clined.Pont\nlocal p\nother.free(p)",
  'there is no "pritn"': "pritn(1)",
  '"a" would be a global': "a = 1",
  '"a" is not used': "local a = 1",
  'the module has no "tel"': "other.tel()",
  "there is no module clined.nowhere": 'require("clined.nowhere")',
  'wants "name"': 'other.tell({ x = 1, kind = "near" })',
  "takes 3 arguments, not 4": 'other.tell({ x = 1, kind = "near" }, "a", 1, 2)',
  '"a" is not integer': 'other.tell({ x = 1, kind = "near" }, "a", "a")',
  'clined.Point has no field "z"': 'other.tell({ x = 1, kind = "near", z = 1 }, "a")',
  'clined.Point wants a field "kind"': 'other.tell({ x = 1 }, "a")',
  'field "kind": "middle" is not "near"|"far"': 'other.tell({ x = 1, kind = "middle" }, "a")',
  '1 is not string': 'other.tell({ x = 1, kind = "near" }, 1)',
  'clined.Point has no field "w"': "for _, p in ipairs(other.all()) do print(p.w) end",
  "true is not number": "---@param p clined.Point\nfunction other.free(p) p.x = true end",
  "boolean is not string": "---@return string\nfunction other.free() return 1 == 2 end",
  'there is no parameter "q"': "---@param q string\nfunction other.free(p) return p end",
};

for (const [problem, text] of Object.entries(wrong)) {
  test(`found: ${problem}`, () => assert.deepEqual(found(text), [problem]));
}

test("what is right, or cannot be known, is left alone", () => {
  const right = `
    local some = vim.fn.something()
    other.tell(some, some.name, nil)
    local list = other.all()
    ---@type clined.Point?
    local p = list[1]
    if p and p.y then other.tell(p, ("%d"):format(p.y), 3) end
    local built = { x = 1, kind = "far" }
    built.y = 2
    other.tell(built, tostring(1))
    local q = p or { x = 2, kind = "near" }
    other.tell(q, q.kind == "near" and "a" or "b")
    other.tell(unpack(some))
    local any = some --[[@as clined.Point]]
    print(any.x, vim.tbl_map(function(one) return one.x end, list))`;
  assert.deepEqual(found(right), []);
});
