// What the tests of the editor's side share: a daemon that keeps what it is told, and a VS Code with nothing open.

import { EventEmitter, Range, Selection, Uri } from "vscode";
import type { DaemonState } from "../../../src/daemon/api";
import { Checkers } from "../../../src/editor/checkers";
import { Push } from "../../../src/editor/push";
import { Terminals } from "../../../src/editor/terminals";
import type { EditorState } from "../../../src/protocol/generated";
import { extensions, languages, window, workspace } from "../vscode";

export const file = (path: string) => Uri.file(path);
export const running: DaemonState = { kind: "running", version: "1", methods: [] };

export class FakeDaemon {
  state: DaemonState = { kind: "stopped" };
  private readonly changed = new EventEmitter<DaemonState>();
  readonly onDidChangeState = this.changed.event;
  readonly sent: { method: string; params: unknown }[] = [];
  notify(method: string, params: unknown): void {
    if (this.state.kind === "running") this.sent.push({ method, params: structuredClone(JSON.parse(JSON.stringify(params))) });
  }
  become(state: DaemonState): void {
    this.state = state;
    this.changed.fire(state);
  }
  take<T>(method: string): T[] {
    return this.sent.filter((m) => m.method === method).map((m) => m.params as T);
  }
  get states(): EditorState[] {
    return this.take("clined/editor/didChangeState");
  }
}

export function editor(uri: Uri, ...ranges: [number, number, number, number][]) {
  return {
    document: { uri, languageId: "go" },
    selections: ranges.map((r) => new (Selection as unknown as typeof Range)(...r)),
    visibleRanges: [new Range(0, 0, 40, 0)],
  };
}

export function tab(input: unknown, more: { isDirty?: boolean; isPinned?: boolean } = {}) {
  return { input, isDirty: false, isPinned: false, ...more };
}

/** Makes VS Code as it is without anything open, before each test. */
export function reset(): void {
  Object.assign(window, {
    activeTextEditor: undefined,
    activeNotebookEditor: undefined,
    visibleTextEditors: [],
    visibleNotebookEditors: [],
    terminals: [],
  });
  window.tabGroups.all = [];
  window.tabGroups.activeTabGroup = { activeTab: undefined };
  workspace.textDocuments = [];
  languages.all = [];
  extensions.active = [];
}

export function start() {
  const daemon = new FakeDaemon();
  const terminals = new Terminals();
  const checkers = new Checkers();
  const push = new Push(daemon as never, terminals, checkers);
  const end = () => [push, terminals].forEach((one) => one.dispose());
  return { daemon, push, terminals, checkers, end };
}
