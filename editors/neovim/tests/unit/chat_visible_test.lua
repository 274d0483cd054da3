local t = require("tests.harness")
local visible = require("clined.chat.visible")

t.test("what cannot be seen becomes a sign", function()
  for text, want in pairs({
    ["plain é → 世界 👩‍💻"] = "plain é → 世界 👩‍💻",
    ["a\0b\27[31m\7\127"] = "a^@b^[[31m^G^?",
    ["x\u{202e}y\u{2066}z\u{200b}"] = "x<202e>y<2066>z<200b>",
    ["\u{85}\u{ad}\u{61c}\u{feff}\u{e0041}"] = "<0085><00ad><061c><feff><e0041>",
    ["tab\tand\nfeed"] = "tab\tand\nfeed",
    ["dos\r\nlines\r"] = "dos\nlines^M",
    ["\194\169 \226\130\172 \239\188\161 \243\160\132\128"] = "© € Ａ \u{e0100}",
    ["\255\254 no text"] = "\255\254 no text",
  }) do
    t.eq(visible.text(text), want)
  end
end)

t.test("a text is cut between characters", function()
  t.eq(visible.clip("abc", 3), "abc")
  t.eq(visible.clip("aéb", 2), "a…")
  t.eq(visible.clip("a世b", 3), "a…")
  t.eq(visible.clip("a世b", 4), "a世…")
  for most = 1, 12 do
    local cut = visible.clip("x世é👩y世", most)
    t.ok(#cut <= most + #"…", cut)
    t.eq(vim.str_utfindex(cut), #vim.fn.split(cut, "\\zs"))
  end
end)

t.test("one line is one line", function()
  t.eq(visible.line(" a\n\n b\t\27c "), "a b ^[c")
  t.eq(visible.line(("x"):rep(50), 10), ("x"):rep(10) .. "…")
  t.eq(visible.line("", 10), "")
end)

t.test("lines are cut where they are too long, and none holds a line feed", function()
  local lines, cut = visible.lines("a\r\nb\n" .. ("x"):rep(visible.longest + 7) .. "\n")
  t.eq(#lines, 4)
  t.eq({ lines[1], lines[2], lines[4] }, { "a", "b", "" })
  t.eq(cut, { [3] = true })
  t.has(lines[3], "… [7 bytes more]")
end)

t.test("figures have their words", function()
  t.eq(visible.plural(1, "entry", "entries"), "1 entry")
  t.eq(visible.plural(0, "line"), "0 lines")
  t.eq(visible.plural(1234567, "line"), "1,234,567 lines")
end)
