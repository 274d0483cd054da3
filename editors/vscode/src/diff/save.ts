// Puts a text into a file as the user would: into its buffer as one step of undo, then saved with all that the user has VS
// Code do on save. Where that fails, file and buffer are as they were.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { FileSystemError, Range, Uri, workspace, WorkspaceEdit, type TextDocument } from "vscode";
import type { DiffSaveResult } from "../protocol/generated";
import { minimalEdits } from "./edits";
import { soon } from "../daemon/soon";
import { plain } from "./text";

/** How long a save may take; the daemon gives up after thirty seconds. */
const mostMs = 28_000;

export async function saveText(file: Uri, base: string, text: string, create: boolean): Promise<DiffSaveResult> {
  const exists = await isThere(file);
  if (!exists && !create) return { error: "the file is not there any more" };
  if (exists && (await isReadonly(file))) return { error: "the file is read-only" };
  const made = exists ? [] : await makeFile(file);
  let result: DiffSaveResult;
  try {
    result = await saveBuffer(file, base, text);
  } catch (error) {
    result = { error: error instanceof Error ? error.message : String(error) };
  }
  if (result.error !== undefined || result.text !== undefined) await unmake(made);
  return result;
}

async function saveBuffer(file: Uri, base: string, text: string): Promise<DiffSaveResult> {
  const document = await workspace.openTextDocument(file);
  const before = plain(document.getText());
  if (before !== base) return { text: before };
  if (!(await canEncode(document, text))) return { error: `VS Code would save it as ${document.encoding}, which has not all of its characters` };
  const wasDirty = document.isDirty;
  // VS Code would refuse to save over what it has not read, in a message that outlives the answer.
  if (!wasDirty && (await onDisk(document)) !== before) return { error: "the file on the disk is another than VS Code shows" };
  if (!(await replace(document, before, text))) {
    const now = plain(document.getText());
    return now === base ? { error: "VS Code did not take the change" } : { text: now };
  }
  if (document.isDirty || document.isUntitled) {
    let saved = false;
    const ended = await soon(
      document.save().then((yes) => (saved = yes)),
      mostMs,
    );
    if (!saved) {
      await takeBack(document, before, text, wasDirty);
      return { error: ended ? "VS Code could not save it" : "saving takes too long" };
    }
  }
  await new Promise(setImmediate); // what tells the daemon of the buffer goes first
  return { userText: text, finalText: plain(document.getText()) };
}

/** Makes the text the document's. It fails when the document changed meanwhile. */
async function replace(document: TextDocument, before: string, text: string): Promise<boolean> {
  if (before === text) return true;
  const edit = new WorkspaceEdit();
  for (const e of minimalEdits(before, text)) {
    edit.replace(document.uri, new Range(e.startLine, e.startCharacter, e.endLine, e.endCharacter), e.text);
  }
  return workspace.applyEdit(edit);
}

async function onDisk({ uri, encoding }: TextDocument): Promise<string> {
  return plain(await workspace.decode(await workspace.fs.readFile(uri), { encoding }));
}

/** Whether the encoding that VS Code has the file in can hold the text. */
async function canEncode(document: TextDocument, text: string): Promise<boolean> {
  const { encoding } = document;
  if (/^utf/.test(encoding)) return true;
  const bytes = await workspace.encode(text, { encoding });
  return (await workspace.decode(bytes, { encoding })) === text;
}

/** A buffer whose save failed gets its text back, if it still is what was put into it. */
async function takeBack(document: TextDocument, before: string, text: string, wasDirty: boolean): Promise<void> {
  const now = plain(document.getText());
  if (document.isClosed || now === before) return;
  if (now !== text && wasDirty) return; // whatever it is, it may be work
  await replace(document, now, before);
}

async function isThere(file: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(file);
    return true;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "FileNotFound") return false;
    throw error;
  }
}

/** VS Code would ask whether to try with more rights, in a message that outlives the answer. */
async function isReadonly(file: Uri): Promise<boolean> {
  if (file.scheme !== "file") return false;
  return access(file.fsPath, constants.W_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "EACCES" || error.code === "EROFS" || error.code === "EPERM",
  );
}

/** Makes an empty file with its folders; what was made, the file first. */
async function makeFile(file: Uri): Promise<Uri[]> {
  const made = [file];
  for (let folder = parent(file); !(await isThere(folder)) && folder.path !== parent(folder).path; folder = parent(folder)) {
    made.push(folder);
  }
  await workspace.fs.writeFile(file, new Uint8Array());
  return made;
}

async function unmake(made: readonly Uri[]): Promise<void> {
  const [file, ...folders] = made;
  if (file === undefined) return;
  try {
    if ((await workspace.fs.stat(file)).size === 0) await workspace.fs.delete(file);
    for (const folder of folders) {
      if ((await workspace.fs.readDirectory(folder)).length > 0) return;
      await workspace.fs.delete(folder, { recursive: false });
    }
  } catch {
    // Somebody else took it away, or put something there.
  }
}

const parent = (uri: Uri): Uri => uri.with({ path: dirname(uri.path) });
