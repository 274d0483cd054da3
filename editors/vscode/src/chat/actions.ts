// What the chat asks of VS Code itself: open files, diffs and pages, put text somewhere, save an export. Each that cannot be
// done says why in a message.

import { statSync } from "node:fs";
import { commands, env, Range, Uri, window, workspace } from "vscode";
import type { Daemon } from "../daemon/api";
import { Failure } from "../daemon/failure";
import { locate } from "./locate";
import type { ToHost } from "./messages";
import type { Patches } from "./patches";
import type { Diffs } from "./ports";
import { say } from "./tell";

type Message<T extends ToHost["type"]> = Extract<ToHost, { type: T }>;

/** Opens a file at a line, which is clamped to the file; a folder is shown in the explorer. */
export async function openFile({ path, line }: Pick<Message<"openFile">, "path" | "line">, folders: readonly string[]): Promise<void> {
  const place = locate(path, folders);
  if (place === undefined) {
    void say("warning", `There is no file ${path} in the folders of this task.`);
    return;
  }
  const uri = Uri.file(place.path);
  const kind = statSync(place.path);
  // A pipe or a device would be read without end.
  if (!kind.isFile() && !kind.isDirectory()) {
    void say("warning", `${path} is no file that could be shown.`);
    return;
  }
  if (kind.isDirectory()) {
    await commands.executeCommand("revealInExplorer", uri);
    return;
  }
  let document;
  try {
    document = await workspace.openTextDocument(uri);
  } catch {
    // An image, or another file that is no text: VS Code knows an editor for it, or says so.
    await commands.executeCommand("vscode.open", uri);
    return;
  }
  const at = line ?? place.line;
  const row = at === undefined ? undefined : Math.min(Math.max(0, Math.trunc(at)), document.lineCount - 1);
  await window.showTextDocument(document, row === undefined ? {} : { selection: new Range(row, 0, row, 0) });
}

const schemes = new Set(["http", "https", "mailto"]);

/** Opens a page or a mail; VS Code asks whether to. */
export async function openExternal(url: string): Promise<void> {
  const uri = Uri.parse(url);
  if (schemes.has(uri.scheme)) await env.openExternal(uri);
  else void say("warning", `clined opens no links of the kind “${uri.scheme}:”: ${url}`);
}

export async function showDiff({ diffId, title, diff }: Message<"showDiff">, diffs: Diffs, patches: Patches): Promise<void> {
  if (diffId !== undefined && (await diffs.reveal(diffId))) return;
  if (diff) await patches.show(title, diff);
  else void say("info", `The diff of “${title}” is not open any more.`);
}

/** Puts text in place of the selections of the editor that was used last. */
export async function insert(text: string): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    void say("info", "Open the file that the text should go into first.");
    return;
  }
  const done = await editor.edit((edit) => editor.selections.forEach((selection) => edit.replace(selection, text)));
  if (!done) void say("warning", "The text could not be put into this editor: it cannot be changed.");
  else await window.showTextDocument(editor.document, editor.viewColumn);
}

/** Saves a task where the user says. */
export async function exportTask(daemon: Pick<Daemon, "request">, taskId: string, format: "markdown" | "json"): Promise<void> {
  const { text, fileName } = await daemon.request("clined/task/export", { taskId, format });
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog({
    title: "Save the task",
    ...(folder ? { defaultUri: Uri.joinPath(folder, fileName) } : { defaultUri: Uri.file(fileName) }),
    filters: format === "json" ? { JSON: ["json"] } : { Markdown: ["md"] },
  });
  if (target === undefined) return;
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = await say("info", `The task was saved as ${workspace.asRelativePath(target)}.`, "Open");
  if (open !== undefined) await commands.executeCommand("vscode.open", target);
}

export function hasFolder(): boolean {
  return (workspace.workspaceFolders ?? []).some((folder) => folder.uri.scheme === "file");
}

/** A task works in folders of this machine: in a window without one it cannot begin. */
export async function refuseWithoutFolder(): Promise<never> {
  const open = "Open Folder…";
  const isElsewhere = (workspace.workspaceFolders ?? []).length > 0;
  const needed = isElsewhere ? "clined works on files of this machine, and this workspace is elsewhere: open a folder." : "clined works in a folder: open one first.";
  void say("warning", needed, open).then((said) => {
    if (said === open) void commands.executeCommand("workbench.action.files.openFolder");
  });
  throw new Failure(isElsewhere ? "no folder of this machine is open" : "no folder is open", "open the folder that clined is to work in", []);
}
