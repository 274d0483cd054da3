// A command: its output is seen while it runs.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withEditor } from "./harness/editor";

const script = `
reply
  call execute_command {"command":"echo first; until [ -e go ]; do sleep 0.05; done; echo second","requires_approval":true}
reply
  expect-last contains second
  call attempt_completion {"result":"It ran."}
`;

test("a command with live output", async () => {
  await withEditor({ name: "command", script }, async (vs) => {
    await vs.openChat();
    await vs.say("Run it.");
    await vs.in("approval").getByText("echo first").first().waitFor();
    await vs.screenshot("command-approval");
    await vs.decide("approve");
    await vs.in("output").getByText("first", { exact: true }).waitFor();
    await vs.screenshot("command-running");
    await writeFile(join(vs.workspace, "go"), "");
    await vs.in("message-assistant").filter({ hasText: "It ran." }).waitFor();
    await vs.screenshot("command");
  });
});
