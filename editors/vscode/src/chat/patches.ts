// Finished edits in VS Code's diff editor, to be looked at when their own view is gone: what the unified diff of a call has of
// both sides, as read-only documents.

import { basename } from "node:path";
import { commands, Uri, window, workspace, type Disposable } from "vscode";
import { parseDiff, type DiffFile } from "../model/diff";

const scheme = "clined-patch";
const kept = 200;
/** Stands for lines that the diff does not have. */
const gap = "⋯";
const words: Record<DiffFile["op"], string> = { modify: "edited", create: "created", delete: "deleted", rename: "moved" };

export class Patches implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? "This diff is not kept any more: show it again from the chat.\n",
  });
  private last = 0;

  async show(title: string, diff: string): Promise<void> {
    const files = parseDiff(diff).filter((file) => file.hunks.length > 0 && file.path !== "");
    const shown = files.map((file) => ({ file, ...sides(file) }));
    const pairs = shown.map(({ file, before, after }) => [this.put(file.from ?? file.path, before), this.put(file.path, after)] as const);
    const [first, ...more] = pairs;
    const [file] = files;
    if (first === undefined || file === undefined) return this.showText(title, diff);
    if (more.length > 0) {
      await commands.executeCommand("vscode.changes", title, pairs.map(([before, after]) => [after, before, after]));
      return;
    }
    const label = `${basename(file.path)} (clined: ${words[file.op]})`;
    await commands.executeCommand("vscode.diff", ...first, label, { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.texts.clear();
  }

  /** What is no diff of lines, such as that of an image. */
  private async showText(title: string, text: string): Promise<void> {
    const document = await workspace.openTextDocument(this.put(`${title.replaceAll(/[\\/]+/g, "-") || "edit"}.diff`, text));
    await window.showTextDocument(document, { preview: true });
  }

  /** The document of a text; shown again it is the same, so that no second tab opens. */
  private put(name: string, text: string): Uri {
    const path = `/${name.replaceAll("\\", "/").replace(/^\/+/, "")}`;
    for (const [known, other] of this.texts) if (other === text && Uri.parse(known).path === path) return Uri.parse(known);
    const uri = Uri.from({ scheme, path, query: String(++this.last) });
    this.texts.set(uri.toString(), text);
    const [oldest] = this.texts.keys();
    if (this.texts.size > kept && oldest !== undefined) this.texts.delete(oldest);
    return uri;
  }
}

/** Both sides of a file as far as its diff tells of them. */
export function sides(file: Pick<DiffFile, "hunks">): { before: string; after: string } {
  const before: string[] = [];
  const after: string[] = [];
  let end = 1;
  for (const hunk of file.hunks) {
    // A hunk that only adds names the line before it.
    const start = hunk.lines.some((line) => line.old !== undefined) ? hunk.oldStart : hunk.oldStart + 1;
    if (start > end) {
      before.push(gap);
      after.push(gap);
    }
    for (const { kind, text } of hunk.lines) {
      if (kind === "same" || kind === "removed") before.push(text);
      if (kind === "same" || kind === "added") after.push(text);
    }
    end = start + hunk.lines.filter((line) => line.old !== undefined).length;
  }
  return { before: before.join("\n"), after: after.join("\n") };
}
