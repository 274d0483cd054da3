// A document that was edited for the daemon, which then writes the file itself: VS Code calls it unsaved though the disk has the
// same text. It is saved once that is so, for VS Code lets a save of what is there already through.

import { workspace, type TextDocument, type Uri } from "vscode";

/** When the disk is looked at, in milliseconds after the edit and after one another. */
const looks = [50, 100, 200, 400, 800, 1600];
/** VS Code compares no more than its first chunks with the disk, and calls the rest a conflict. */
const most = 64 << 10;

/** Resolves when it is saved, or nothing is to be done about it. Its user's typing, a save that would change it, and `signal` end it. */
export async function saveOnceWritten(uri: Uri, signal: AbortSignal): Promise<void> {
  const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document === undefined || !document.isDirty || !isSavedAsIs(document)) return;
  const { version } = document;
  const text = Buffer.from(document.getText());
  if (text.length > most) return;
  for (const ms of looks) {
    await pause(ms, signal);
    const isTheirs = () => signal.aborted || document.isClosed || !document.isDirty || document.version !== version;
    if (isTheirs()) return;
    const disk = await Promise.resolve(workspace.fs.readFile(uri)).catch(() => undefined);
    if (disk === undefined || !text.equals(disk)) continue;
    if (!isTheirs()) await document.save();
    return;
  }
}

/** Whether nothing is set that changes a text when it is saved: the disk would have another then, which is a conflict. */
function isSavedAsIs(document: TextDocument): boolean {
  const editor = workspace.getConfiguration("editor", document);
  const files = workspace.getConfiguration("files", document);
  if (editor.get("formatOnSave", false) || Object.keys(editor.get("codeActionsOnSave", {})).length > 0) return false;
  return !["trimTrailingWhitespace", "insertFinalNewline", "trimFinalNewlines"].some((key) => files.get(key, false));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
