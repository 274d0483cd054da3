// The diff views of this window: answers the daemon's `clined/diff` requests with VS Code's own diff editor. It owns the
// documents and tabs of proposals and which hunks are left out. A file is touched by `save` alone; nothing is decided here.

import { Disposable, EventEmitter, Uri, window, workspace, type TextDocument } from "vscode";
import { hunksOf } from "../chat/approval";
import type { ShownApproval } from "../chat/messages";
import type { Daemon } from "../daemon/api";
import type { DecisionDesk, Proposals as Shown } from "../decisions/desk";
import type { ApprovalRequestParams, DiffOpenParams, DiffOpenResult, DiffSaveResult } from "../protocol/generated";
import { placeIn, showFile } from "./after";
import { Choices, fileOf } from "./choice";
import { Mark } from "./follow";
import { kept, placeHunks, type PlacedHunk } from "./hunks";
import { Bases, Proposals } from "./proposals";
import { saveText } from "./save";
import { proposalScheme } from "./schemes";
import { soon } from "../daemon/soon";
import { ghosts, isInFront, proposalOf, tabsOf } from "./tabs";
import { firstChange, hash, plain, unholdable } from "./text";
import { Typing } from "./typing";
import { View } from "./view";

/** The daemon gives up after fifteen seconds, and then opens no view for a minute. A cold window takes several. */
const openMs = 13_000;

export class Diffs implements Shown, Disposable {
  private readonly views = new Map<string, View>();
  private readonly proposals = new Proposals();
  private readonly bases = new Bases();
  private readonly typing = new Typing();
  private readonly changed = new EventEmitter<void>();
  private readonly mark = new Mark();
  private readonly disposables: Disposable[];
  private looking: NodeJS.Timeout | undefined;
  readonly choices = new Choices();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly daemon: Daemon,
    private readonly desk: DecisionDesk,
    private readonly failed: (error: unknown) => void,
    /** Tells the daemon what is on the screen now: what the model is told next must not show it as it was before. */
    private readonly settled: () => void,
  ) {
    this.disposables = [
      this.proposals,
      this.bases,
      this.typing,
      this.mark,
      this.changed,
      this.choices,
      this.choices.onDidChange(() => this.changed.fire()),
      daemon.handle("clined/diff/open", (params) => this.open(params)),
      daemon.on("clined/diff/update", (params) => this.views.get(params.diffId)?.update(params)),
      daemon.handle("clined/diff/finalize", async ({ diffId, newText }) => ({ textHash: await this.get(diffId).finalize(newText) })),
      daemon.handle("clined/diff/save", ({ diffId, text }) => this.save(diffId, text)),
      daemon.handle("clined/diff/close", async ({ diffId, revert }) => {
        await this.close(diffId, revert !== true);
        this.settled();
        return {};
      }),
      daemon.handle("clined/diff/reveal", async ({ diffId, line }) => {
        const view = this.get(diffId);
        if (this.typing.now) view.behind = true;
        else await view.reveal(line);
        return {};
      }),
      daemon.onDidChangeState((state) => {
        if (state.kind === "stopped" || state.kind === "failed") this.clear();
      }),
      workspace.onDidChangeTextDocument(({ document }) => this.viewOf(document.uri)?.changed()),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.viewOf(textEditor.document.uri)?.scrolled()),
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        // A tab that moves to another group is closed here and opened there.
        if (closed.some((tab) => proposalOf(tab) !== undefined)) this.lookSoon();
      }),
      this.typing.onDidPause(() => this.bringToFront()),
      desk.onDidChange(() => this.forgetDecided()),
    ];
    void closeGhosts().catch(failed);
  }

  dispose(): void {
    clearTimeout(this.looking);
    this.clear();
    for (const one of this.disposables) one.dispose();
  }

  viewOf(uri: Uri): View | undefined {
    return uri.scheme === proposalScheme ? this.views.get(uri.query) : undefined;
  }

  proposalUri(diffId: string | undefined): string | undefined {
    return this.views.get(diffId ?? "")?.proposal.toString();
  }

  /** For the chat: brings a diff to the front and gives it the keyboard; false when there is none. */
  async reveal(diffId: string): Promise<boolean> {
    const view = this.views.get(diffId);
    if (view === undefined) return false;
    await view.reveal(firstChange(view.base, view.text));
    return true;
  }

  /** Where the hunks of a view's file are now; undefined when nothing is to be decided about it. */
  hunksIn(view: View): { request: ShownApproval; hunks: PlacedHunk[] } | undefined {
    const request = this.desk.approvalOf(view.id);
    const file = request && fileOf(request, view.id);
    if (request === undefined || file === undefined) return undefined;
    return { request, hunks: placeHunks(file.hunks ?? [], view.base, view.told, view.text) };
  }

  // What approvals show and take of the views.

  shown(request: ShownApproval): ShownApproval["shown"] {
    const views = this.viewsOf(request);
    const refused = [...this.choices.refusedOf(request.approvalId)];
    if (views.length === 0 && refused.length === 0 && request.shown === undefined) return undefined;
    return {
      edited: views.some((view) => view.isEdited),
      refusedHunks: refused,
      hunks: hunksOf(request).length,
    };
  }

  flush(request: ApprovalRequestParams): void {
    for (const view of this.viewsOf(request)) view.flush();
  }

  kept(request: ApprovalRequestParams): string[] | undefined {
    return kept(
      hunksOf(request).map((hunk) => hunk.id),
      this.choices.refusedOf(request.approvalId),
    );
  }

  choose(request: ApprovalRequestParams, hunk: string, taken: boolean): void {
    if (hunksOf(request).some(({ id }) => id === hunk)) this.choices.set(request.approvalId, [hunk], !taken);
  }

  private viewsOf(request: ApprovalRequestParams): View[] {
    return (request.subject.files ?? []).flatMap((file) => this.views.get(file.diffId ?? "") ?? []);
  }

  private get(diffId: string): View {
    const view = this.views.get(diffId);
    if (view === undefined || view.left) throw new Error("that view is closed");
    return view;
  }

  private async open(params: DiffOpenParams): Promise<DiffOpenResult> {
    if (unholdable(params.baseText) || unholdable(params.newText)) return { opened: false };
    const buffer = openDocument(Uri.parse(params.uri, true));
    const there = buffer && plain(buffer.getText());
    const base = there ?? params.baseText;
    const view = new View(params, base, {
      proposals: this.proposals,
      bases: this.bases,
      mark: this.mark,
      onEdit: ({ id }, text) => this.daemon.notify("clined/diff/didChange", { diffId: id, text }),
      onChange: () => this.changed.fire(),
      isTyping: () => this.typing.now,
    });
    this.views.set(view.id, view);
    const opened = await soon(view.open(), openMs).catch((error: unknown) => (this.failed(error), false));
    if (opened === false || !this.views.has(view.id)) {
      this.views.delete(view.id);
      await view.close();
      return { opened: false };
    }
    this.changed.fire();
    if (buffer === undefined || there === undefined || there === params.baseText) return { opened: true };
    // What is not unsaved is what was read from the disk.
    return { opened: true, text: there, dirty: buffer.isDirty, ...(buffer.isDirty ? {} : { diskHash: hash(there) }) };
  }

  private async save(diffId: string, text: string | undefined): Promise<DiffSaveResult> {
    const view = this.get(diffId);
    view.flush();
    const userText = text ?? view.text;
    const result = await this.typing.without(view.file, () => saveText(view.file, view.base, userText, view.params.op === "create"));
    if (result.text !== undefined) view.base = result.text;
    this.settled();
    return result;
  }

  private async close(diffId: string, accepted: boolean): Promise<void> {
    const view = this.views.get(diffId);
    if (view === undefined) return;
    this.views.delete(diffId);
    const place = placeIn(view);
    const seen = await view.close();
    this.changed.fire();
    if (accepted && seen !== undefined && view.params.op !== "delete") await showFile(view, place, seen);
  }

  private lookSoon(): void {
    clearTimeout(this.looking);
    this.looking = setTimeout(() => this.lookForLeft(), 50);
  }

  /** Views whose tabs the user closed. What they made of the proposal counts; the view can be had again while it is asked about. */
  private lookForLeft(): void {
    for (const view of this.views.values()) {
      if (view.left || !view.shown || tabsOf(view.proposal).length > 0) continue;
      view.leave();
      this.daemon.notify("clined/diff/didClose", { diffId: view.id });
      if (this.desk.approvalOf(view.id) === undefined) this.drop(view);
      this.changed.fire();
    }
  }

  private forgetDecided(): void {
    for (const view of this.views.values()) if (view.left && this.desk.approvalOf(view.id) === undefined) void view.close().then(() => this.drop(view), this.failed);
    this.choices.retain((id) => this.desk.approval(id) !== undefined);
    this.bringToFront();
  }

  /** A diff that is asked about comes before the user's eyes, once they do not type. */
  private bringToFront(): void {
    if (this.typing.now) return;
    for (const decision of this.desk.open) {
      if (decision.kind !== "approval") continue;
      const behind = this.viewsOf(decision.request).filter((view) => view.behind && !view.left);
      for (const view of behind) view.behind = false;
      const [first] = behind;
      if (first === undefined || isInFront(first.proposal)) continue;
      first.reveal(firstChange(first.base, first.text)).catch(this.failed);
      return;
    }
  }

  private drop(view: View): void {
    this.views.delete(view.id);
    view.dispose();
  }

  /** The daemon is gone: nothing of its proposals is to stay. */
  private clear(): void {
    const views = [...this.views.values()];
    this.views.clear();
    for (const view of views) view.close().catch(this.failed);
    if (views.length > 0) this.changed.fire();
  }
}

function openDocument(uri: Uri): TextDocument | undefined {
  const wanted = uri.toString();
  return workspace.textDocuments.find((document) => document.uri.toString() === wanted && !document.isClosed);
}

/** Tabs of an earlier window show proposals that are gone. */
async function closeGhosts(): Promise<void> {
  const tabs = ghosts();
  if (tabs.length > 0) await window.tabGroups.close(tabs, true);
}
