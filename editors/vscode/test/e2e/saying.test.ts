// Saying things while the agent works, taking them back, stopping, changing what was said, and finding it again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withEditor } from "./harness/editor";
import { until } from "./harness/processes";

const script = `
reply
  text Looking at it.
  hold first
  call list_files {"path":".","recursive":false}
reply
  expect-last contains mind the tabs
  text And on.
  hold second
  text not to be seen
reply
  conversation changed
  expect-last contains Count to three instead
  call attempt_completion {"result":"one, two, three"}
`;

test("queue, steer, stop, edit, find", async () => {
  await withEditor({ name: "saying", script, files: { "a.txt": "a\n" } }, async (vs) => {
    await vs.openChat();
    await vs.say("Count to two.");
    await vs.in("message-assistant").filter({ hasText: "Looking at it." }).waitFor();

    // The view is hidden and shown again: what was said so far is there.
    await vs.command("View: Show Explorer");
    await vs.openChat();
    await vs.in("message-assistant").filter({ hasText: "Looking at it." }).waitFor();

    await vs.in("composer").fill("then update the README");
    await vs.in("composer").press("Enter");
    await vs.in("queue-item").filter({ hasText: "README" }).waitFor();
    await vs.in("composer").fill("this one goes away");
    await vs.in("composer").press("Enter");
    await until("two in the queue", async () => (await vs.in("queue-item").count()) === 2);
    await vs.screenshot("saying-queue");
    await vs.in("queue-remove").last().click();
    await until("one in the queue", async () => (await vs.in("queue-item").count()) === 1);

    await vs.in("composer").fill("mind the tabs");
    await vs.in("composer").press("Control+Enter");
    await vs.in("steering-item").filter({ hasText: "mind the tabs" }).waitFor();
    await vs.model?.release("first");
    await vs.in("message-assistant").filter({ hasText: "And on." }).waitFor();
    await vs.in("message-user").filter({ hasText: "mind the tabs" }).waitFor();

    await vs.in("composer").press("Escape");
    await vs.in("stop").waitFor({ state: "detached" });
    await until("the queue to come back", async () => (await vs.in("composer").inputValue()) === "then update the README");
    await vs.in("composer").fill("");

    await vs.in("message-user").first().hover();
    await vs.in("edit-message-begin").first().click();
    await vs.in("edit-field").fill("Count to three instead");
    await vs.in("edit-field").press("Enter");
    await vs.in("message-assistant").filter({ hasText: "one, two, three" }).waitFor();
    assert.equal(await vs.in("message-assistant").filter({ hasText: "And on." }).count(), 0);

    await vs.command("clined: Show History");
    await vs.in("history-item").first().waitFor();
    await vs.in("history-search").fill("three instead");
    await until("the one task", async () => (await vs.in("history-item").count()) === 1);
    await vs.screenshot("saying-history");
    await vs.in("history-item").hover();
    await vs.in("history-item").getByLabel("Rename").click();
    await vs.in("rename-field").fill("Counting");
    await vs.in("rename-field").press("Enter");
    await vs.in("history-item").filter({ hasText: "Counting" }).waitFor();
    await vs.in("history-item").locator(".history-item-open").click();
    await vs.in("message-assistant").filter({ hasText: "one, two, three" }).waitFor();
    await vs.command("clined: Show History");
    await vs.in("history-item").hover();
    await vs.in("history-item").getByLabel("Delete").click();
    await vs.in("delete-confirm").click();
    await vs.in("history-item").waitFor({ state: "detached" });
  });
});
