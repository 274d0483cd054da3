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

test("every scene is drawn without a fault, in every theme", { timeout: 120_000 }, async () => {
  for (const [name, stage] of Object.entries(scenes)) {
    for (const theme of themes) {
      const view = await lab.show(stage, theme);
      if (stage.taskId) await view.testId("transcript").waitFor();
      assert.deepEqual(view.faults, [], `${name} in ${theme}`);
      await view.close();
    }
  }
});
