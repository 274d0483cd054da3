local t = require("tests.harness")
local place = require("clined.setup.place")

-- Those that all editors are held to.
local cases = vim.json.decode(t.read(vim.fs.joinpath(vim.fs.dirname(vim.env.CLINED_TEST_PLUGIN), "testdata", "addresses.json")))

t.test("addresses become what the settings name", function()
  for typed, url in pairs(cases.addresses) do
    t.eq({ place.parse(typed) }, { url }, typed)
  end
end)

t.test("what is no address says why", function()
  for _, typed in ipairs(cases.none) do
    local url, why = place.parse(typed)
    t.eq(url, nil, typed)
    t.ok(#assert(why).problem > 0 and #why.hint > 0)
  end
end)

t.test("this machine is told from others", function()
  for _, host in ipairs(cases["local"]) do
    t.ok(place.is_local(host), host)
  end
  for _, host in ipairs(cases.remote) do
    t.ok(not place.is_local(host), host)
  end
  t.ok(place.is_exposed("http://example.com/v1"))
  t.ok(not place.is_exposed("https://example.com/v1"))
  t.ok(not place.is_exposed("http://127.0.0.1:8080/v1"))
end)
