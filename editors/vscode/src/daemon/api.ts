// The daemon as the rest of the extension sees it: typed requests and notifications, whether or not its process lives. It
// owns no process (connection.ts does) and knows nothing of chats, diffs or approvals.

import type { CancellationToken, Disposable, Event } from "vscode";
import type {
  DaemonNotifications,
  DaemonRequests,
  EditorNotifications,
  EditorRequests,
} from "../protocol/generated";

/** What the process does. Only `running` answers; `failed` carries words for the user and what helps. */
export type DaemonState =
  | { kind: "stopped" }
  | { kind: "starting" }
  | { kind: "running"; version: string; methods: string[] }
  | { kind: "failed"; problem: string; hint: string; help: ("restart" | "settings" | "log")[] };

export interface Daemon {
  readonly state: DaemonState;
  readonly onDidChangeState: Event<DaemonState>;

  /** Starts the process where none runs; resolves once it answers, rejects with what `failed` says. */
  ready(): Promise<void>;

  /** Sends a request, starting the process where none runs. Rejects with the daemon's ResponseError (code, message, data). */
  request<M extends keyof EditorRequests>(
    method: M,
    params: EditorRequests[M]["params"],
    token?: CancellationToken,
  ): Promise<EditorRequests[M]["result"]>;

  /** Sends a notification in order; dropped while no process runs. */
  notify<M extends keyof EditorNotifications>(method: M, params: EditorNotifications[M]): void;

  /** Answers the daemon's requests of one method, over restarts too. `null` is no decision, never a yes. */
  handle<M extends keyof DaemonRequests>(
    method: M,
    handler: (params: DaemonRequests[M]["params"], token: CancellationToken) => Promise<DaemonRequests[M]["result"] | null>,
  ): Disposable;

  /** Hears the daemon's notifications of one method, over restarts too, in the order sent. */
  on<M extends keyof DaemonNotifications>(method: M, handler: (params: DaemonNotifications[M]) => void): Disposable;

  /**
   * Tells each process that has just begun what it must know before anybody else asks it something, such as secrets: `send` is
   * a request to it. A hook that fails is logged and hinders nothing.
   */
  onRunning(hook: (send: Daemon["request"]) => Promise<void>): Disposable;

  /** Ends the process, if one runs, and starts another; what ran can be resumed. Rejects as `ready` does. */
  restart(): Promise<void>;
}
