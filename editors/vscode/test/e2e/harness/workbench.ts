// Owns how a user's doings in VS Code are done and seen in its page: the workbench, the editors, the notifications, and our
// view. Knows nothing of what is tested.

import { type BrowserContext, type FrameLocator, type Locator, type Page } from "playwright-core";
import { hangGuard, until } from "./processes";

export class Workbench {
  /** The page's console, for what is kept of a failure. */
  readonly console: string[] = [];
  private current: Page | undefined;

  constructor(private readonly context: BrowserContext) {
    context.setDefaultTimeout(hangGuard);
    context.on("console", (message) => this.console.push(`${message.type()}: ${message.text()}`));
    context.on("weberror", (error) => this.console.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  }

  get page(): Page {
    if (!this.current) throw new Error("no page is open");
    return this.current;
  }

  protected async goto(address: string): Promise<void> {
    this.current = await this.context.newPage();
    await this.page.goto(address);
    await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor();
    await this.page.locator('.activitybar a[aria-label^="clined"]').waitFor();
  }

  /** Reloads the window as "Developer: Reload Window" does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /**
   * Resolves when VS Code has these words in what it stores of workspaces. It stores a moment after an extension asked for it, and
   * in a browser it cannot when the window goes.
   */
  async stored(words: string): Promise<void> {
    await until(`VS Code to store ${words}`, () => this.page.evaluate(hasStored, words));
  }

  /** Shows our view by its icon, and resolves when it has content. */
  async openChat(): Promise<void> {
    await this.page.locator('.activitybar a[aria-label^="clined"]').click();
    await this.chatShown();
  }

  /** Resolves when our view has content, as it has again after a reload. */
  async chatShown(): Promise<void> {
    await this.chat.locator("body *").first().waitFor();
  }

  /** The inside of our view, which has to be shown. */
  get chat(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  /** A part of our view by its test id. */
  in(testId: string): Locator {
    return this.chat.getByTestId(testId);
  }

  /** Says something to the agent in our view. */
  async say(text: string): Promise<void> {
    await this.in("composer").locator("textarea, [contenteditable=true]").or(this.in("composer")).last().fill(text);
    await this.in("send").click();
  }

  /** Decides what our view asks; a click right after it came to stand there does not count, so again until one does. */
  async decide(which: "approve" | "reject"): Promise<void> {
    const button = await this.in(which).elementHandle();
    if (!button) throw new Error("nothing is asked");
    const waits = (): Promise<boolean> => button.evaluate((node) => node.isConnected && !(node as HTMLButtonElement).disabled);
    await until(`${which} to count`, async () => {
      await button.click().catch(() => {});
      return !(await waits());
    });
  }

  /** Runs a command by its title, as the command palette shows it. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await input.fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await input.press("Enter");
  }

  /** Opens a file of the workspace in an editor. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press("Control+P");
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await input.fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
    await input.press("Enter");
    await this.tab(name).waitFor();
  }

  /** The tab of an editor by what its label begins with. */
  tab(label: string): Locator {
    return this.page.locator(`.tabs-container .tab[aria-label^="${label}"]`);
  }

  /** A notification that has this text. */
  toast(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast", { hasText: text });
  }

  /** The text editor in front; not one of a diff. */
  get editor(): Locator {
    return this.page.locator(".editor-instance .monaco-editor[role=code]:not(.modified-in-monaco-diff-editor):not(.original-in-monaco-diff-editor)");
  }

  get diff(): Locator {
    return this.page.locator(".editor-instance .monaco-diff-editor");
  }

  /** The proposed side of the diff in front. */
  get proposed(): Locator {
    return this.diff.locator(".editor.modified .monaco-editor");
  }

  /** A button in the title bar of the editor in front. */
  titleAction(label: string): Locator {
    return this.page.locator(`.editor-group-container.active .editor-actions a[aria-label^="${label}"]`);
  }

  /** Puts the cursor at the end of the line that has this text, in an editor or a side of a diff. */
  async cursorAt(editor: Locator, text: string): Promise<void> {
    await editor.locator(".view-line", { hasText: text }).first().click();
    await this.page.keyboard.press("End");
  }
}

// Runs in the page.
async function hasStored(words: string): Promise<boolean> {
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await indexedDB.databases()) {
    if (!name?.startsWith("vscode-web-state-db")) continue;
    const db = await done(indexedDB.open(name));
    const values = await done(db.transaction("ItemTable").objectStore("ItemTable").getAll());
    db.close();
    if (values.some((value) => String(value).includes(words))) return true;
  }
  return false;
}
