// Edits: shown in VS Code's diff editor, altered there, refused with words, made on unsaved text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withEditor } from "./harness/editor";
import { until } from "./harness/processes";

const files = { "a.txt": "one\ntwo\nthree\n" };

const replace = (search: string, by: string) =>
  `call replace_in_file {"path":"a.txt","diff":"------- SEARCH\\n${search}\\n=======\\n${by}\\n+++++++ REPLACE"}`;

test("an edit that the user alters before accepting it", async () => {
  const script = `
reply
  ${replace("two", "TWO")}
reply
  expect-last contains mine
  call attempt_completion {"result":"Changed with your words."}
`;
  await withEditor({ name: "edit-altered", files, script }, async (vs) => {
    await vs.openChat();
    await vs.say("Change the second line.");
    await vs.in("approval").waitFor();
    await vs.proposed.getByText("TWO").waitFor();
    await vs.cursorAt(vs.proposed, "TWO");
    await vs.page.keyboard.type(" mine");
    await vs.proposed.getByText("TWO mine").waitFor();
    await vs.screenshot("edit-altered-diff");
    assert.equal(await vs.read("a.txt"), files["a.txt"]);
    await vs.decide("approve");
    await vs.in("message-assistant").filter({ hasText: "Changed with your words." }).waitFor();
    await vs.written("a.txt", "one\nTWO mine\nthree\n");
    await vs.diff.waitFor({ state: "detached" });
    await vs.screenshot("edit-altered");
  });
});

test("a refusal with feedback", async () => {
  const script = `
reply
  ${replace("two", "TWO")}
reply
  expect-last contains leave it in small letters
  call attempt_completion {"result":"Left as it was."}
`;
  await withEditor({ name: "edit-refused", files, script }, async (vs) => {
    await vs.openChat();
    await vs.say("Change the second line.");
    await vs.proposed.getByText("TWO").waitFor();
    await vs.in("feedback").fill("leave it in small letters");
    await vs.screenshot("edit-refused-feedback");
    await vs.decide("reject");
    await vs.in("message-assistant").filter({ hasText: "Left as it was." }).waitFor();
    await vs.diff.waitFor({ state: "detached" });
    assert.equal(await vs.read("a.txt"), files["a.txt"]);
    await vs.screenshot("edit-refused");
  });
});

test("an edit of unsaved text keeps that text", async () => {
  const script = `
reply
  call read_file {"path":"a.txt"}
reply
  expect-last contains three unsaved
  ${replace("two", "TWO")}
reply
  call attempt_completion {"result":"Changed."}
`;
  await withEditor({ name: "edit-unsaved", files, script }, async (vs) => {
    await vs.openFile("a.txt");
    await vs.cursorAt(vs.editor, "three");
    await vs.page.keyboard.type(" unsaved");
    await vs.openChat();
    await vs.say("Change the second line.");
    await vs.proposed.getByText("TWO").waitFor();
    await vs.proposed.getByText("three unsaved").waitFor();
    await vs.decide("approve");
    await vs.written("a.txt", "one\nTWO\nthree unsaved\n");
    await vs.in("message-assistant").filter({ hasText: "Changed." }).waitFor();
  });
});

const numbered = Array.from({ length: 400 }, (_, i) => `line ${i + 1}`);
const capitals = (...lines: number[]) => numbered.map((line, i) => (lines.includes(i + 1) ? line.toUpperCase() : line)).join("\n") + "\n";
const whole = (path: string, content: string) => `call write_to_file ${JSON.stringify({ path, content })}`;

test("changes are left out in the diff and in the chat, the rest is approved in the title bar", async () => {
  const script = `
reply
  ${whole("long.txt", capitals(5, 20, 300))}
reply
  expect-last contains The user took 1 of 3 changes
  call attempt_completion {"result":"One of three."}
`;
  await withEditor({ name: "edit-hunks", files: { "long.txt": capitals() }, script }, async (vs) => {
    await vs.openChat();
    await vs.say("Change three lines.");
    await vs.in("approval").waitFor();
    await vs.proposed.getByText("Leave out", { exact: true }).first().click();
    await vs.proposed.getByText("Change 1 of 3 is left out").waitFor();
    await vs.in("approval").getByRole("checkbox").nth(1).uncheck();
    await vs.proposed.getByText("Change 2 of 3 is left out").waitFor();
    await vs.screenshot("edit-hunks-out");
    await vs.titleAction("Approve").click();
    await vs.in("message-assistant").filter({ hasText: "One of three." }).waitFor();
    await vs.written("long.txt", capitals(300));
    await vs.diff.waitFor({ state: "detached" });
  });
});

test("a streamed edit is left at its first change, and so is the file that was not open", async () => {
  const script = `
reply
  pace 2
  ${whole("long.txt", capitals(200, 390))}
reply
  expect-last-not contains unsaved
  call attempt_completion {"result":"Far down."}
`;
  await withEditor({ name: "edit-place", files: { "long.txt": capitals() }, script }, async (vs) => {
    await vs.openChat();
    await vs.say("Change two lines.");
    await vs.in("approval").waitFor();
    await vs.proposed.getByText("LINE 200").waitFor();
    await vs.screenshot("edit-place-diff");
    await vs.cursorAt(vs.proposed, "LINE 200");
    // What has just come takes no decision yet.
    await vs.titleAction("Approve").click({ trial: true });
    await vs.page.keyboard.press("Shift+Alt+Enter");
    await vs.in("message-assistant").filter({ hasText: "Far down." }).waitFor();
    await vs.editor.getByText("LINE 200").waitFor();
    await vs.page.locator(".statusbar-item", { hasText: "Ln 200, Col 9" }).waitFor();
    await vs.screenshot("edit-place");
    // The keyboard is in the file; the edit is one step of undo.
    await vs.page.keyboard.press("Control+Z");
    await vs.editor.getByText("line 200").waitFor();
    await vs.page.keyboard.press("Control+S");
    await vs.written("long.txt", capitals());
  });
});

test("a refusal in the title bar, of a proposal that was typed into, leaves nothing behind", async () => {
  const script = `
reply
  ${replace("two", "TWO")}
reply
  expect-last contains was NOT modified
  call attempt_completion {"result":"As it was."}
`;
  await withEditor({ name: "edit-title-refused", files, script }, async (vs) => {
    await vs.openChat();
    await vs.say("Change the second line.");
    await vs.in("approval").waitFor();
    await vs.cursorAt(vs.proposed, "TWO");
    await vs.page.keyboard.type(" mine");
    await vs.titleAction("Reject").click();
    await vs.in("message-assistant").filter({ hasText: "As it was." }).waitFor();
    await vs.diff.waitFor({ state: "detached" });
    assert.equal(await vs.page.locator(".monaco-dialog-box").count(), 0);
    assert.equal(await vs.read("a.txt"), files["a.txt"]);
  });
});

test("what the editor makes of a file on saving it is told, with the problems that come and go", async () => {
  const script = `
reply
  call replace_in_file {"path":"a.ts","diff":"------- SEARCH\\n  return 1;\\n=======\\n  return   'one'  ;\\n+++++++ REPLACE"}
reply
  expect-last contains The editor formatted the file when it was saved
  expect-last contains Type 'string' is not assignable to type 'number'.
  call replace_in_file {"path":"a.ts","diff":"------- SEARCH\\n  return 'one';\\n=======\\n  return 2;\\n+++++++ REPLACE"}
reply
  expect-last contains Problems that are gone with it
  call attempt_completion {"result":"Two."}
`;
  // A problem that is there from the start tells when the language server is at work.
  const other = "export const n: number = true;\n";
  const source = { "a.ts": `export function f(): number {\n  return 1;\n}\n${other}`, "tsconfig.json": "{}\n" };
  const settings = { "editor.formatOnSave": true, "editor.tabSize": 2 };
  await withEditor({ name: "edit-saved", files: source, script, settings }, async (vs) => {
    await vs.openFile("a.ts");
    await vs.page.locator('[id="status.problems"]', { hasText: "1" }).waitFor();
    await vs.openChat();
    await vs.say("Make it two.");
    await vs.in("approval").waitFor();
    await vs.decide("approve");
    await vs.written("a.ts", `export function f(): number {\n  return 'one';\n}\n${other}`);
    await until("the second edit to be asked about", async () => (await vs.in("tool-card").count()) === 2 && (await vs.in("approval").count()) === 1);
    await vs.decide("approve");
    await vs.in("message-assistant").filter({ hasText: "Two." }).waitFor();
    await vs.written("a.ts", `export function f(): number {\n  return 2;\n}\n${other}`);
    await vs.screenshot("edit-saved");
  });
});
