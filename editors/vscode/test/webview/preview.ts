// Takes screenshots of scenes into .cache/screenshots/:
//   node esbuild.mjs && node esbuild.mjs --tests --webview && node dist/test/webview/preview.mjs [SCENE,… [THEME,… [WIDTH,… [HEIGHT]]]]

import { scenes } from "./scenes";
import { Lab, themes, type Theme } from "./view";

const list = (text: string | undefined, all: readonly string[]) => (text ? text.split(",") : all);
const [, , names, tones, widths, height] = process.argv;

const lab = await Lab.open();
try {
  for (const name of list(names, Object.keys(scenes))) {
    const stage = scenes[name];
    if (!stage) throw new Error(`there is no scene "${name}"; hint: there are ${Object.keys(scenes).join(", ")}`);
    for (const theme of list(tones, themes)) {
      for (const width of list(widths, ["300", "420", "900"])) {
        const view = await lab.show(stage, theme as Theme, Number(width), Number(height ?? 800));
        await view.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        await view.page.waitForTimeout(150); // pictures want late chunks, too; no test waits like this
        console.log(await view.screenshot(`view-${name}-${theme}-${width}`), ...view.faults);
        await view.close();
      }
    }
  }
} finally {
  await lab.close();
}
