// The window is reloaded in the middle of an answer: the task is shown as interrupted, and one click goes on with it.

import { test } from "node:test";
import { withEditor } from "./harness/editor";

const script = `
reply
  text I am about to
  hold middle
  text say more.
reply
  call attempt_completion {"result":"Went on after the reload."}
`;

test("a reload in the middle", async () => {
  await withEditor({ name: "reload", script }, async (vs) => {
    await vs.openChat();
    await vs.say("Tell me something long.");
    await vs.model?.held("middle");
    await vs.in("message-user").waitFor();
    await vs.stored("clined.task");
    await vs.reload();
    await vs.chatShown();
    await vs.in("message-user").filter({ hasText: "Tell me something long." }).waitFor();
    await vs.in("resume").waitFor();
    await vs.screenshot("reload-interrupted");
    await vs.in("resume").click();
    await vs.in("message-assistant").filter({ hasText: "Went on after the reload." }).waitFor();
    await vs.screenshot();
  });
});
