// Keeps a proposal that the user edits from ever being unsaved for long: it is saved into memory whenever they pause, so that
// closing it asks nothing. What the user has VS Code do on save is for the file, not for the proposal: it is taken back here.

import { workspace, type ConfigurationScope, type TextDocument, type Uri } from "vscode";
import { realClock, type Clock } from "./pump";
import { plain } from "./text";

/** The daemon hears of edits after a pause as short as a word. */
const tellMs = 120;
const keepMs = 300;
/** Where saving changes the text, it waits until the user is surely not typing. */
const keepCarefullyMs = 1500;

export interface KeeperPort {
  /** Shows a text in place of what saving made of it. */
  restore(text: string): void;
  /** The user's text. */
  edited(text: string): void;
}

export class Keeper {
  /** What the daemon knows. */
  private known: string | undefined;
  private untold: string | undefined;
  private stopTelling: (() => void) | undefined;
  private stopKeeping: (() => void) | undefined;
  /** What the user had when saving began. */
  private saving: string | undefined;

  constructor(
    private readonly uri: Uri,
    private readonly port: KeeperPort,
    private readonly clock: Clock = realClock,
  ) {}

  /** The proposal is this from now on, and the user's to change. */
  begin(text: string): void {
    this.known = text;
    this.untold = undefined;
  }

  /** The document has this text now. */
  changed(text: string): void {
    if (this.saving !== undefined) return; // saving's doing, as it seems; looked at when it is done
    if (text === (this.untold ?? this.known)) return;
    this.untold = text;
    this.stopTelling ??= this.clock.after(tellMs, () => this.flush());
    this.stopKeeping?.();
    this.stopKeeping = this.clock.after(this.savingChanges() ? keepCarefullyMs : keepMs, () => void this.keep());
  }

  flush(): void {
    this.stopTelling?.();
    this.stopTelling = undefined;
    const text = this.untold;
    this.untold = undefined;
    if (text === undefined || text === this.known) return;
    this.known = text;
    this.port.edited(text);
  }

  /** Saves the document into memory if need be. */
  async keep(): Promise<void> {
    this.stopKeeping?.();
    this.stopKeeping = undefined;
    const document = this.document;
    if (document === undefined || !document.isDirty || this.saving !== undefined) return;
    const text = plain(document.getText());
    this.saving = text;
    try {
      await document.save();
    } finally {
      this.saving = undefined;
    }
    if (document.isClosed || plain(document.getText()) === text) return;
    if (document.isDirty) this.changed(plain(document.getText()));
    else this.port.restore(text);
  }

  dispose(): void {
    this.stopTelling?.();
    this.stopKeeping?.();
  }

  private get document(): TextDocument | undefined {
    const wanted = this.uri.toString();
    return workspace.textDocuments.find((d) => d.uri.toString() === wanted);
  }

  private savingChanges(): boolean {
    const scope: ConfigurationScope = this.document ?? this.uri;
    const files = workspace.getConfiguration("files", scope);
    const editor = workspace.getConfiguration("editor", scope);
    const actions = editor.get<Record<string, unknown> | unknown[]>("codeActionsOnSave") ?? {};
    return (
      ["trimTrailingWhitespace", "insertFinalNewline", "trimFinalNewlines"].some((key) => files.get(key) === true) ||
      editor.get("formatOnSave") === true ||
      Object.keys(actions).length > 0
    );
  }
}
