// What is decided and done in the chat's cards: a yes to a part of an edit, a command sent to the background and stopped, one
// that asks for input, a question.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withEditor } from "./harness/editor";

const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join("");
const files = { "a.txt": `first\n${lines}last\n` };

const script = `
reply
  call replace_in_file {"path":"a.txt","diff":"------- SEARCH\\nfirst\\n=======\\nFIRST\\n+++++++ REPLACE\\n\\n------- SEARCH\\nlast\\n=======\\nLAST\\n+++++++ REPLACE"}
reply
  expect-last contains 1 of 2 changes
  call execute_command {"command":"echo begun; while sleep 0.1; do :; done","requires_approval":false}
reply
  expect-last contains go on in the background
  call execute_command {"command":"read -p 'Your name? ' name; echo hello $name","requires_approval":true,"interactive":true}
reply
  expect-last contains hello Ada
  call ask_followup_question {"question":"Which **database**?","options":["SQLite","Postgres"]}
reply
  expect-last contains Postgres
  call attempt_completion {"result":"Done as you said."}
`;

test("parts, background, input, options", async () => {
  await withEditor({ name: "cards", files, script }, async (vs) => {
    await vs.openChat();
    await vs.say("Do it.");
    await vs.in("approval").getByRole("checkbox", { name: "Change 2 of 2" }).uncheck();
    await vs.screenshot("cards-part");
    await vs.decide("approve");
    await vs.written("a.txt", `FIRST\n${lines}last\n`);

    await vs.in("approval").filter({ hasText: "Run this command" }).waitFor();
    await vs.decide("approve");
    await vs.in("tool-card").getByText("begun", { exact: true }).waitFor();
    await vs.screenshot("cards-live");
    await vs.chat.getByRole("button", { name: "Proceed in background" }).click();
    await vs.in("background").waitFor();

    await vs.in("approval").filter({ hasText: "read -p" }).waitFor();
    await vs.decide("approve");
    await vs.in("terminal-input").fill("Ada");
    await vs.screenshot("cards-input");
    await vs.in("terminal-input").press("Enter");

    await vs.in("background").getByRole("button").first().click();
    await vs.in("background").getByRole("button", { name: "Stop" }).click();
    await vs.in("background").waitFor({ state: "detached" });

    await vs.in("ask").getByText("database").waitFor();
    await vs.screenshot("cards-question");
    await vs.in("ask").focus();
    // A key right after the card came does not count, so again until one does.
    while (await vs.in("ask").isVisible()) await vs.page.keyboard.press("2", { delay: 100 });
    await vs.in("message-assistant").filter({ hasText: "Done as you said." }).waitFor();
    await vs.screenshot("cards-end");
    assert.equal(await vs.in("tool-card").count(), 4);
  });
});
