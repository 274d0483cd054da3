// The language client, in a bundle of its own that is loaded when the daemon is first needed: it is larger than all the rest.
// Of the many features of LSP it keeps those that the daemon has a use for; of its messages to the user, none.

import type { Readable, Writable } from "node:stream";
import { workspace, type CancellationToken, type LogOutputChannel } from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  StreamMessageReader,
  StreamMessageWriter,
  type DynamicFeature,
  type InitializeParams,
  type StaticFeature,
} from "vscode-languageclient/node";
import type { ClinedClient, InitializeResult } from "../protocol/generated";
import { applyEdit } from "./applyedit";

export interface LinkOptions {
  reader: Readable;
  writer: Writable;
  log: LogOutputChannel;
  clined: ClinedClient;
  settings: () => Record<string, unknown>;
  /** The daemon had an open file changed, moved or closed; called before it hears so. */
  edited: () => void;
  /** What was read is no message: what the process says from then on cannot be understood. */
  garbled: () => void;
}

/** Reads messages. Nobody hears that one is long in coming: the timer for that would go on for ever behind half a message. */
function wholes(stream: Readable): StreamMessageReader {
  const reader = new StreamMessageReader(stream);
  reader.partialMessageTimeout = 0;
  return reader;
}

/** One session with one process. */
export interface Link {
  /** Says `initialize` and `initialized`; rejects with the daemon's ResponseError. */
  start(): Promise<InitializeResult>;
  request(method: string, params: unknown, token?: CancellationToken): Promise<unknown>;
  notify(method: string, params: unknown): void;
  onRequest(method: string, handler: (params: unknown, token: CancellationToken) => Promise<unknown>): void;
  onNotification(method: string, handler: (params: unknown) => void): void;
  /** Says `shutdown` and `exit`. */
  stop(timeoutMs: number): Promise<void>;
}

const kept = new Set([
  "textDocument/didOpen",
  "textDocument/didChange",
  "textDocument/didSave",
  "textDocument/didClose",
  "workspace/didChangeWorkspaceFolders",
]);

class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const method = "registrationType" in feature ? feature.registrationType.method : "";
    if (feature instanceof Handshake || kept.has(method)) super.registerFeature(feature);
  }

  // All documents are told at once, so which of them are visible is never asked; the original would listen for it for ever.
  override get visibleDocuments(): LanguageClient["visibleDocuments"] {
    const none = () => ({ dispose() {} });
    return { isActive: () => true, isVisible: () => true, getResources: () => new Set(), onOpen: none, onClose: none } as never;
  }

  /** Whether the process is gone, or cannot be heard or told anything any more. */
  broken = (): boolean => false;

  // The state `failed` tells the user; these are for the log. What cannot be sent to a process that is gone is no error.
  override error(message: string, data?: unknown): void {
    if (this.broken()) this.outputChannel.debug(data instanceof Error ? `${message} ${data.message}` : message);
    else super.error(message, data, false);
  }
  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }
  override info(message: string, data?: unknown): void {
    super.info(message, data, false);
  }
}

/** Announces what this client can do, and takes back what the base class says of features that are off. */
class Handshake implements StaticFeature {
  constructor(private readonly clined: ClinedClient) {}
  fillInitializeParams(params: InitializeParams): void {
    const folders = (workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
    params.workspaceFolders = folders.map((folder) => ({ uri: folder.uri.toString(), name: folder.name }));
  }
  fillClientCapabilities(capabilities: InitializeParams["capabilities"]): void {
    capabilities.experimental = { clined: this.clined };
    capabilities.workspace = {
      applyEdit: true,
      workspaceFolders: true,
      workspaceEdit: { documentChanges: true, resourceOperations: ["rename", "delete"] },
    };
    capabilities.textDocument = { synchronization: { didSave: true } };
    delete capabilities.notebookDocument;
  }
  initialize(): void {}
  getState(): ReturnType<StaticFeature["getState"]> {
    return { kind: "static" };
  }
  clear(): void {}
}

export function connect(o: LinkOptions): Link {
  const ended = new AbortController();
  const client = new Client(
    "clined",
    "clined",
    () => Promise.resolve({ reader: wholes(o.reader), writer: new StreamMessageWriter(o.writer), detached: true }),
    {
      documentSelector: [{ scheme: "file" }],
      outputChannel: o.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({ clined: o.settings() }),
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (error, message) => {
          // Those with a code come from a pipe that broke: the process has ended, and its end tells more.
          if (message === undefined && !("code" in error)) o.garbled();
          return { action: ErrorAction.Continue, handled: true };
        },
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true, message: "the connection to clined has ended" }),
      },
      middleware: { workspace: { handleApplyEdit: (params, next) => applyEdit(params, next, ended.signal).finally(o.edited) } },
    },
  );
  client.broken = () => o.writer.destroyed || o.reader.destroyed || o.reader.readableEnded;
  client.registerFeature(new Handshake(o.clined));
  return {
    start: async () => {
      await client.start();
      return client.initializeResult as InitializeResult;
    },
    // An argument that is there but undefined counts as one more parameter.
    request: (method, params, token) => (token ? client.sendRequest(method, params, token) : client.sendRequest(method, params)),
    notify: (method, params) => {
      if (client.state === State.Running) client.sendNotification(method, params).catch((error: Error) => o.log.debug(`${method}: ${error.message}`));
    },
    onRequest: (method, handler) => void client.onRequest(method, handler),
    onNotification: (method, handler) => void client.onNotification(method, handler),
    stop: (timeoutMs) => {
      ended.abort();
      return client.stop(timeoutMs);
    },
  };
}
