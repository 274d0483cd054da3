// What unit tests have instead of the module "vscode": values of its API as the extension uses them, and nothing of the
// workbench. esbuild.mjs puts it in place; a test sets what its part reads (`window.terminals = [...]`) and fires the events.

export class Disposable {
  constructor(private readonly end: () => unknown) {}
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose(): void {
    this.end();
  }
}

type Listener<T> = (event: T) => unknown;

export class EventEmitter<T> {
  private readonly listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>, self?: unknown, disposables?: Disposable[]): Disposable => {
    const bound = listener.bind(self);
    this.listeners.add(bound);
    const end = new Disposable(() => this.listeners.delete(bound));
    disposables?.push(end);
    return end;
  };
  fire(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }
  get heard(): number {
    return this.listeners.size;
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class Uri {
  private constructor(
    readonly scheme: string,
    readonly authority: string,
    readonly path: string,
    readonly query: string,
    readonly fragment: string,
  ) {}

  static parse(text: string, strict = false): Uri {
    if (strict && !/^[a-z][\w+.-]*:/i.test(text)) throw new Error("no scheme");
    const [, scheme = "file", , authority = "", path = "", , query = "", , fragment = ""] =
      /^([^:/?#]+):(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/.exec(text) ?? [];
    return new Uri(scheme, ...([authority, path, query, fragment].map(decodeURIComponent) as [string, string, string, string]));
  }

  static file(path: string): Uri {
    const slashed = path.replaceAll("\\", "/");
    return new Uri("file", "", slashed.startsWith("/") ? slashed : `/${slashed}`, "", "");
  }

  static from(parts: { scheme: string; authority?: string; path?: string; query?: string; fragment?: string }): Uri {
    return new Uri(parts.scheme, parts.authority ?? "", parts.path ?? "", parts.query ?? "", parts.fragment ?? "");
  }

  static joinPath(base: Uri, ...parts: string[]): Uri {
    return base.with({ path: [base.path.replace(/\/$/, ""), ...parts].join("/") });
  }

  with(parts: { scheme?: string; authority?: string; path?: string; query?: string; fragment?: string }): Uri {
    return Uri.from({ ...this.parts(), ...parts });
  }

  private parts() {
    const { scheme, authority, path, query, fragment } = this;
    return { scheme, authority, path, query, fragment };
  }

  get fsPath(): string {
    const path = /^\/[A-Za-z]:/.test(this.path) ? this.path[1]!.toLowerCase() + this.path.slice(2) : this.path;
    return this.authority ? `//${this.authority}${path}` : path;
  }

  toString(): string {
    const slashes = this.authority || this.scheme === "file" ? `//${encodeURIComponent(this.authority)}` : "";
    const path = this.path.split("/").map(encodeURIComponent).join("/");
    const query = this.query && `?${encodeURIComponent(this.query)}`;
    return `${this.scheme}:${slashes}${path}${query}${this.fragment && `#${encodeURIComponent(this.fragment)}`}`;
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number);
  constructor(start: Position, end: Position);
  constructor(a: number | Position, b: number | Position, c?: number, d?: number) {
    [this.start, this.end] =
      typeof a === "number" ? [new Position(a, b as number), new Position(c!, d!)] : [a, b as Position];
  }
  get isEmpty(): boolean {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
  contains(other: Range): boolean {
    return sameRange(this.union(other), this);
  }
  union(other: Range): Range {
    const before = (x: Position, y: Position) => x.line < y.line || (x.line === y.line && x.character < y.character);
    return new Range(
      before(other.start, this.start) ? other.start : this.start,
      before(other.end, this.end) ? this.end : other.end,
    );
  }
  intersection(other: Range): Range | undefined {
    const later = (x: Position, y: Position) => (x.line > y.line || (x.line === y.line && x.character > y.character) ? x : y);
    const start = later(this.start, other.start);
    const end = later(this.end, other.end) === this.end ? other.end : this.end;
    return later(start, end) === start && !(start.line === end.line && start.character === end.character)
      ? undefined
      : new Range(start, end);
  }
}

function sameRange(a: Range, b: Range): boolean {
  const key = ({ start, end }: Range) => [start.line, start.character, end.line, end.character].join();
  return key(a) === key(b);
}

export class Selection extends Range {}

export enum DiagnosticSeverity {
  Error,
  Warning,
  Information,
  Hint,
}

export class Diagnostic {
  source?: string;
  code?: string | number | { value: string | number; target: Uri };
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: DiagnosticSeverity = DiagnosticSeverity.Error,
  ) {}
}

export enum SymbolKind {
  Module = 1,
  Class = 4,
  Method = 5,
  Constructor = 8,
  Enum = 9,
  Interface = 10,
  Function = 11,
  Variable = 12,
  Struct = 22,
}

export class CodeActionKind {
  private constructor(readonly value: string) {}
  static readonly Empty = new CodeActionKind("");
  static readonly QuickFix = new CodeActionKind("quickfix");
  static readonly Refactor = new CodeActionKind("refactor");
  append(part: string): CodeActionKind {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
  contains(other: CodeActionKind): boolean {
    return !this.value || other.value === this.value || other.value.startsWith(`${this.value}.`);
  }
  intersects(other: CodeActionKind): boolean {
    return this.contains(other) || other.contains(this);
  }
}

export class CodeAction {
  command?: unknown;
  diagnostics?: Diagnostic[];
  constructor(
    readonly title: string,
    readonly kind?: CodeActionKind,
  ) {}
}

export class TabInputText {
  constructor(readonly uri: Uri) {}
}
export class TabInputTextDiff {
  constructor(
    readonly original: Uri,
    readonly modified: Uri,
  ) {}
}
export class TabInputCustom {
  constructor(
    readonly uri: Uri,
    readonly viewType: string,
  ) {}
}
export class TabInputNotebook {
  constructor(
    readonly uri: Uri,
    readonly notebookType: string,
  ) {}
}
export class TabInputNotebookDiff {
  constructor(
    readonly original: Uri,
    readonly modified: Uri,
    readonly notebookType: string,
  ) {}
}
export class TabInputWebview {
  constructor(readonly viewType: string) {}
}
export class TabInputTerminal {}

/** An event that a test can fire: `on(window.onDidOpenTerminal).fire(terminal)`. */
const emitters = new Map<unknown, EventEmitter<never>>();
function event(): (listener: Listener<never>) => Disposable {
  const emitter = new EventEmitter<never>();
  emitters.set(emitter.event, emitter);
  return emitter.event;
}
export function on(source: unknown): { fire(event: unknown): void; readonly heard: number } {
  return emitters.get(source) as unknown as { fire(event: unknown): void; readonly heard: number };
}

const message = (..._said: unknown[]): Promise<string | undefined> => Promise.resolve(undefined);

export const window = {
  showInformationMessage: message,
  showWarningMessage: message,
  showErrorMessage: message,
  createTextEditorDecorationType: () => ({}),
  activeTextEditor: undefined as unknown,
  activeNotebookEditor: undefined as unknown,
  activeTerminal: undefined as unknown,
  visibleTextEditors: [] as unknown[],
  visibleNotebookEditors: [] as unknown[],
  terminals: [] as unknown[],
  tabGroups: { all: [] as unknown[], activeTabGroup: { activeTab: undefined as unknown }, onDidChangeTabs: event(), onDidChangeTabGroups: event() },
  onDidChangeActiveTextEditor: event(),
  onDidChangeActiveNotebookEditor: event(),
  onDidChangeVisibleTextEditors: event(),
  onDidChangeVisibleNotebookEditors: event(),
  onDidChangeTextEditorSelection: event(),
  onDidChangeTextEditorVisibleRanges: event(),
  onDidOpenTerminal: event(),
  onDidCloseTerminal: event(),
  onDidChangeTerminalShellIntegration: event(),
  onDidStartTerminalShellExecution: event(),
  onDidEndTerminalShellExecution: event(),
};

export const workspace = {
  registerTextDocumentContentProvider: () => new Disposable(() => {}),
  textDocuments: [] as unknown[],
  notebookDocuments: [] as unknown[],
  async openTextDocument(uri: Uri): Promise<unknown> {
    return this.textDocuments.find((document) => (document as { uri: Uri }).uri.toString() === uri.toString());
  },
  workspaceFolders: undefined as unknown[] | undefined,
  onDidOpenTextDocument: event(),
  onDidChangeTextDocument: event(),
  onDidCloseTextDocument: event(),
  onDidSaveTextDocument: event(),
  onDidChangeConfiguration: event(),
  onDidChangeWorkspaceFolders: event(),
  getConfiguration: () => ({ get: (_key: string, otherwise: unknown) => otherwise, inspect: () => undefined }),
};

export const languages = {
  all: [] as [{ toString(): string }, unknown[]][],
  getDiagnostics(uri?: { toString(): string }): unknown {
    if (!uri) return this.all;
    return this.all.find(([of]) => of.toString() === uri.toString())?.[1] ?? [];
  },
  onDidChangeDiagnostics: event(),
  match: (filters: { scheme?: string }[], document: { uri: Uri }) => (filters.some((f) => f.scheme === document.uri.scheme) ? 10 : 0),
};

export const extensions = {
  active: [] as string[],
  getExtension(id: string): { isActive: boolean } | undefined {
    return this.active.includes(id) ? { isActive: true } : undefined;
  },
};

export const version = "1.100.3";
export const env = {
  appName: "Code",
  language: "en",
  sessionId: "window-1",
  remoteName: undefined as string | undefined,
  clipboard: {
    text: "",
    async readText() {
      return this.text;
    },
    async writeText(text: string) {
      this.text = text;
    },
  },
};

export enum LogLevel {
  Off,
  Trace,
  Debug,
  Info,
  Warning,
  Error,
}

export class CancellationTokenSource {
  private readonly emitter = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose(): void {
    this.emitter.dispose();
  }
}

// What the language client makes its own classes of, though it is never asked for them here.
export class CancellationError extends Error {}
export class CallHierarchyItem {}
export class CodeLens {}
export class CompletionItem {}
export class DocumentLink {}
export class InlayHint {}
export class SymbolInformation {}
export class TypeHierarchyItem {}

export enum OverviewRulerLane {
  Right = 4,
  Full = 7,
}
export enum TextEditorRevealType {
  InCenterIfOutsideViewport = 2,
  AtTop = 3,
}
export enum StatusBarAlignment {
  Left = 1,
  Right = 2,
}
export class ThemeColor {
  constructor(readonly id: string) {}
}

export const commands = {
  /** What was registered, and what a test puts in as a command of VS Code's own. */
  all: new Map<string, (...args: unknown[]) => unknown>(),
  async executeCommand(name: string, ...args: unknown[]): Promise<unknown> {
    return this.all.get(name)?.(...args);
  },
  registerCommand(name: string, run: (...args: unknown[]) => unknown): Disposable {
    this.all.set(name, run);
    return new Disposable(() => this.all.delete(name));
  },
};
