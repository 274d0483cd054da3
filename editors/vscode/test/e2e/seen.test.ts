// What the user sees is what the model is told: problems, tabs, unsaved text, and what commands bring into the chat.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withEditor } from "./harness/editor";
import { until } from "./harness/processes";

const files = {
  "a.ts": "export function sum(x: number, y: number): number {\n  return x + y;\n}\n",
  "b.ts": "import { sum } from './a';\nconst s: string = sum(1, 2);\nconsole.log(s);\n",
  "tsconfig.json": "{}\n",
};

const script = `
reply
  expect-last contains Fix this problem in \`b.ts:2\`: Type 'number' is not assignable to type 'string'. (ts 2322)
  expect-last contains "a.ts\\nb.ts (unsaved changes)"
  expect-last contains b.ts:2 Type 'number' is not assignable to type 'string'. (ts)
  call read_file {"path":"b.ts"}
reply
  expect-last contains b.ts (unsaved in the editor), 4 lines
  expect-last contains // not saved
  call replace_in_file {"path":"b.ts","diff":"------- SEARCH\\nconst s: string = sum(1, 2);\\n=======\\nconst s: number = sum(1, 2);\\n+++++++ REPLACE"}
reply
  expect-last contains Edited b.ts: 1 added, 1 removed.
  expect-last-not contains # Visible Files
  call attempt_completion {"result":"It is a number now."}
`;

test("a problem is fixed from the light bulb", async () => {
  await withEditor({ name: "seen", files, script, settings: { "files.autoSave": "off" } }, async (vs) => {
    await vs.openFile("a.ts");
    await vs.openFile("b.ts");
    await vs.cursorAt(vs.editor, "console.log");
    await vs.page.keyboard.type("\n// not saved");
    await vs.editor.locator(".squiggly-error").first().waitFor();
    await vs.editor.locator(".view-line", { hasText: "const s" }).getByText("s", { exact: true }).click();
    await vs.page.keyboard.press("Control+.");
    const first = vs.page.locator(".action-widget .monaco-list-row.focused");
    await first.filter({ hasText: "Fix with clined" }).waitFor();
    await vs.screenshot("seen-light-bulb");
    await vs.page.keyboard.press("Enter");
    await vs.in("approval").waitFor();
    await vs.screenshot("seen-approval");
    await vs.decide("approve");
    await vs.in("message-assistant").filter({ hasText: "It is a number now." }).waitFor();
    assert.match(await vs.read("b.ts"), /const s: number[^]*\/\/ not saved\n/);

    // The key of the chat takes what is selected along.
    await vs.cursorAt(vs.editor, "const s: number");
    await vs.page.keyboard.press("Shift+Home");
    await vs.page.keyboard.press("Control+'");
    const composed = "`b.ts:2`\n```typescript\nconst s: number = sum(1, 2);\n```";
    await until("the selection in the composer", async () => (await vs.in("composer").inputValue()) === composed);
    await vs.screenshot();
  });
});
