// The editor protocol's types, from the daemon's own JSON Schema.
// Written by go test ./internal/test/docs -update; docs/protocol.md says what they mean.

export type AccountLoginParams = {
  provider: string;
  baseUrl?: string;
  secret: string;
  persist?: boolean;
};

export type AccountLogoutParams = {
  provider: string;
  baseUrl?: string;
  persist?: boolean;
};

export type AccountStatus = {
  provider: string;
  baseUrl?: string;
  where?: string;
  needed?: boolean;
  hint?: string;
};

export type AccountStatusResult = {
  accounts: AccountStatus[];
};

export type ApplyEditParams = {
  label?: string;
  edit: WorkspaceEdit;
};

export type ApplyEditResult = {
  applied: boolean;
  failureReason?: string;
};

export type ApprovalCaps = {
  feedback?: Empty;
  editedContent?: Empty;
};

export type ApprovalListParams = {
  taskId?: string;
};

export type ApprovalListResult = {
  approvals: ApprovalRequestParams[];
  asks: AskParams[];
};

export type ApprovalOption = {
  optionId: string;
  kind: string;
  name: string;
  rule?: Rule;
};

export type ApprovalOutcome = {
  optionId?: string;
  subjectHash?: string;
  feedback?: Feedback;
  editedContent?: Record<string, string>;
  hunks?: string[];
};

export type ApprovalRequestParams = {
  approvalId: string;
  taskId: string;
  turnId: string;
  toolCallId: string;
  title: string;
  description?: string;
  asksAnyway?: boolean;
  diffId?: string;
  subject: Subject;
  subjectHash: string;
  options: ApprovalOption[];
  allowFeedback: boolean;
  allowEditedContent: boolean;
};

export type ApprovalResolvedParams = {
  approvalId: string;
  taskId: string;
  outcome: string;
  rule?: Rule;
};

export type ApprovalRespondParams = {
  approvalId: string;
  outcome: ApprovalOutcome;
};

export type AskParams = {
  askId: string;
  taskId: string;
  turnId: string;
  text: string;
  options?: string[];
};

export type AskRespondParams = {
  askId: string;
  result: AskResult;
};

export type AskResult = {
  action: string;
  option?: string;
  text?: string;
  images?: ContentBlock[];
};

export type ClientCapabilities = {
  general?: {
    positionEncodings?: string[];
  };
  workspace?: {
    applyEdit?: boolean;
    workspaceFolders?: boolean;
    workspaceEdit?: {
      resourceOperations?: string[];
    };
  };
  window?: WindowCaps;
  experimental?: {
    clined?: ClinedClient;
  };
};

export type ClientCaps = {
  approvals?: ApprovalCaps;
  asks?: Empty;
  editorState?: Empty;
  transcript?: Empty;
  diffView?: DiffViewCaps;
  diagnosticsPull?: Empty;
};

export type ClientInfo = {
  name: string;
  version?: string;
};

export type ClinedClient = {
  protocol: ProtocolRange;
  client: {
    name: string;
    version?: string;
    instanceId?: string;
  };
  caps: ClientCaps;
};

export type ClinedServer = {
  protocol: number;
  version: string;
  methods: string[];
};

export type CodeDescription = {
  href: string;
};

export type ConfigGetParams = {
  taskId?: string;
};

export type ConfigResult = {
  options: EventOption[];
};

export type ConfigSetParams = {
  taskId?: string;
  id: string;
  value: string;
};

export type ContentBlock = {
  type: string;
  text?: string;
  mimeType?: string;
  data?: string;
};

export type ContentChange = {
  range?: Range;
  text: string;
};

export type Diagnostic = {
  range: Range;
  severity?: number;
  code?: unknown;
  codeDescription?: CodeDescription;
  source?: string;
  message: string;
  tags?: number[];
  relatedInformation?: DiagnosticRelatedInformation[];
  data?: unknown;
};

export type DiagnosticRelatedInformation = {
  location: Location;
  message: string;
};

export type DiagnosticsPullParams = {
  uris: string[];
  settleMs: number;
};

export type DiagnosticsPullResult = {
  items: FileDiagnostics[];
};

export type DidChangeConfigurationParams = {
  settings: unknown;
};

export type DidChangeParams = {
  textDocument: VersionedDocument;
  contentChanges: ContentChange[];
};

export type DidChangeWorkspaceFoldersParams = {
  event: {
    added: WorkspaceFolder[];
    removed: WorkspaceFolder[];
  };
};

export type DidCloseParams = {
  textDocument: DocumentID;
};

export type DidOpenParams = {
  textDocument: TextDocumentItem;
};

export type DidSaveParams = {
  textDocument: DocumentID;
};

export type DiffCloseParams = {
  diffId: string;
  revert?: boolean;
};

export type DiffDidChangeParams = {
  diffId: string;
  text: string;
};

export type DiffDidCloseParams = {
  diffId: string;
};

export type DiffFinalizeParams = {
  diffId: string;
  rev: number;
  textHash: string;
  newText?: string;
};

export type DiffFinalizeResult = {
  textHash: string;
};

export type DiffOpenParams = {
  diffId: string;
  taskId: string;
  toolCallId: string;
  uri: string;
  op: string;
  newUri?: string;
  baseText: string;
  baseVersion?: number;
  newText: string;
  languageId?: string;
  streaming?: boolean;
};

export type DiffOpenResult = {
  opened: boolean;
  text?: string;
  dirty?: boolean;
  diskHash?: string;
};

export type DiffRevealParams = {
  diffId: string;
  line: number;
};

export type DiffSaveParams = {
  diffId: string;
  text?: string;
};

export type DiffSaveResult = {
  userText?: string;
  finalText?: string;
  error?: string;
  text?: string;
};

export type DiffUpdateParams = {
  diffId: string;
  rev: number;
  edits: LineEdit[];
  activeLine: number;
};

export type DiffViewCaps = {
  streaming?: Empty;
  userEdits?: Empty;
  saveFormats?: Empty;
};

export type DocumentEdit = {
  textDocument?: VersionedDocument;
  edits?: TextEdit[];
  kind?: string;
  oldUri?: string;
  newUri?: string;
  uri?: string;
  options?: ResourceOptions;
};

export type DocumentID = {
  uri: string;
};

export type EditorState = {
  rev?: number;
  active?: {
    uri: string;
    selections?: Range[];
  };
  visible: {
    uri: string;
    ranges?: Range[];
  }[];
  tabs: {
    uri: string;
    dirty?: boolean;
    pinned?: boolean;
    group?: number;
  }[];
  terminals?: {
    id: string;
    name: string;
    cwd?: string;
    busy?: boolean;
    command?: string;
    output?: string;
  }[];
  diagnostics?: FileDiagnostics[];
  checkedLanguages?: string[];
};

export type Empty = Record<string, unknown>;

export type Event = EventState
  | EventMessage
  | EventMessageDelta
  | EventToolCall
  | EventToolCallDelta
  | EventPlan
  | EventUsage
  | EventConfig
  | EventNotice
  | EventInfo
  | EventRewind
  | EventTerminal
  | EventTerminalDelta;

export type EventConfig = {
  type: "config";
  options: EventOption[];
};

export type EventContent = {
  type: string;
  text?: string;
  mimeType?: string;
  data?: string;
};

export type EventFailure = {
  code: string;
  message: string;
  hint?: string;
  providerStatus?: number;
};

export type EventInfo = {
  type: "info";
  title: string;
};

export type EventMessage = {
  type: "message";
  messageId: string;
  role: string;
  content: EventContent[];
  status: string;
  final?: boolean;
  command?: string;
};

export type EventMessageDelta = {
  type: "messageDelta";
  messageId: string;
  partIndex: number;
  kind: string;
  text: string;
};

export type EventNotice = {
  type: "notice";
  severity: string;
  text: string;
  hint?: string;
};

export type EventOption = {
  id: string;
  name: string;
  value: string;
  choices?: string[];
};

export type EventPendingAction = {
  id: string;
  kind: string;
  title: string;
  options?: string[];
  toolCallId?: string;
};

export type EventPlan = {
  type: "plan";
  entries: EventPlanEntry[];
  byUser?: boolean;
};

export type EventPlanEntry = {
  text: string;
  done: boolean;
};

export type EventRewind = {
  type: "rewind";
  messageId: string;
};

export type EventState = {
  type: "state";
  state: string;
  stopReason?: string;
  error?: EventFailure;
  waiting?: EventWaiting;
  pending?: EventPendingAction[];
};

export type EventTerminal = {
  type: "terminal";
  terminalId: string;
  command: string;
  cwd: string;
  state: string;
  tty?: boolean;
  asks?: string;
  exitCode?: number;
  signal?: string;
  logFile?: string;
  output?: string;
};

export type EventTerminalDelta = {
  type: "terminalDelta";
  terminalId: string;
  text: string;
};

export type EventToolCall = {
  type: "toolCall";
  toolCallId: string;
  name: string;
  title?: string;
  kind?: string;
  status: string;
  args?: string;
  server?: string;
  tool?: string;
  locations?: string[];
  output?: string;
  diff?: string;
  autoApproved?: string;
};

export type EventToolCallDelta = {
  type: "toolCallDelta";
  toolCallId: string;
  argsText?: string;
  output?: string;
};

export type EventUsage = {
  type: "usage";
  used: number;
  size: number;
  tokensIn: number;
  tokensOut: number;
  cacheRead: number;
  cacheWrite: number;
  estimated?: boolean;
  cost?: number;
};

export type EventWaiting = {
  reason: string;
  delayMs: number;
  waitedMs?: number;
  attempt: number;
  max: number;
};

export type ExecuteCommandOptions = {
  commands: string[];
};

export type ExecuteCommandParams = {
  command: string;
  arguments?: unknown;
};

export type Feedback = {
  text: string;
  images?: ContentBlock[];
};

export type FileDiagnostics = {
  uri: string;
  version?: number;
  diagnostics: Diagnostic[];
};

export type FoundServer = {
  name: string;
  provider: string;
  baseUrl: string;
  models: string[];
};

export type Hunk = {
  id: string;
  startLine: number;
  endLine: number;
  newStartLine: number;
  newEndLine: number;
};

export type InitializeParams = {
  processId: number;
  clientInfo?: ClientInfo;
  rootUri?: string;
  rootPath?: string;
  workspaceFolders?: WorkspaceFolder[];
  capabilities: ClientCapabilities;
  initializationOptions?: unknown;
  protocolVersion?: unknown;
};

export type InitializeResult = {
  capabilities: ServerCapabilities;
  serverInfo: ServerInfo;
};

export type LineEdit = {
  startLine: number;
  endLine: number;
  lines: string[];
};

export type Location = {
  uri: string;
  range: Range;
};

export type MessageAction = {
  title: string;
};

export type ModelInfo = {
  id: string;
  name?: string;
  contextWindow?: number;
};

export type ModelListParams = {
  provider?: string;
  baseUrl?: string;
  secret?: string;
};

export type ModelListResult = {
  models: ModelInfo[];
  problem?: string;
  hint?: string;
};

export type Position = {
  line: number;
  character: number;
};

export type ProgressCancelParams = {
  token: string;
};

export type ProgressCreateParams = {
  token: string;
};

export type ProgressParams = {
  token: string;
  value: ProgressValue;
};

export type ProgressValue = {
  kind: string;
  title?: string;
  message?: string;
  cancellable?: boolean;
};

export type ProtocolRange = {
  min: number;
  max: number;
};

export type Range = {
  start: Position;
  end: Position;
};

export type ResourceOptions = {
  ignoreIfNotExists?: boolean;
};

export type RespondResult = {
  status: string;
};

export type Rule = {
  scope: string;
  pattern: string;
};

export type RuleInfo = {
  id: number;
  scope: string;
  pattern: string;
  workspace?: string;
  taskId?: string;
  verdict: string;
  created: string;
};

export type RuleListParams = {
  all?: boolean;
};

export type RuleListResult = {
  rules: RuleInfo[];
};

export type RuleRemoveParams = {
  id: number;
};

export type ServerCapabilities = {
  positionEncoding: string;
  textDocumentSync: SyncOptions;
  workspace: WorkspaceCaps;
  executeCommandProvider?: ExecuteCommandOptions;
  experimental?: ServerExtended;
};

export type ServerExtended = {
  clined?: ClinedServer;
};

export type ServerInfo = {
  name: string;
  version: string;
};

export type SetTraceParams = {
  value: string;
};

export type SetupDemoParams = {
  stop?: boolean;
};

export type SetupDiscoverResult = {
  servers: FoundServer[];
};

export type SetupStatus = {
  configured: boolean;
  provider: string;
  model?: string;
  baseUrl?: string;
  demo?: boolean;
  examples?: string[];
  problem?: string;
  hint?: string;
};

export type ShowDocumentParams = {
  uri: string;
  external?: boolean;
  takeFocus?: boolean;
  selection?: Range;
};

export type ShowDocumentResult = {
  success: boolean;
};

export type ShowMessageParams = {
  message: string;
  type: number;
};

export type ShowMessageRequestParams = {
  type: number;
  message: string;
  actions: MessageAction[];
};

export type Subject = {
  type: string;
  command?: string;
  cwd?: string;
  parts?: SubjectPart[];
  interactive?: boolean;
  timeout?: number;
  sandbox?: string;
  unsandboxed?: boolean;
  paths?: SubjectPath[];
  files?: SubjectEdit[];
  server?: string;
  tool?: string;
  args?: unknown;
};

export type SubjectEdit = {
  path: string;
  uri: string;
  real?: string;
  outside?: boolean;
  protected?: string;
  op: string;
  to?: SubjectPath;
  baseText: string;
  newText: string;
  diff: string;
  hunks?: Hunk[];
  diffId?: string;
};

export type SubjectPart = {
  command: string;
  verdict: string;
  reason?: string;
  rule?: string;
};

export type SubjectPath = {
  path: string;
  uri: string;
  real?: string;
  outside?: boolean;
  protected?: string;
};

export type SyncOptions = {
  openClose: boolean;
  change: number;
  save: boolean;
};

export type TaskAttachParams = {
  taskId: string;
  sinceSeq?: number;
  limit?: number;
};

export type TaskAttachResult = {
  task: TaskInfo;
  events: TaskEventParams[];
  more?: boolean;
  before?: number;
  seq: number;
  pending: EventPendingAction[];
};

export type TaskCancelParams = {
  taskId: string;
  turnId?: string;
};

export type TaskDeleteParams = {
  taskId: string;
};

export type TaskDetachParams = {
  taskId: string;
};

export type TaskEditMessageParams = {
  taskId: string;
  messageId: string;
  prompt: ContentBlock[];
};

export type TaskEventParams = {
  taskId: string;
  seq: number;
  turnId?: string;
  ts: string;
  event: Event;
};

export type TaskExportParams = {
  taskId: string;
  format?: string;
};

export type TaskExportResult = {
  text: string;
  fileName: string;
};

export type TaskFavoriteParams = {
  taskId: string;
  favorite: boolean;
};

export type TaskInfo = {
  taskId: string;
  title: string;
  cwd: string;
  roots: string[];
  created: string;
  updated: string;
  mode?: string;
  model?: string;
  favorite?: boolean;
  state: string;
  stopReason?: string;
  owner?: TaskOwner;
  messages: number;
  tokensIn?: number;
  tokensOut?: number;
  cost?: number;
  damage?: string;
};

export type TaskListParams = {
  cwd?: string;
  cwds?: string[];
  query?: string;
  favorite?: boolean;
  cursor?: string;
  limit?: number;
};

export type TaskListResult = {
  tasks: TaskInfo[];
  nextCursor?: string;
};

export type TaskNewParams = {
  cwd?: string;
  roots?: string[];
  prompt?: ContentBlock[];
  mode?: string;
  config?: Record<string, string>;
  clientTaskRef?: string;
};

export type TaskNewResult = {
  taskId: string;
  seq: number;
  turnId?: string;
  messageId?: string;
  clientTaskRef?: string;
};

export type TaskOwner = {
  pid: number;
  since: string;
};

export type TaskPromptParams = {
  taskId: string;
  prompt: ContentBlock[];
  queue?: boolean;
  mode?: string;
};

export type TaskPromptResult = {
  turnId: string;
  messageId: string;
};

export type TaskReadParams = {
  taskId: string;
  before?: number;
  limit?: number;
};

export type TaskReadResult = {
  task: TaskInfo;
  events: TaskEventParams[];
  more?: boolean;
  before?: number;
};

export type TaskRenameParams = {
  taskId: string;
  title: string;
};

export type TaskResumeParams = {
  taskId: string;
  prompt?: ContentBlock[];
};

export type TaskSetChecklistParams = {
  taskId: string;
  markdown: string;
};

export type TaskSteerParams = {
  taskId: string;
  expectedTurnId?: string;
  prompt: ContentBlock[];
};

export type TerminalInputParams = {
  taskId: string;
  terminalId: string;
  text: string;
};

export type TerminalListParams = {
  taskId: string;
};

export type TerminalListResult = {
  terminals: EventTerminal[];
};

export type TerminalParams = {
  taskId: string;
  terminalId: string;
};

export type TerminalResizeParams = {
  taskId: string;
  terminalId: string;
  cols: number;
  rows: number;
};

export type TextDocumentItem = {
  uri: string;
  languageId: string;
  version: number;
  text: string;
};

export type TextEdit = {
  range: Range;
  newText: string;
};

export type VersionedDocument = {
  uri: string;
  version: number;
};

export type WindowCaps = {
  workDoneProgress?: boolean;
  showMessage?: Empty;
  showDocument?: {
    support: boolean;
  };
};

export type WorkspaceCaps = {
  workspaceFolders: {
    supported: boolean;
    changeNotifications: boolean;
  };
};

export type WorkspaceEdit = {
  documentChanges: DocumentEdit[];
};

export type WorkspaceFolder = {
  uri: string;
  name: string;
};

/** The requests that the editor makes. */
export interface EditorRequests {
  "clined/account/login": { params: AccountLoginParams; result: AccountStatusResult };
  "clined/account/logout": { params: AccountLogoutParams; result: AccountStatusResult };
  "clined/account/status": { params: Empty; result: AccountStatusResult };
  "clined/approval/list": { params: ApprovalListParams; result: ApprovalListResult };
  "clined/approval/respond": { params: ApprovalRespondParams; result: RespondResult };
  "clined/ask/respond": { params: AskRespondParams; result: RespondResult };
  "clined/config/get": { params: ConfigGetParams; result: ConfigResult };
  "clined/config/set": { params: ConfigSetParams; result: ConfigResult };
  "clined/model/list": { params: ModelListParams; result: ModelListResult };
  "clined/rule/list": { params: RuleListParams; result: RuleListResult };
  "clined/rule/remove": { params: RuleRemoveParams; result: Empty };
  "clined/setup/demo": { params: SetupDemoParams; result: SetupStatus };
  "clined/setup/discover": { params: Empty; result: SetupDiscoverResult };
  "clined/setup/status": { params: Empty; result: SetupStatus };
  "clined/task/attach": { params: TaskAttachParams; result: TaskAttachResult };
  "clined/task/cancel": { params: TaskCancelParams; result: Empty };
  "clined/task/delete": { params: TaskDeleteParams; result: Empty };
  "clined/task/detach": { params: TaskDetachParams; result: Empty };
  "clined/task/editMessage": { params: TaskEditMessageParams; result: TaskPromptResult };
  "clined/task/export": { params: TaskExportParams; result: TaskExportResult };
  "clined/task/favorite": { params: TaskFavoriteParams; result: Empty };
  "clined/task/list": { params: TaskListParams; result: TaskListResult };
  "clined/task/new": { params: TaskNewParams; result: TaskNewResult };
  "clined/task/prompt": { params: TaskPromptParams; result: TaskPromptResult };
  "clined/task/read": { params: TaskReadParams; result: TaskReadResult };
  "clined/task/rename": { params: TaskRenameParams; result: Empty };
  "clined/task/resume": { params: TaskResumeParams; result: TaskPromptResult };
  "clined/task/setChecklist": { params: TaskSetChecklistParams; result: Empty };
  "clined/task/steer": { params: TaskSteerParams; result: TaskPromptResult };
  "clined/terminal/detach": { params: TerminalParams; result: Empty };
  "clined/terminal/input": { params: TerminalInputParams; result: Empty };
  "clined/terminal/kill": { params: TerminalParams; result: Empty };
  "clined/terminal/list": { params: TerminalListParams; result: TerminalListResult };
  "clined/terminal/resize": { params: TerminalResizeParams; result: Empty };
  "initialize": { params: InitializeParams; result: InitializeResult };
  "shutdown": { params: Empty; result: null };
  "workspace/executeCommand": { params: ExecuteCommandParams; result: unknown };
}

/** The notifications that the editor sends. */
export interface EditorNotifications {
  "$/setTrace": SetTraceParams;
  "clined/diff/didChange": DiffDidChangeParams;
  "clined/diff/didClose": DiffDidCloseParams;
  "clined/editor/didChangeDiagnostics": FileDiagnostics;
  "clined/editor/didChangeState": EditorState;
  "exit": Empty;
  "initialized": Empty;
  "textDocument/didChange": DidChangeParams;
  "textDocument/didClose": DidCloseParams;
  "textDocument/didOpen": DidOpenParams;
  "textDocument/didSave": DidSaveParams;
  "window/workDoneProgress/cancel": ProgressCancelParams;
  "workspace/didChangeConfiguration": DidChangeConfigurationParams;
  "workspace/didChangeWorkspaceFolders": DidChangeWorkspaceFoldersParams;
}

/** The requests that the daemon makes. */
export interface DaemonRequests {
  "clined/approval/request": { params: ApprovalRequestParams; result: ApprovalOutcome };
  "clined/ask": { params: AskParams; result: AskResult };
  "clined/diagnostics/pull": { params: DiagnosticsPullParams; result: DiagnosticsPullResult };
  "clined/diff/close": { params: DiffCloseParams; result: Empty };
  "clined/diff/finalize": { params: DiffFinalizeParams; result: DiffFinalizeResult };
  "clined/diff/open": { params: DiffOpenParams; result: DiffOpenResult };
  "clined/diff/reveal": { params: DiffRevealParams; result: Empty };
  "clined/diff/save": { params: DiffSaveParams; result: DiffSaveResult };
  "window/showDocument": { params: ShowDocumentParams; result: ShowDocumentResult };
  "window/showMessageRequest": { params: ShowMessageRequestParams; result: MessageAction };
  "window/workDoneProgress/create": { params: ProgressCreateParams; result: null };
  "workspace/applyEdit": { params: ApplyEditParams; result: ApplyEditResult };
}

/** The notifications that the daemon sends. */
export interface DaemonNotifications {
  "$/progress": ProgressParams;
  "clined/approval/resolved": ApprovalResolvedParams;
  "clined/diff/update": DiffUpdateParams;
  "clined/task/event": TaskEventParams;
  "window/logMessage": ShowMessageParams;
  "window/showMessage": ShowMessageParams;
}
