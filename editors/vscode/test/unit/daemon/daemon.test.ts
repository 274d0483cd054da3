// The daemon of a window with the real program: its life, its ends, and what is said when it does not run.

import assert from "node:assert/strict";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { DaemonHost } from "../../../src/daemon/daemon";
import { Failure } from "../../../src/daemon/failure";
import type { TaskEventParams } from "../../../src/protocol/generated";
import { program, world, type World } from "./process";

async function begin(t: TestContext): Promise<World> {
  const w = await world();
  t.after(() => w.end());
  return w;
}

/** The events of a daemon, and a wait for one. */
function events(daemon: DaemonHost) {
  const all: TaskEventParams[] = [];
  let wake = () => {};
  daemon.on("clined/task/event", (params) => {
    all.push(params);
    wake();
  });
  const until = async (fits: (e: TaskEventParams) => boolean): Promise<TaskEventParams> => {
    for (;;) {
      const found = all.find(fits);
      if (found) return found;
      await new Promise<void>((next) => (wake = next));
    }
  };
  return { all, until };
}

const prompt = (text: string) => [{ type: "text", text }];
const failing = (pattern: RegExp, help: string) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error));
  assert.match(`${error.message} / ${error.hint}`, pattern);
  assert.ok(error.help.includes(help as never), error.help.join());
  return true;
};

test("starts when it is first asked, and answers", async (t) => {
  const daemon = (await begin(t)).daemon();
  const states: string[] = [];
  daemon.onDidChangeState((state) => states.push(state.kind));
  assert.deepEqual(daemon.state, { kind: "stopped" });
  const [status, list] = await Promise.all([daemon.request("clined/setup/status", {}), daemon.request("clined/task/list", {})]);
  assert.equal(status.configured, true);
  assert.deepEqual(list.tasks, []);
  assert.deepEqual(states, ["starting", "running"]);
  assert.ok(daemon.state.kind === "running" && daemon.state.methods.includes("clined/task/new"));
  await daemon.stop();
  assert.deepEqual(states, ["starting", "running", "stopped"]);
});

test("answers come before the events that follow them, events in the order of their numbers", async (t) => {
  const w = await begin(t);
  const daemon = w.daemon();
  const order: string[] = [];
  const seen = events(daemon);
  daemon.on("clined/task/event", ({ event }) => order.push(event.type));
  const made = await daemon.request("clined/task/new", { prompt: prompt("hello") }).finally(() => order.push("answer"));
  await w.reply(["one ", "two ", "three"], true);
  await w.reply(["done"], false);
  await seen.until((e) => e.event.type === "messageDelta" && e.event.text.includes("done"));
  assert.equal(order[0], "answer");
  const numbers = seen.all.filter((e) => e.taskId === made.taskId).map((e) => e.seq);
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  await daemon.request("clined/task/cancel", { taskId: made.taskId });
});

test("what runs when the window closes is left to be resumed", async (t) => {
  const w = await begin(t);
  const first = w.daemon();
  const seen = events(first);
  const { taskId } = await first.request("clined/task/new", { prompt: prompt("hello") });
  await w.reply(["I am about to"], false);
  await seen.until((e) => e.event.type === "messageDelta");
  await first.stop();
  await first.close();
  await assert.rejects(first.request("clined/task/list", {}), /this window closes/);
  const second = w.daemon();
  const { task } = await second.request("clined/task/attach", { taskId });
  assert.equal(task.state, "interrupted");
  await second.request("clined/task/resume", { taskId });
  await second.request("clined/task/cancel", { taskId });
});

test("a process that is killed is told of, its requests fail, and a restart runs again", async (t) => {
  const w = await begin(t);
  const daemon = w.daemon();
  const seen = events(daemon);
  const { taskId } = await daemon.request("clined/task/new", { prompt: prompt("hello") });
  await w.reply(["I am about to"], false);
  await seen.until((e) => e.event.type === "messageDelta");
  const lost = new Promise((resolve) => daemon.onDidChangeState(resolve));
  const slow = assert.rejects(daemon.request("clined/model/list", {}), failing(/SIGKILL/, "restart"));
  process.kill(pidOf(w), "SIGKILL");
  const state = (await lost) as { kind: string; problem: string };
  assert.equal(state.kind, "failed");
  assert.match(state.problem, /SIGKILL/);
  await slow;
  await assert.rejects(daemon.request("clined/task/list", {}), failing(/SIGKILL/, "restart"));
  assert.deepEqual(w.log.lines.filter((line) => line.startsWith("error")), []);
  seen.all.length = 0;
  await daemon.restart();
  await daemon.request("clined/task/attach", { taskId });
  await daemon.request("clined/task/resume", { taskId });
  await seen.until((e) => e.event.type === "state" && e.event.state === "running");
  await daemon.request("clined/task/cancel", { taskId });
});

test("a process that is killed before it took all that was sent", async (t) => {
  const w = await begin(t);
  const daemon = w.daemon();
  await daemon.ready();
  process.kill(pidOf(w), "SIGSTOP");
  const sending = assert.rejects(daemon.request("clined/task/new", { prompt: prompt("x".repeat(5_000_000)) }), failing(/SIGKILL/, "restart"));
  await new Promise(setImmediate);
  process.kill(pidOf(w), "SIGKILL");
  await sending;
  assert.deepEqual(w.log.lines.filter((line) => line.startsWith("error")), []);
});

test("hooks come before every other request to a new process, and a failure in one hinders nothing", async (t) => {
  const w = await begin(t);
  const daemon = w.daemon();
  const order: string[] = [];
  daemon.onRunning(() => Promise.reject(new Error("no storage")));
  daemon.onRunning(async (send) => {
    await send("clined/account/login", { provider: "openai", baseUrl: w.url, secret: "s3cret", persist: false });
    order.push("hook");
  });
  await daemon.request("clined/task/list", {}).finally(() => order.push("request"));
  await daemon.restart();
  assert.deepEqual(order, ["hook", "request", "hook"]);
  assert.ok(w.log.lines.some((line) => line.includes("no storage")));
  assert.ok(!w.log.lines.join().includes("s3cret"));
});

test("errors of the daemon come with their code and hint", async (t) => {
  const daemon = (await begin(t)).daemon();
  await assert.rejects(daemon.request("clined/task/attach", { taskId: "none" }), (error: { code: number }) => error.code === 1001);
});

test("a program of another machine", async (t) => {
  const w = await begin(t);
  const path = join(w.folder, "clined");
  const head = Buffer.from(readFileSync(program).subarray(0, 4096));
  head.writeUInt16LE(process.arch === "arm64" ? 0x3e : 0xb7, 18);
  writeFileSync(path, head, { mode: 0o755 });
  await assert.rejects(w.daemon(path).ready(), failing(/is built for Linux on (arm64|x64), this is Linux/, "settings"));
});

test("a program that is gone, locked, or none", async (t) => {
  const w = await begin(t);
  const path = join(w.folder, "clined");
  await assert.rejects(w.daemon(path).ready(), failing(/could not be started/, "settings"));
  writeFileSync(path, "#!/bin/sh\necho 'level=ERROR msg=\"no disk\"' >&2\nexit 3\n", { mode: 0o755 });
  await assert.rejects(w.daemon(path).ready(), failing(/exit code 3 \/ it said: .*no disk/, "log"));
  const folder = join(w.folder, "sub");
  mkdirSync(folder);
  await assert.rejects(w.daemon(folder).ready(), failing(/not executable/, "settings"));
});

test("versions of the protocol that do not meet: the older side is named", async (t) => {
  const w = await begin(t);
  await assert.rejects(w.daemon(program, { min: 7, max: 9 }).ready(), failing(/speaks version 1, .* versions 7 to 9 \/ update clined/, "settings"));
  await assert.rejects(w.daemon(program, { min: 0, max: 0 }).ready(), failing(/update the extension/, "restart"));
});

/** A program that answers `initialize` with this result. */
function answering(w: World, result: object): string {
  const path = join(w.folder, "other");
  writeFileSync(
    path,
    `#!${process.execPath}
process.stdin.on("data", (data) => {
  const { id, method } = JSON.parse(String(data).slice(String(data).indexOf("{")));
  if (method !== "initialize") return;
  const text = JSON.stringify({ jsonrpc: "2.0", id, result: ${JSON.stringify(result)} });
  process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
});
`,
    { mode: 0o755 },
  );
  return path;
}

test("another language server is no clined", async (t) => {
  const w = await begin(t);
  await assert.rejects(w.daemon(answering(w, { capabilities: {} })).ready(), failing(/speaks no version .* \/ update clined/, "settings"));
  const old = { capabilities: { experimental: { clined: { protocol: 3, version: "9", methods: [] } } } };
  await assert.rejects(w.daemon(answering(w, old)).ready(), failing(/speaks version 3, .* \/ update the extension/, "restart"));
});

test("a start that failed is not tried again by itself", async (t) => {
  const w = await begin(t);
  const path = join(w.folder, "clined");
  const daemon = w.daemon(path);
  await assert.rejects(daemon.ready());
  copyFileSync(program, path);
  chmodSync(path, 0o755);
  await assert.rejects(daemon.request("clined/task/list", {}), failing(/could not be started/, "restart"));
  await daemon.restart();
  assert.deepEqual((await daemon.request("clined/task/list", {})).tasks, []);
});

/** The process of this world's only daemon. */
function pidOf(w: World): number {
  const line = w.log.lines.findLast((l) => l.includes(" pid "));
  return Number(/ pid (\d+)/.exec(line ?? "")?.[1]);
}

/** A program of the shell. */
function scripted(w: World, text: string): string {
  const path = join(w.folder, "other");
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

test("a program that prints something else is told of at once, however much it prints", async (t) => {
  const w = await begin(t);
  await assert.rejects(w.daemon(scripted(w, "echo hello; exec sleep 1000")).ready(), failing(/is no clined: it printed “hello”/, "settings"));
  await assert.rejects(w.daemon(scripted(w, "exec cat /dev/zero")).ready(), failing(/is no clined/, "settings"));
});

test("a message without end fills no memory", async (t) => {
  const w = await begin(t);
  const endless = (head: string) => w.daemon(scripted(w, `printf '${head}'; exec cat /dev/zero`)).ready();
  await assert.rejects(endless("Content-Length: 9999999999999\\r\\n\\r\\n"), failing(/is no clined: it printed “Content-Length: 9999999999999”/, "settings"));
  await assert.rejects(endless("Content-Length: 1\\r\\nX: "), failing(/is no clined: it printed “Content-Length: 1”/, "settings"));
});

test("what cannot be understood ends a process, as no answer would come", async (t) => {
  const w = await begin(t);
  const good = { capabilities: { experimental: { clined: { protocol: 1, version: "9", methods: [] } } } };
  const path = answering(w, good);
  writeFileSync(path, readFileSync(path, "utf8") + '\nprocess.on("uncaughtException", () => {});\nprocess.stdin.prependListener("data", (d) => String(d).includes("setup/status") && process.stdout.write("oops: 1\\r\\n\\r\\n"));\n');
  const daemon = w.daemon(path);
  await daemon.ready();
  await assert.rejects(daemon.request("clined/setup/status", {}), failing(/cannot be understood/, "restart"));
  assert.equal(daemon.state.kind, "failed");
});

test("a start that hangs gives way to a restart", async (t) => {
  const w = await begin(t);
  const path = scripted(w, "trap '' TERM; echo $$ >>pids; while :; do sleep 1; done");
  const daemon = w.daemon(path);
  const states: string[] = [];
  daemon.onDidChangeState((state) => states.push(state.kind));
  const hanging = assert.rejects(daemon.ready(), failing(/was stopped/, "restart"));
  await begun(w);
  copyFileSync(program, `${path}.new`);
  renameSync(`${path}.new`, path);
  await daemon.restart();
  await hanging;
  assert.deepEqual(states, ["starting", "stopped", "starting", "running"]);
  for (const pid of readFileSync(join(w.folder, "pids"), "utf8").trim().split("\n")) assert.throws(() => process.kill(Number(pid), 0), /ESRCH/);
});

test("a process that hangs is gone when its window is closed, though the log is closed already", async (t) => {
  const w = await begin(t);
  const daemon = w.daemon();
  await daemon.ready();
  const pid = pidOf(w);
  process.kill(pid, "SIGSTOP");
  w.log.lines.push = () => {
    throw new Error("Channel has been closed");
  };
  await daemon.close();
  assert.throws(() => process.kill(pid, 0), /ESRCH/);
  assert.deepEqual(daemon.state, { kind: "stopped" });
});

/** Resolves once the scripted program has told its pid. */
async function begun(w: World): Promise<void> {
  while (!existsSync(join(w.folder, "pids"))) await new Promise(setImmediate);
}

test("what is asked while a process ends is asked of the next one", async (t) => {
  const daemon = (await begin(t)).daemon();
  await daemon.ready();
  const restarts = Array.from({ length: 5 }, () => daemon.restart());
  assert.deepEqual((await daemon.request("clined/task/list", {})).tasks, []);
  await Promise.all(restarts);
  const starts: string[] = [];
  daemon.onDidChangeState((state) => starts.push(state.kind));
  await daemon.request("clined/task/list", {});
  assert.deepEqual(starts, []);
});
