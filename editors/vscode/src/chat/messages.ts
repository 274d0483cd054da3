// What the chat's webview and the extension host say to each other. Plain data, structured-clone safe; both sides import it.

import type { DaemonState } from "../daemon/api";
import type {
  ApprovalOutcome,
  ApprovalRequestParams,
  AskParams,
  AskResult,
  EditorRequests,
  ModelListResult,
  SetupDiscoverResult,
  SetupStatus,
  TaskEventParams,
} from "../protocol/generated";

/** The requests that the webview may make of the daemon; the host refuses every other method. */
export const relayed = [
  "clined/config/get",
  "clined/config/set",
  "clined/model/list",
  "clined/task/attach",
  "clined/task/cancel",
  "clined/task/delete",
  "clined/task/editMessage",
  "clined/task/favorite",
  "clined/task/list",
  "clined/task/new",
  "clined/task/prompt",
  "clined/task/read",
  "clined/task/rename",
  "clined/task/resume",
  "clined/task/setChecklist",
  "clined/task/steer",
  "clined/terminal/detach",
  "clined/terminal/input",
  "clined/terminal/kill",
  "clined/terminal/list",
] as const satisfies readonly (keyof EditorRequests)[];

export type RelayedMethod = (typeof relayed)[number];

/** Pages of the view. */
export type Page = "chat" | "history" | "setup";

/** What the user may have chosen in the setup page. `secret` goes to SecretStorage and the daemon, never into settings. */
export interface ModelChoice {
  provider: string;
  baseUrl: string;
  model: string;
  secret?: string;
}

/** An approval with what the diff editor has of it: hunks that the user refused there, and whether they typed into it. */
export interface ShownApproval extends ApprovalRequestParams {
  shown?: { edited: boolean; refusedHunks: string[]; hunks: number };
}

export type ToHost =
  /** The view is drawn and listens; answered by `init`. */
  | { type: "ready" }
  /** A request for the daemon; answered by `response` with the same id. */
  | { type: "request"; id: number; method: RelayedMethod; params: unknown }
  /** The task that is shown from now on; null for the page of a new task. */
  | { type: "follow"; taskId: string | null }
  /** Answered by `response` with the same id: true when it counts, false when it does not, which the host tells. */
  | { type: "decide"; id: number; approvalId: string; outcome: ApprovalOutcome }
  /** A hunk of an edit is taken or left out; the approval comes back with it in `shown`. */
  | { type: "choose"; approvalId: string; hunk: string; taken: boolean }
  /** Answered as `decide` is. */
  | { type: "answer"; id: number; askId: string; result: AskResult }
  /** Opens a file at a line (0-based); a relative path is looked up in the task's folders. */
  | { type: "openFile"; path: string; taskId?: string; line?: number }
  | { type: "openExternal"; url: string }
  /** Brings the diff editor of an open edit to the front, or shows a finished one from its text. */
  | { type: "showDiff"; diffId?: string; title: string; diff?: string }
  | { type: "copy"; text: string }
  /** Puts text into the active editor at its cursor. */
  | { type: "insert"; text: string }
  /** Saves the export of a task where the user says. */
  | { type: "export"; taskId: string; format: "markdown" | "json" }
  | { type: "command"; command: "restart" | "log" | "settings" }
  /** Setup: answered by `response` with the same id; host-side because secrets and settings are VS Code's. */
  | { type: "setup"; id: number; action: SetupAction }
  /** The first content was painted, in ms since the webview's script began; goes to the log. */
  | { type: "painted"; ms: number };

/** `unchecked` saves what the place's answer speaks against. What each resolves to is in SetupResults. */
export type SetupAction =
  | { kind: "status" }
  | { kind: "discover" }
  | { kind: "models"; choice: Omit<ModelChoice, "model"> }
  | { kind: "save"; choice: ModelChoice; unchecked?: boolean }
  | { kind: "demo"; stop?: boolean }
  | { kind: "signOut"; provider: string; baseUrl: string };

/** Whether a turn could start, and the places that this editor keeps a key for; never a key. */
export interface SetupView extends SetupStatus {
  keys: { provider: string; baseUrl: string }[];
}

/** Where it is not saved, `problem` says why, and `forcible` that `unchecked` would save it. Where it is, `problem` says what else
 * keeps it from being used. `sessionOnly`: VS Code's SecretStorage did not take the key, it is forgotten when the window closes. */
export interface SaveResult {
  saved: boolean;
  problem?: string;
  hint?: string;
  forcible?: boolean;
  sessionOnly?: boolean;
  status?: SetupView;
}

export interface SetupResults {
  status: SetupView;
  discover: SetupDiscoverResult;
  models: ModelListResult;
  save: SaveResult;
  demo: SetupView;
  signOut: SetupView;
}

/** A folder of the workspace. */
export interface NamedFolder {
  name: string;
  path: string;
}

export type ToWebview =
  | {
      type: "init";
      daemon: DaemonState;
      /** The task to show: the one last shown in this workspace. */
      taskId: string | null;
      page: Page;
      /** The page is a guess: whether a model is set up is not known yet. */
      unsure?: boolean;
      approvals: ShownApproval[];
      asks: AskParams[];
      folders: NamedFolder[];
      platform: "mac" | "windows" | "linux";
    }
  | { type: "response"; id: number; result?: unknown; error?: { code: number; message: string; hint?: string } }
  | { type: "event"; params: TaskEventParams }
  | { type: "approval"; request: ShownApproval }
  | { type: "ask"; params: AskParams }
  /** An approval or question is closed, whoever answered it. */
  | { type: "closed"; id: string }
  | { type: "daemon"; state: DaemonState }
  /** Folders were added to the workspace, or taken out of it. */
  | { type: "folders"; folders: NamedFolder[] }
  /** A command of the user: go to a page, a task, or put something into the composer. */
  | { type: "show"; page: Page; taskId?: string | null; focus?: boolean }
  | { type: "compose"; text: string; send?: boolean };
