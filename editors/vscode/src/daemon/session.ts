// One run of the daemon: a process and the protocol spoken with it, from `initialize` to its end, whichever side ends it.

import { homedir } from "node:os";
import type { CancellationToken, LogOutputChannel } from "vscode";
import type { ClinedClient, EditorNotifications, EditorRequests, InitializeResult } from "../protocol/generated";
import type { Daemon } from "./api";
import type { connect, Link } from "./client";
import type { Hooks } from "./daemon";
import { crashed, diedStarting, Failure, garbled, stopped, wrongProtocol, type ProtocolRange } from "./failure";
import { Frames } from "./frames";
import { startProcess, wrongMachine, type DaemonProcess } from "./process";
import { soon } from "./soon";

export interface SessionOptions {
  path: string;
  /** A folder of the workspace; the home folder where there is none. */
  cwd: string | undefined;
  env: NodeJS.ProcessEnv;
  log: LogOutputChannel;
  clined: ClinedClient;
  settings: () => Record<string, unknown>;
  /** The daemon had an open file changed, moved or closed; called before it hears so. */
  edited: () => void;
  /** Loads the language client. */
  client: () => { connect: typeof connect };
}

export interface Session {
  readonly version: string;
  readonly methods: string[];
  /** Resolves when the process has ended though nobody stopped it. */
  readonly failed: Promise<Failure>;
  request: Daemon["request"];
  notify<M extends keyof EditorNotifications>(method: M, params: EditorNotifications[M]): void;
  /** Takes what the daemon sends of this method from now on, if it was not taken yet. */
  listenTo(kind: "request" | "notification", method: string): void;
  stop(): Promise<void>;
}

const handshakeMs = 20_000;
/** VS Code gives a closing window about five seconds, in which a process that hangs has to be gone, too. */
const stopMs = 3_000;

/** Starts a process and does the handshake. Rejects with a Failure, and then no process is left; also when `signal` says to stop. */
export async function openSession(o: SessionOptions, hooks: Hooks, signal: AbortSignal): Promise<Session> {
  const began = performance.now();
  const { connect } = o.client();
  o.log.debug(`the language client was loaded in ${(performance.now() - began).toFixed(1)} ms`);
  const process = await startProcess(o.path, o.cwd ?? homedir(), o.env, o.log);
  const { stdout: reader, stdin: writer } = process.child;
  const link = connect({ reader, writer, log: o.log, clined: o.clined, settings: o.settings, edited: o.edited, garbled: () => session.garbled() });
  const session = new Running(o, hooks, process, link);
  for (const method of hooks.methods.requests) session.listenTo("request", method);
  for (const method of hooks.methods.notifications) session.listenTo("notification", method);
  try {
    await session.shakeHands(signal);
    return session;
  } catch (error) {
    await process.end(0);
    throw error;
  }
}

class Running implements Session {
  version = "";
  methods: string[] = [];
  readonly failed: Promise<Failure>;
  private stopped = false;
  /** Why the process is ended though nobody stopped it. */
  private problem: Failure | undefined;
  private readonly taken = new Set<string>();

  constructor(
    private readonly o: SessionOptions,
    private readonly hooks: Hooks,
    private readonly process: DaemonProcess,
    private readonly link: Link,
  ) {
    this.failed = new Promise((resolve) => {
      void process.ended.then((exit) => {
        if (!this.stopped) resolve(this.problem ?? crashed(exit));
      });
    });
    const frames = new Frames();
    process.child.stdout.on("data", (data: Buffer) => {
      if (this.problem !== undefined || this.stopped) return;
      const other = frames.follow(data);
      if (other !== undefined) this.misunderstood(this.version === "" ? other : undefined);
    });
    // A process that closed its output cannot be heard any more, though it may live on.
    process.child.stdout.once("end", () => void process.end(1000));
  }

  /** In the middle of a session. What keeps one from beginning is seen there. */
  garbled(): void {
    if (this.version !== "" && !this.stopped) this.misunderstood();
  }

  /** Ends a process whose output is not of the protocol: requests would wait for ever. */
  private misunderstood(said?: string): void {
    if (this.problem !== undefined) return;
    this.problem = garbled(this.o.path, said);
    this.process.child.stdout.destroy();
    void this.process.end(0);
  }

  async shakeHands(signal: AbortSignal): Promise<void> {
    const answered = this.link.start();
    let result: InitializeResult | undefined;
    const outcome = await Promise.race([
      answered.then(
        (r) => ((result = r), "answered" as const),
        (error: unknown) => error,
      ),
      soon(this.process.ended, handshakeMs).then((ended) => (ended ? "ended" : "silent")),
      aborted(signal),
    ]);
    if (this.problem !== undefined) throw this.problem;
    if (outcome === "aborted") throw stopped();
    if (result !== undefined) return this.take(result);
    if (outcome === "silent") {
      throw new Failure(`${this.o.path} does not answer`, "restart it; the log may tell more", ["restart", "log", "settings"]);
    }
    const theirs = rangeOf(outcome);
    if (theirs !== undefined) throw wrongProtocol(this.o.path, theirs, this.o.clined.protocol);
    throw await this.whyNot(outcome);
  }

  private take(result: InitializeResult): void {
    const own = result.capabilities.experimental?.clined;
    const ours = this.o.clined.protocol;
    if (own === undefined) throw wrongProtocol(this.o.path, undefined, ours);
    if (own.protocol < ours.min || own.protocol > ours.max) {
      throw wrongProtocol(this.o.path, { min: own.protocol, max: own.protocol }, ours);
    }
    this.version = own.version;
    this.methods = own.methods;
    this.o.log.info(`clined ${own.version} runs as pid ${this.process.child.pid}: ${this.o.path}`);
  }

  /** The connection closes a little before the process is gone. */
  private async whyNot(outcome: unknown): Promise<Failure> {
    if (!(await soon(this.process.ended, 1000))) {
      const why = outcome instanceof Error ? outcome.message : String(outcome);
      return new Failure(`${this.o.path} could not be started: ${why}`, "the log may tell more", ["restart", "log"]);
    }
    return wrongMachine(this.o.path) ?? diedStarting(this.o.path, await this.process.ended);
  }

  async request<M extends keyof EditorRequests>(
    method: M,
    params: EditorRequests[M]["params"],
    token?: CancellationToken,
  ): Promise<EditorRequests[M]["result"]> {
    try {
      return (await this.link.request(method, params, token)) as EditorRequests[M]["result"];
    } catch (error) {
      // The connection is disposed with requests in flight, or was before, or while they were prepared.
      const code = (error as { code?: number }).code;
      if (code !== undefined && code !== -32097 && code !== -32096 && code !== -32099) throw error;
      if (this.stopped) throw stopped();
      throw code === undefined ? error : await this.failed;
    }
  }

  notify<M extends keyof EditorNotifications>(method: M, params: EditorNotifications[M]): void {
    this.link.notify(method, params);
  }

  listenTo(kind: "request" | "notification", method: string): void {
    if (this.taken.has(method)) return;
    this.taken.add(method);
    if (kind === "request") this.link.onRequest(method, (params, token) => this.hooks.onRequest(method, params, token));
    else this.link.onNotification(method, (params) => this.hooks.onNotification(method, params));
  }

  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    const late = await this.link.stop(stopMs).then(
      () => undefined,
      (error: Error) => error,
    );
    await this.process.end(late === undefined ? 500 : 0);
    if (late === undefined) return;
    try {
      this.o.log.warn(`stopping clined: ${late.message}`);
    } catch {
      // The log of a window that closes is gone before this.
    }
  }
}

/** Resolves when the signal says so; the signal is that of one start. */
function aborted(signal: AbortSignal): Promise<"aborted"> {
  if (signal.aborted) return Promise.resolve("aborted");
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted"), { once: true }));
}

function rangeOf(error: unknown): ProtocolRange | undefined {
  const range = (error as { data?: { protocol?: ProtocolRange } } | undefined)?.data?.protocol;
  return typeof range?.min === "number" && typeof range.max === "number" ? range : undefined;
}
