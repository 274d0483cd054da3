// The documents of diff views: the proposed side is a small file system in memory, so that it can be edited and is never
// unsaved for long; the base is read-only text. Nothing here touches the disk.

import {
  Disposable,
  EventEmitter,
  FileChangeType,
  FilePermission,
  FileSystemError,
  FileType,
  Uri,
  workspace,
  WorkspaceEdit,
  type FileChangeEvent,
  type FileStat,
  type FileSystemProvider,
  type TextDocument,
  type TextDocumentContentProvider,
} from "vscode";
import { baseScheme, proposalScheme } from "./schemes";
import { plain } from "./text";

interface Proposal {
  text: string;
  readonly: boolean;
  ctime: number;
  mtime: number;
}

/** With a byte order mark where VS Code would read it in another encoding, which the user's files have. */
function encode(uri: Uri, text: string): Uint8Array {
  const files = workspace.getConfiguration("files", uri);
  const asIs = files.get("encoding") === "utf8" && files.get("autoGuessEncoding") !== true;
  return Buffer.from(asIs ? text : "\ufeff" + text, "utf8");
}

export class Proposals implements FileSystemProvider, Disposable {
  private readonly files = new Map<string, Proposal>();
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  private readonly registration: Disposable;
  readonly onDidChangeFile = this.changed.event;

  constructor() {
    const options = { isCaseSensitive: true };
    this.registration = workspace.registerFileSystemProvider(proposalScheme, this, options);
  }

  /** The proposed side of a file, one for each diff. */
  static uri(file: Uri, diffId: string): Uri {
    return Uri.from({ scheme: proposalScheme, path: file.path, query: diffId });
  }

  add(uri: Uri, text: string, readonly: boolean): void {
    const now = Date.now();
    this.files.set(uri.toString(), { text, readonly, ctime: now, mtime: now });
  }

  /** What documents show from now on, unless they have unsaved changes. */
  set(uri: Uri, text: string, readonly: boolean): void {
    const file = this.get(uri);
    file.text = text;
    file.readonly = readonly;
    // What has not become newer is not read again.
    file.mtime = Math.max(Date.now(), file.mtime + 1);
    this.changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

  /**
   * Has VS Code take a document for saved as it is now, without what the user has it do on save: it lets unsaved changes go,
   * and keeps the text, before it asks a file system to delete a file; this one refuses then.
   */
  async clean(document: TextDocument): Promise<void> {
    const file = this.files.get(document.uri.toString());
    if (file === undefined) return;
    file.text = plain(document.getText());
    const edit = new WorkspaceEdit();
    edit.deleteFile(document.uri, { ignoreIfNotExists: true });
    await workspace.applyEdit(edit);
    if (document.isDirty && !document.isClosed && plain(document.getText()) === file.text) await document.save();
  }

  remove(uri: Uri): void {
    this.files.delete(uri.toString());
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }

  stat(uri: Uri): FileStat {
    const { ctime, mtime, text, readonly } = this.get(uri);
    return {
      type: FileType.File,
      ctime,
      mtime,
      size: Buffer.byteLength(text),
      permissions: readonly ? FilePermission.Readonly : undefined,
    };
  }

  readFile(uri: Uri): Uint8Array {
    return encode(uri, this.get(uri).text);
  }

  writeFile(uri: Uri, content: Uint8Array): void {
    const file = this.get(uri);
    if (file.readonly) throw FileSystemError.NoPermissions(uri);
    file.text = plain(Buffer.from(content).toString("utf8"));
    file.mtime = Math.max(Date.now(), file.mtime + 1);
  }

  watch(): Disposable {
    return new Disposable(() => {});
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(from: Uri): void {
    throw FileSystemError.NoPermissions(from);
  }

  private get(uri: Uri): Proposal {
    const file = this.files.get(uri.toString());
    if (file === undefined) throw FileSystemError.FileNotFound(uri);
    return file;
  }
}

export class Bases implements TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration: Disposable;

  constructor() {
    this.registration = workspace.registerTextDocumentContentProvider(baseScheme, this);
  }

  static uri(file: Uri, diffId: string): Uri {
    return Uri.from({ scheme: baseScheme, path: file.path, query: diffId });
  }

  add(uri: Uri, text: string): void {
    this.texts.set(uri.toString(), text);
  }

  remove(uri: Uri): void {
    this.texts.delete(uri.toString());
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  dispose(): void {
    this.registration.dispose();
  }
}
