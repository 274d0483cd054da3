// The daemon's process is killed: that is said plainly, with a button that starts another.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withEditor } from "./harness/editor";
import { until } from "./harness/processes";

const script = `
reply
  text I am about to
  hold middle
reply
  call attempt_completion {"result":"Went on in another process."}
`;

test("the daemon is killed", async () => {
  await withEditor({ name: "daemon-killed", script }, async (vs) => {
    await vs.openChat();
    await vs.say("Tell me something long.");
    await vs.model?.held("middle");
    await vs.in("message-user").waitFor();
    const [daemon, ...others] = vs.daemons();
    assert.ok(daemon && others.length === 0);
    process.kill(daemon.pid, "SIGKILL");
    const problem = vs.in("daemon-problem");
    await problem.waitFor();
    await vs.screenshot("daemon-killed");
    await problem.getByRole("button", { name: /restart/i }).click();
    await problem.waitFor({ state: "detached" });
    await until("another daemon", () => vs.daemons().some(({ pid }) => pid !== daemon.pid));
    await vs.in("resume").click();
    await vs.in("message-assistant").filter({ hasText: "Went on in another process." }).waitFor();
  });
});
