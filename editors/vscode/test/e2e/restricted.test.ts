// Restricted Mode: what clined would do is told and nothing of it done, until the workspace is trusted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withEditor } from "./harness/editor";

const script = `
reply
  call attempt_completion {"result":"Hello there."}
`;

test("a workspace is trusted later", async () => {
  await withEditor({ name: "restricted", script, restricted: true, files: { "a.txt": "x\n" } }, async (vs) => {
    await vs.page.locator('.activitybar a[aria-label^="clined"]').click();
    const manage = vs.page.locator(".pane-body").getByRole("button", { name: "Manage Workspace Trust" });
    await manage.waitFor();
    await vs.command("clined: New Task");
    await vs.toast("clined starts in workspaces that you trust").waitFor();
    await vs.screenshot();
    assert.deepEqual(vs.daemons(), []);
    await manage.click();
    await vs.page.getByRole("button", { name: "Trust", exact: true }).first().click();
    await vs.chatShown();
    await vs.say("hello");
    await vs.in("message-assistant").filter({ hasText: "Hello there." }).waitFor();
    await vs.screenshot("restricted-trusted");
  });
});
