// Messages: plain text, and whole sentences.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { insert, openFile } from "../../../src/chat/actions";
import { say, tell } from "../../../src/chat/tell";
import { Failure } from "../../../src/daemon/failure";
import { window } from "../vscode";

let said: unknown[][] = [];
beforeEach(() => {
  said = [];
  for (const kind of ["Information", "Warning", "Error"] as const) {
    window[`show${kind}Message`] = (...args: unknown[]) => (said.push([kind, ...args]), Promise.resolve(args[1] as string));
  }
});

const link = "[x](command:workbench.action.quit)";
/** What VS Code makes a link of. */
const linked = /\[[^\]]+\]\((https?:\/\/|command:|file:)[^)\s]+/;

test("no message makes links of what a model wrote", async () => {
  void say("info", `a ${link}`);
  tell(new Failure(`no ${link}`, `see ${link}`, []));
  await openFile({ path: link }, ["/w"]);
  assert.deepEqual(said.map(([kind]) => kind), ["Information", "Error", "Warning"]);
  for (const [, text] of said) assert.doesNotMatch(text as string, linked);
  assert.match(link, linked);
});

test("a message resolves to its button", async () => {
  assert.equal(await say("warning", "Well?", "Yes", "No"), "Yes");
  assert.deepEqual(said, [["Warning", "Well?", "Yes", "No"]]);
  window.activeTextEditor = undefined;
  await insert("x");
  assert.equal(said.length, 2);
});

test("an error and what helps are two sentences", () => {
  tell(new Failure("no folder is open", "open the folder that clined is to work in", []));
  tell(new Failure("it is gone", "clined auth login stores a key", []));
  tell(new Error("it broke"));
  assert.deepEqual(said.map(([, text]) => text), [
    "clined: no folder is open. Open the folder that clined is to work in.",
    "clined: it is gone. clined auth login stores a key.",
    "clined: it broke",
  ]);
});
