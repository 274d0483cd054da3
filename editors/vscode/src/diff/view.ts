// One diff view: the two sides of an edit, from its opening to its end. It follows what the model writes, then what the user
// makes of it. It decides nothing and never touches the file.

import { basename } from "node:path";
import { languages, Uri, window, workspace, type TextDocument, type TextEditor, type ViewColumn } from "vscode";
import type { DiffOpenParams, DiffUpdateParams } from "../protocol/generated";
import { Follower, type Mark } from "./follow";
import { Bases, Proposals } from "./proposals";
import { Pump } from "./pump";
import { soon } from "../daemon/soon";
import { showDiff, tabsOf } from "./tabs";
import { applyLineEdits, firstChange, hash, plain } from "./text";
import { Keeper } from "./keeper";

/** The daemon waits for fifteen seconds, and then opens no view for a minute. */
const settleMs = 12_000;

/** Where the documents of views live, and who hears of the user's edits. */
export interface Stage {
  proposals: Proposals;
  bases: Bases;
  mark: Mark;
  /** The user made another text of a proposal, or went back to what was proposed. */
  onEdit(view: View, text: string): void;
  /** Something that is shown of it changed. */
  onChange(view: View): void;
  /** Whether the user types somewhere: then nothing comes to the front. */
  isTyping(): boolean;
}

export class View {
  readonly id: string;
  readonly file: Uri;
  readonly target: Uri;
  readonly proposal: Uri;
  readonly baseUri: Uri;
  readonly lookOnly: boolean;
  /** The text that the proposal is made on. */
  base: string;
  /** The proposal is whole, and the user may change it. */
  final = false;
  /** The user closed it, or it is being closed. */
  left = false;
  /** It has been on the screen: its tabs are there unless the user closed them. */
  shown = false;
  /** It is behind other tabs because the user typed when it came. */
  behind = false;
  /** The user decides in it: the keyboard stays where they look. */
  hasKeyboard = false;

  private lines: string[];
  private document: TextDocument | undefined;
  private readonly pump: Pump;
  private readonly follower: Follower;
  private readonly keeper: Keeper;

  constructor(
    readonly params: DiffOpenParams,
    base: string,
    private readonly stage: Stage,
  ) {
    this.id = params.diffId;
    this.file = Uri.parse(params.uri, true);
    this.target = Uri.parse(params.newUri ?? params.uri, true);
    this.lookOnly = params.op === "delete" || params.op === "rename";
    this.base = base;
    this.baseUri = Bases.uri(this.file, this.id);
    this.proposal = Proposals.uri(this.target, this.id);
    this.lines = params.newText.split("\n");
    this.pump = new Pump((text) => this.put(text));
    this.follower = new Follower(() => this.editor, stage.mark);
    this.keeper = new Keeper({
      edited: (text) => this.edited(text),
      clean: async () => {
        if (this.document?.isDirty === true) await stage.proposals.clean(this.document);
      },
    });
  }

  get title(): string {
    const name = basename(this.target.path);
    switch (this.params.op) {
      case "delete":
        return `${name} (clined: to be deleted)`;
      case "rename":
        return `${basename(this.file.path)} → ${name} (clined: to be moved)`;
      case "create":
        return `${name} (clined: new file)`;
      default:
        return `${name} (clined: proposed)`;
    }
  }

  /** What the daemon told of the proposed side last. */
  get told(): string {
    return this.lines.join("\n");
  }

  /** The proposed side as the user left it. */
  get text(): string {
    return this.document === undefined || !this.final ? this.told : plain(this.document.getText());
  }

  get isEdited(): boolean {
    return this.final && this.text !== this.told;
  }

  /** The editor of the proposed side, where it can be seen. */
  get editor(): TextEditor | undefined {
    const wanted = this.proposal.toString();
    return window.visibleTextEditors.find((e) => e.document.uri.toString() === wanted);
  }

  /** Makes the documents and shows them. */
  async open(): Promise<void> {
    const { proposals, bases } = this.stage;
    this.final = this.params.streaming !== true && this.base === plain(this.params.baseText);
    bases.add(this.baseUri, this.base);
    proposals.add(this.proposal, this.told, !this.final || this.lookOnly);
    const [left, right] = await Promise.all([workspace.openTextDocument(this.baseUri), workspace.openTextDocument(this.proposal)]);
    this.document = right;
    this.keeper.begin(this.told);
    await Promise.all([this.speak(left), this.speak(right)]);
    this.behind = this.stage.isTyping();
    await this.show(this.behind);
    this.shown = true;
  }

  private async speak(document: TextDocument): Promise<void> {
    const id = this.params.languageId;
    if (id === undefined || id === "" || id === document.languageId) return;
    if (!(await languages.getLanguages()).includes(id)) return;
    await languages.setTextDocumentLanguage(document, id);
  }

  async show(background = false): Promise<void> {
    await showDiff({ base: this.baseUri, proposal: this.proposal, title: this.title, background });
  }

  /** Takes it to the front, at a line of the proposed side; the cursor stays. */
  async reveal(line?: number): Promise<void> {
    this.behind = false;
    await this.show();
    if (line !== undefined) this.follower.lookAt(line);
  }

  update(params: DiffUpdateParams): void {
    this.reopen();
    applyLineEdits(this.lines, params.edits); // what was lost shows in the hash
    this.pump.push(() => this.told);
    this.follower.writing(params.activeLine);
  }

  /** Ends the stream and tells the hash of what is shown. */
  async finalize(newText: string | undefined): Promise<string> {
    if (newText !== undefined) {
      this.reopen();
      this.lines = newText.split("\n");
    }
    this.final = true;
    this.keeper.begin(this.told);
    this.pump.push(() => this.told);
    await soon(this.pump.settled(), settleMs);
    this.follower.done(firstChange(this.base, this.told));
    this.flush();
    this.stage.onChange(this);
    return hash(this.text);
  }

  /** A final proposal is made anew: what the user made of the old one goes, as the daemon lets it go. */
  private reopen(): void {
    if (!this.final) return;
    this.final = false;
    void this.keeper.keep().then(() => this.pump.push(() => this.told));
  }

  private put(text: string): void {
    this.stage.proposals.set(this.proposal, text, !this.final || this.lookOnly);
    if (this.document !== undefined && plain(this.document.getText()) === text) {
      this.pump.seen(text);
      this.follower.shown();
    }
  }

  /** Its document changed, by the pump or by the user. */
  changed(): void {
    if (this.document === undefined) return;
    const text = plain(this.document.getText());
    if (!this.pump.idle) {
      this.pump.seen(text);
      this.follower.shown();
      return;
    }
    if (this.final && !this.lookOnly) this.keeper.changed(text);
  }

  private edited(text: string): void {
    this.stage.onEdit(this, text);
    this.stage.onChange(this);
  }

  /** Tells what the user made of it so far, before anything is decided about it. */
  flush(): void {
    this.keeper.flush();
  }

  /** What is in view of it changed. */
  scrolled(): void {
    this.follower.scrolled();
  }

  /** The user closed it: it can be looked at again, but what is done to it then is not heard. */
  leave(): void {
    this.flush();
    this.left = true;
    this.stage.proposals.set(this.proposal, this.text, true);
  }

  /** Closes its tabs without a question. Tells in which column it was before the user's eyes. */
  async close(): Promise<ViewColumn | undefined> {
    this.left = true;
    const tabs = tabsOf(this.proposal);
    const seen = tabs.find((tab) => tab.isActive)?.group.viewColumn;
    if (tabs.length > 0) {
      await this.keeper.keep();
      await window.tabGroups.close(tabs);
    }
    this.dispose();
    return seen;
  }

  dispose(): void {
    this.pump.dispose();
    this.keeper.dispose();
    this.follower.dispose();
    this.stage.proposals.remove(this.proposal);
    this.stage.bases.remove(this.baseUri);
  }
}
