// The daemon of this window: at most one process, started when first needed, never again by itself once it failed. What was
// registered outlives processes. It knows nothing of chats, diffs or approvals.

import { EventEmitter, type CancellationToken, type Disposable, type Event } from "vscode";
import type { DaemonNotifications, DaemonRequests, EditorNotifications, EditorRequests } from "../protocol/generated";
import type { Daemon, DaemonState } from "./api";
import { Failure, stopped } from "./failure";
import type { Session } from "./session";

type AnyHandler = (params: unknown, token: CancellationToken) => Promise<unknown>;
type AnyListener = (params: unknown) => void;
type Send = Daemon["request"];

/** What a session needs of the daemon: where requests and notifications of the process go. */
export interface Hooks {
  methods: { requests: Iterable<string>; notifications: Iterable<string> };
  onRequest(method: string, params: unknown, token: CancellationToken): Promise<unknown>;
  onNotification(method: string, params: unknown): void;
}

export interface Options {
  /** Starts a process and does the handshake. Rejects with a Failure, soon when `signal` says to stop. */
  open(hooks: Hooks, signal: AbortSignal): Promise<Session>;
  /** For maintainers: what went wrong in a handler. */
  report(what: string, error: unknown): void;
}

export class DaemonHost implements Daemon, Disposable {
  private current: DaemonState = { kind: "stopped" };
  private readonly changed = new EventEmitter<DaemonState>();
  private readonly handlers = new Map<string, AnyHandler>();
  private readonly listeners = new Map<string, Set<AnyListener>>();
  private readonly starters = new Set<(send: Send) => Promise<void>>();
  private session: Session | undefined;
  private starting: Promise<void> | undefined;
  private abort = new AbortController();
  private stopping: Promise<void> | undefined;
  private closed = false;

  readonly onDidChangeState: Event<DaemonState> = this.changed.event;

  constructor(private readonly o: Options) {}

  get state(): DaemonState {
    return this.current;
  }

  ready(): Promise<void> {
    if (this.closed) return Promise.reject(new Failure("this window closes", "open it again", []));
    // What is asked while a process ends is for the next one.
    if (this.stopping !== undefined) return this.stopping.then(() => this.ready());
    if (this.starting !== undefined) return this.starting;
    switch (this.current.kind) {
      case "running":
        return Promise.resolve();
      case "failed":
        return Promise.reject(new Failure(this.current.problem, this.current.hint, this.current.help));
      default:
        return this.begin();
    }
  }

  async request<M extends keyof EditorRequests>(
    method: M,
    params: EditorRequests[M]["params"],
    token?: CancellationToken,
  ): Promise<EditorRequests[M]["result"]> {
    await this.ready();
    if (this.session === undefined) throw new Failure("clined does not run", "restart it", ["restart"]);
    return this.session.request(method, params, token);
  }

  notify<M extends keyof EditorNotifications>(method: M, params: EditorNotifications[M]): void {
    if (this.current.kind === "running") this.session?.notify(method, params);
  }

  handle<M extends keyof DaemonRequests>(
    method: M,
    handler: (params: DaemonRequests[M]["params"], token: CancellationToken) => Promise<DaemonRequests[M]["result"] | null>,
  ): Disposable {
    if (this.handlers.has(method)) throw new Error(`${method} is answered already`);
    this.handlers.set(method, handler as AnyHandler);
    this.session?.listenTo("request", method);
    return { dispose: () => this.handlers.delete(method) };
  }

  on<M extends keyof DaemonNotifications>(method: M, handler: (params: DaemonNotifications[M]) => void): Disposable {
    const set = this.listeners.get(method) ?? new Set<AnyListener>();
    this.listeners.set(method, set.add(handler as AnyListener));
    this.session?.listenTo("notification", method);
    return { dispose: () => set.delete(handler as AnyListener) };
  }

  onRunning(hook: (send: Send) => Promise<void>): Disposable {
    this.starters.add(hook);
    return { dispose: () => this.starters.delete(hook) };
  }

  async restart(): Promise<void> {
    await this.stop();
    return this.ready();
  }

  /** Ends the process, if one runs. What ran can be resumed. */
  async stop(): Promise<void> {
    if (this.stopping === undefined) {
      this.stopping = this.end().finally(() => (this.stopping = undefined));
    }
    return this.stopping;
  }

  /** Ends the process for good: the window closes. */
  close(): Promise<void> {
    this.closed = true;
    return this.stop();
  }

  dispose(): void {
    void this.close();
    this.changed.dispose();
  }

  private begin(): Promise<void> {
    this.abort = new AbortController();
    const starting = this.start(this.abort.signal).finally(() => {
      if (this.starting === starting) this.starting = undefined;
    });
    this.starting = starting;
    return starting;
  }

  private async start(signal: AbortSignal): Promise<void> {
    this.become({ kind: "starting" });
    try {
      const hooks: Hooks = {
        methods: { requests: this.handlers.keys(), notifications: this.listeners.keys() },
        onRequest: (method, params, token) => this.answer(method, params, token),
        onNotification: (method, params) => this.hear(method, params),
      };
      const session = await this.o.open(hooks, signal);
      this.session = session;
      void session.failed.then((failure) => this.lost(session, failure));
      const stop = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      await Promise.race([this.introduce(session), stop]);
      if (signal.aborted) throw stopped();
      if (this.session !== session) throw await session.failed;
      this.become({ kind: "running", version: session.version, methods: session.methods });
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure(String(error), "the log may tell more", ["restart", "log"]);
      if (!signal.aborted) this.become(failure.state);
      throw failure;
    }
  }

  private async introduce(session: Session): Promise<void> {
    const send: Send = (method, params, token) => session.request(method, params, token);
    for (const hook of this.starters) {
      try {
        await hook(send);
      } catch (error) {
        this.o.report("preparing a new process", error);
      }
    }
  }

  private async end(): Promise<void> {
    this.abort.abort();
    await this.starting?.catch(() => {});
    const session = this.session;
    this.session = undefined;
    await session?.stop();
    this.become({ kind: "stopped" });
  }

  private lost(session: Session, failure: Failure): void {
    if (this.session !== session) return;
    this.session = undefined;
    if (this.starting === undefined) this.become(failure.state);
  }

  private become(state: DaemonState): void {
    if (state.kind === "stopped" && this.current.kind === "stopped") return;
    this.current = state;
    this.changed.fire(state);
  }

  private async answer(method: string, params: unknown, token: CancellationToken): Promise<unknown> {
    const handler = this.handlers.get(method);
    if (handler === undefined) return null;
    try {
      return await handler(params, token);
    } catch (error) {
      this.o.report(method, error);
      throw error;
    }
  }

  private hear(method: string, params: unknown): void {
    for (const listener of this.listeners.get(method) ?? []) {
      try {
        listener(params);
      } catch (error) {
        this.o.report(method, error);
      }
    }
  }
}
