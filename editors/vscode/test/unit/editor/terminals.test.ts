// What the daemon is told of the user's terminals.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Uri } from "vscode";
import { env, on, window } from "../vscode";
import { file, reset, running, start } from "./stage";

beforeEach(reset);

function terminal(name: string, more: object = {}) {
  return { name, creationOptions: {}, shellIntegration: undefined, ...more };
}

test("terminals tell what ran in them", async () => {
  const { daemon, push, terminals, end } = start();
  const shell = terminal("zsh", { shellIntegration: { cwd: file("/w") } });
  const other = terminal("task", { creationOptions: { cwd: "/tmp" } });
  const remote = terminal("ssh", { shellIntegration: { cwd: Uri.parse("vscode-local:/w/lib") } });
  const hidden = terminal("hidden", { creationOptions: { hideFromUser: true } });
  window.terminals = [shell, other, hidden, remote];
  daemon.become(running);
  assert.deepEqual(daemon.states[0]?.terminals, [
    { id: "1", name: "zsh", cwd: "/w" },
    { id: "2", name: "task", cwd: "/tmp" },
    { id: "3", name: "ssh" },
  ]);
  env.remoteName = "ssh-remote";
  assert.equal(terminals.list()[2]?.cwd, "/w/lib");
  env.remoteName = undefined;

  const run = async (command: string, chunks: string[], exitCode: number | undefined, during?: () => void) => {
    let done = () => {};
    const read = new Promise<void>((resolve) => (done = resolve));
    const execution = {
      commandLine: { value: command },
      async *read() {
        yield* chunks;
        done();
      },
    };
    on(window.onDidStartTerminalShellExecution).fire({ terminal: shell, execution });
    await read;
    during?.();
    on(window.onDidEndTerminalShellExecution).fire({ terminal: shell, execution, exitCode });
  };

  await run("npm test", ["\x1b]633;C\x07", "\x1b[32mok\x1b[0m\r\n"], 0, () => {
    push.flush();
    assert.deepEqual(daemon.states.at(-1)?.terminals?.[0], {
      id: "1", name: "zsh", cwd: "/w", busy: true, command: "npm test", output: "$ npm test\nok\n",
    });
  });
  await run("false", [], 1);
  push.flush();
  const now = daemon.states.at(-1)?.terminals?.[0];
  assert.equal(now?.busy, undefined);
  assert.equal(now?.command, "false");
  assert.match(now?.output ?? "", /^\$ npm test\nok\n+\$ false\n+\[exit code 1\]\n$/);
  assert.deepEqual(terminals.lastCommand(shell as never), { command: "false", output: "", running: false });

  await run("yes", Array.from({ length: 2000 }, () => "y\r\n".repeat(100)), 130);
  push.flush();
  assert.ok((daemon.states.at(-1)?.terminals?.[0]?.output ?? "").length <= 4096);
  assert.ok((terminals.lastCommand(shell as never)?.output ?? "").length <= 64 << 10);

  window.terminals = [other];
  on(window.onDidCloseTerminal).fire(shell);
  push.flush();
  assert.deepEqual(daemon.states.at(-1)?.terminals, [{ id: "2", name: "task", cwd: "/tmp" }]);
  end();
});
