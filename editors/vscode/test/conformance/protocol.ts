// The lines of a driver, as docs/conformance.md has them.

export interface Action {
  verb: string;
  clined?: string;
  workspace?: string;
  format?: boolean;
  text?: string;
  title?: string;
  option?: string;
  how?: "queue" | "steer";
  always?: boolean;
  hunks?: number[];
  path?: string;
  visible?: string[];
  tabs?: string[];
  after?: number;
}

export interface Task {
  title: string;
  status: string;
}

export interface Item {
  kind: "user" | "assistant" | "call" | "notice";
  text: string;
  status?: string;
}

export interface Pending {
  kind: "approval" | "question";
  title: string;
  detail?: string;
  options?: string[];
}

export interface State {
  rev: number;
  connected: boolean;
  notices: string[];
  task?: Task;
  items: Item[];
  pending: Pending[];
  history: Task[];
  diffs: { path: string; base: string; proposed: string }[];
  buffers: Record<string, string>;
  faults: string[];
}

export type Reply = { ok: true; state?: State } | { ok: false; error: string };
