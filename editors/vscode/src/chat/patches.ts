// Finished edits as read-only documents: the unified diff of a call, to be looked at when its diff editor is gone.

import { Uri, window, workspace, type Disposable } from "vscode";

const scheme = "clined-patch";
const kept = 50;

export class Patches implements Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration = workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? "This diff is not kept any more: show it again from the chat.\n",
  });
  private last = 0;

  async show(title: string, diff: string): Promise<void> {
    const uri = this.put(title, diff);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: true });
  }

  private put(title: string, diff: string): Uri {
    for (const [uri, text] of this.texts) if (text === diff) return Uri.parse(uri);
    const name = title.replaceAll(/[\\/]+/g, "-").slice(0, 100) || "edit";
    const uri = Uri.from({ scheme, path: `/${name}.diff`, query: String(++this.last) });
    this.texts.set(uri.toString(), diff);
    const [oldest] = this.texts.keys();
    if (this.texts.size > kept && oldest !== undefined) this.texts.delete(oldest);
    return uri;
  }

  dispose(): void {
    this.registration.dispose();
    this.texts.clear();
  }
}
