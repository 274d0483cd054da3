// The weather story: an MCP server, an approval in the view, and an answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withEditor } from "./harness/editor";
import { places } from "./harness/places";

const script = `
reply
  expect-tools weather__get_forecast weather__get_alerts
  text 我来查询华盛顿明天的天气。
  call list_files {"path":".","recursive":false,"task_progress":"- [ ] 查询天气预报"}
  usage prompt=6878 completion=149 cached=64
reply
  expect-last contains weather.md
  text 让我看看这个文件。
  call read_file {"path":"weather.md"}
  usage prompt=7204 completion=127 cached=6976
reply
  expect-last contains New York
  call weather__get_forecast {"latitude":38.9072,"longitude":-77.0369,"task_progress":"- [x] 查询天气预报"}
  usage prompt=8320 completion=226 cached=7296
reply
  expect-last contains Temperature: 73°F
  call attempt_completion {"result":"华盛顿特区明天（周日）：**73°F**，西风约 9 mph，降水概率 50%。"}
  usage prompt=8800 completion=100 cached=8500
`;

test("the weather story", async () => {
  const server = { command: places.daemon, args: ["weather", "--recorded"] };
  const files = {
    "weather.md": "The weather server knows Washington and New York.\n",
    "servers.json": JSON.stringify({ mcpServers: { weather: server } }),
  };
  await withEditor({ name: "weather", files, script, settings: (work) => ({ "clined.mcp.file": `${work}/servers.json` }) }, async (vs) => {
    await vs.openChat();
    await vs.say("明天华盛顿的天气怎么样？");
    const approval = vs.in("approval");
    await approval.getByText("get_forecast").first().waitFor();
    await vs.screenshot("weather-approval");
    await vs.decide("approve");
    const answer = vs.in("message-assistant").filter({ hasText: "降水概率 50%" });
    await answer.locator("strong", { hasText: "73°F" }).waitFor();
    await approval.waitFor({ state: "detached" });
    assert.ok((await vs.in("tool-card").count()) >= 3);
    await vs.screenshot();
  });
});
