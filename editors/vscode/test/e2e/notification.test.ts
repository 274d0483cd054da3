// While our view is hidden, an approval is asked for by a notification.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withEditor } from "./harness/editor";

const script = `
reply
  call execute_command {"command":"until [ -e go ]; do sleep 0.05; done","requires_approval":true}
reply
  call execute_command {"command":"touch done.txt","requires_approval":true}
reply
  call attempt_completion {"result":"Done."}
`;

test("an approval while the view is hidden", async () => {
  await withEditor({ name: "notification", script }, async (vs) => {
    await vs.openChat();
    await vs.say("Do it.");
    await vs.decide("approve");
    await vs.page.locator('.activitybar a[aria-label^="Explorer"]').click();
    await vs.page.locator("iframe.webview").waitFor({ state: "detached" });
    await writeFile(join(vs.workspace, "go"), "");
    const toast = vs.toast("touch done.txt");
    await toast.waitFor();
    await vs.screenshot();
    // What is pressed right after a message came does not count.
    await toast.getByRole("button", { name: "Approve" }).click({ delay: 400 });
    await vs.written("done.txt", "");
    await vs.openChat();
    await vs.in("message-assistant").filter({ hasText: "Done." }).waitFor();
  });
});
