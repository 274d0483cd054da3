local t = require("tests.harness")
local place = require("clined.setup.place")

t.test("addresses become what the settings name", function()
  local cases = {
    ["https://api.openai.com/v1"] = "https://api.openai.com/v1",
    ["  https://api.openai.com/v1/ "] = "https://api.openai.com/v1",
    ["api.openai.com/v1"] = "https://api.openai.com/v1",
    ["localhost:8080/v1"] = "http://localhost:8080/v1",
    ["localhost"] = "http://localhost",
    ["127.0.0.1:1234"] = "http://127.0.0.1:1234",
    ["[::1]:8080/v1"] = "http://[::1]:8080/v1",
    ["https://openrouter.ai/api/v1/chat/completions"] = "https://openrouter.ai/api/v1",
    ["https://openrouter.ai/api/v1/models/"] = "https://openrouter.ai/api/v1",
    ["HTTPS://API.Example.COM/V1//"] = "https://api.example.com/V1",
    ["https://models.example.com"] = "https://models.example.com",
    ["https://example.com/completions-proxy"] = "https://example.com/completions-proxy",
  }
  for typed, url in pairs(cases) do
    t.eq({ place.parse(typed) }, { url }, typed)
  end
end)

t.test("what is no address says why", function()
  for _, typed in ipairs({ "", "   ", "ftp://example.com", "https://", "https://me:pw@example.com/v1", "https://example.com/v1?key=1" }) do
    local url, why = place.parse(typed)
    t.eq(url, nil, typed)
    t.ok(#assert(why).problem > 0 and #why.hint > 0)
  end
  for _, typed in ipairs({ "https://example.com/#x", "a b c", "file:///etc/passwd", "javascript://alert(1)", "https://exa mple.com" }) do
    t.eq((place.parse(typed)), nil, typed)
  end
end)

t.test("this machine is told from others", function()
  for _, host in ipairs({ "localhost", "127.0.0.1", "127.1.2.3", "[::1]", "app.localhost" }) do
    t.ok(place.is_local(host), host)
  end
  for _, host in ipairs({ "localhost.example.com", "128.0.0.1", "example.com", "10.0.0.1", "127.0.0.1.example.com" }) do
    t.ok(not place.is_local(host), host)
  end
  t.ok(place.is_exposed("http://example.com/v1"))
  t.ok(not place.is_exposed("https://example.com/v1"))
  t.ok(not place.is_exposed("http://127.0.0.1:8080/v1"))
end)
