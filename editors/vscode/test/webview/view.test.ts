// The view in a browser: that it shows what it is told, without a fault and in every theme.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scenes } from "./scenes";
import { Lab, themes } from "./view";

let lab: Lab;
before(async () => {
  lab = await Lab.open();
});
after(() => lab.close());

test("every scene is drawn without a fault, each in one of the themes", { timeout: 300_000 }, async () => {
  for (const [n, [name, stage]] of Object.entries(scenes).entries()) {
    const theme = themes[n % themes.length] ?? "dark";
    const view = await lab.show(stage, theme);
    if (stage.taskId && (stage.page ?? "chat") === "chat") await view.testId("transcript").waitFor();
    assert.deepEqual(view.faults, [], `${name} in ${theme}`);
    await view.close();
  }
});
