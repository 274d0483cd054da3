// Edits: shown in VS Code's diff editor, altered there, refused with words, made on unsaved text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withEditor } from "./harness/editor";

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
