// A window of VS Code as a front of the conformance program: each verb is what a person does there, by mouse and keyboard, and
// the state is what they see. Here is what is done in the chat; editors.ts has the rest.

import { type BrowserContext, type Locator } from "playwright-core";
import { dirname } from "node:path";
import { processesWith, until } from "../e2e/harness/processes";
import { Workbench } from "../e2e/harness/workbench";
import { Editors, peerOf } from "./editors";
import type { Action, State, Task } from "./protocol";
import { keepRules, readChat, readHistory, type Shown } from "./screen";
import type { Stage } from "./stage";

/** Longer than our extension keeps back what changed. */
const quietMs = 400;

/** How long `state` waits for a change. */
const stateMs = 1000;

export class Front extends Workbench {
  private readonly editors: Editors;
  private readonly notices: string[] = [];
  private history: Task[] = [];
  private rev = 0;
  private last = "";

  private constructor(
    private readonly profile: BrowserContext,
    workspace: string,
    /** The processes that it started as clined. */
    private readonly daemons: () => { pid: number }[],
  ) {
    super(profile);
    this.editors = new Editors(this, workspace);
  }

  /** Opens a folder in a fresh profile, and the chat in it. */
  static async open(stage: Stage, { clined = "", workspace = "", format }: Action): Promise<Front> {
    const habits = format ? { "files.trimTrailingWhitespace": true, "files.insertFinalNewline": true } : {};
    const profile = await stage.profile({ "clined.path": clined, "peer.socket": peerOf(workspace), ...habits });
    const daemons = () => processesWith(`CLINED_E2E=${stage.root}`).filter(({ command }) => command.includes(dirname(clined)));
    const front = new Front(profile, workspace, daemons);
    try {
      await front.goto(`${stage.address}/?folder=${encodeURIComponent(workspace)}`);
      await front.openChat();
      await until("the chat", async () => (await front.shown()).page === "chat" || (await front.in("daemon-problem").count()) > 0);
      await until("the peer", () => front.editors.held().catch(() => undefined));
      return front;
    } catch (error) {
      await front.close().catch(() => {});
      throw error;
    }
  }

  /** Closes the window as a user does, with which clined has to end. */
  async close(): Promise<void> {
    await this.page.goto("about:blank");
    await this.profile.close();
    await until("the end of clined with its window", () => this.daemons().length === 0, 8_000).finally(() => {
      for (const { pid } of this.daemons()) process.kill(pid, "SIGKILL");
    });
  }

  readonly verbs: Record<string, (action: Action) => Promise<void>> = {
    restart: () => this.restart(),
    prompt: (a) => this.prompt(a.text ?? "", a.how),
    approve: (a) => this.approve(a),
    reject: (a) => this.reject(a),
    editDiff: (a) => this.editors.editDiff(a.path ?? "", a.text ?? "").then(() => this.taken()),
    answer: (a) => this.answer(a),
    cancel: () => this.in("stop").click(),
    resume: () => this.in("resume").click(),
    newTask: () => this.newTask(),
    history: () => this.look(),
    openTask: (a) => this.openTask(a.title ?? ""),
    editMessage: (a) => this.editMessage(a.title ?? "", a.text ?? ""),
    type: (a) => this.editors.type(a.path ?? "", a.text ?? "").then(() => this.taken()),
    undo: (a) => this.editors.undo(a.path ?? "").then(() => this.taken()),
    show: (a) => this.editors.show(a.visible ?? [], a.tabs ?? []).then(() => this.taken()),
  };

  /** The state once it is another than `after`, or after a second. */
  async state(after: number): Promise<State> {
    const end = Date.now() + stateMs;
    for (;;) {
      const now = await this.read();
      const text = JSON.stringify(now);
      if (text !== this.last) {
        this.last = text;
        this.rev++;
      }
      if (this.rev !== after || Date.now() >= end) return { rev: this.rev, ...now };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  private async read(): Promise<Omit<State, "rev">> {
    await this.readRules();
    const [{ connected, task, items, pending, troubles }, held, toasts] = await Promise.all([this.shown(), this.editors.held(), this.toasts()]);
    for (const notice of [...troubles, ...toasts]) if (!this.notices.includes(notice)) this.notices.push(notice);
    const named = <T extends { path: string }>(all: T[]): T[] => all.map((one) => ({ ...one, path: this.editors.relative(one.path) }));
    return {
      connected,
      notices: this.notices,
      ...(task ? { task } : {}),
      items,
      pending,
      history: this.history,
      diffs: named(held.diffs),
      buffers: Object.fromEntries(Object.entries(held.texts).map(([path, text]) => [this.editors.relative(path), text])),
      // What broke in our view. VS Code has faults of its own.
      faults: this.console.filter((line) => line.startsWith("uncaught:") && line.includes("clined.clined-")),
    };
  }

  private shown(): Promise<Shown> {
    return this.chat.locator("body").evaluate(readChat);
  }

  private async toasts(): Promise<string[]> {
    const all = await this.page.locator(".notification-toast .notification-list-item-message").allInnerTexts();
    return all.filter((text) => text.includes("clined"));
  }

  /** Opens the menu of "always" of an approval once, whose rules nobody can read otherwise, and closes it again. */
  private async readRules(): Promise<void> {
    const unread = this.chat.locator("[data-testid=approval]:not([data-rules])");
    const menu = unread.getByTestId("always");
    // It takes no click right after it came, and may be decided meanwhile.
    for (let tries = 0; tries < 20 && (await menu.count()) > 0; tries++) {
      try {
        await menu.click({ timeout: 500 });
        await unread.getByRole("menuitem").first().waitFor({ timeout: 500 });
        await unread.evaluate(keepRules, undefined, { timeout: 500 });
        await this.in("always").press("Escape", { timeout: 500 });
      } catch {
        // Once more.
      }
    }
  }

  // The daemon.

  private async restart(): Promise<void> {
    const button = this.in("daemon-problem").getByRole("button", { name: "Restart" });
    if ((await button.count()) > 0) await button.click();
    else await this.command("clined: Restart the Daemon");
  }

  /**
   * Resolves once the daemon has taken what was done in editors: our extension has told it, and answers to what was asked then
   * are there, which come in the same order. The list of tasks is such an answer, and nothing else is done to have it.
   */
  private async taken(): Promise<void> {
    await until("editors to be quiet", async () => (await this.editors.held()).quiet > quietMs);
    if (!(await this.shown()).connected) return;
    await this.openHistory();
    await this.back();
  }

  // The chat.

  private async prompt(text: string, how: Action["how"]): Promise<void> {
    const before = await this.saidTimes(text);
    await this.in("composer").fill(text);
    if (how === "steer") await this.in("composer").press("Control+Enter");
    else if (how === "queue") await this.in("composer").press("Enter");
    else await this.in("send").click();
    await this.heard(text, before);
  }

  private async saidTimes(text: string): Promise<number> {
    return (await this.shown()).items.filter((item) => item.kind === "user" && item.text === text).length;
  }

  /** Waits until what was said is there, and something is made of it. */
  private async heard(text: string, before: number): Promise<void> {
    await until(`"${text}" to be said`, async () => {
      const { items, task, busy, troubles } = await this.shown();
      if (troubles.length > 0) throw new Error(troubles.join("; "));
      const said = items.filter((item) => item.kind === "user" && item.text === text);
      if (busy || said.length <= before) return false;
      return said.at(-1)?.status === "pending" || task?.status !== "completed" || items.at(-1) !== said.at(-1);
    });
  }

  /** The approval or the question that is asked, if it is the one that is meant. */
  private async meant(kind: "approval" | "question", title = ""): Promise<void> {
    const { pending } = await this.shown();
    if (!pending.some((p) => p.kind === kind && p.title.includes(title))) throw new Error(`no ${kind} with "${title}" in its title waits`);
  }

  private async approve({ title, always, hunks }: Action): Promise<void> {
    await this.meant("approval", title);
    const card = this.in("approval");
    if (hunks) {
      const boxes = card.getByRole("checkbox");
      for (let i = 0; i < (await boxes.count()); i++) await boxes.nth(i).setChecked(hunks.includes(i + 1));
    }
    if (!always) return this.decide("approve");
    const rule = card.getByRole("menuitem").first();
    if ((await rule.count()) === 0) await this.in("always").click();
    await rule.click();
  }

  private async reject({ title, text }: Action): Promise<void> {
    await this.meant("approval", title);
    if (text) await this.in("feedback").fill(text);
    await this.decide("reject");
  }

  private async answer({ title, option, text = "" }: Action): Promise<void> {
    await this.meant("question", title);
    if (option) await this.in("ask-option").filter({ hasText: option }).click();
    else {
      await this.in("composer").fill(text);
      await this.in("send").click();
    }
  }

  private async editMessage(title: string, text: string): Promise<void> {
    const message = this.in("message-user").filter({ hasText: title }).last();
    const before = await this.saidTimes(text);
    await message.hover();
    await message.getByTestId("edit-message-begin").click();
    await this.in("edit-field").fill(text);
    await this.in("edit-field").press("Enter");
    await this.heard(text, before);
  }

  private async newTask(): Promise<void> {
    await this.viewAction("New Task").click();
    await this.in("new-task-page").waitFor();
  }

  /** A button in the title bar of our view. */
  private viewAction(label: string): Locator {
    return this.page.locator(`.part.sidebar .title-actions a[aria-label="${label}"]`);
  }

  private async look(): Promise<void> {
    await this.openHistory();
    this.history = await this.chat.locator("body").evaluate(readHistory);
    await this.back();
  }

  /** Shows the list of tasks as it is now. */
  private async openHistory(): Promise<void> {
    await this.viewAction("Show History").click();
    await this.in("history-here").click(); // asks anew
    await this.in("history").locator(".history-search .icon-spin").waitFor({ state: "detached" });
  }

  private async back(): Promise<void> {
    await this.in("back").click();
    await until("the chat", async () => (await this.shown()).page === "chat");
  }

  private async openTask(title: string): Promise<void> {
    await this.openHistory();
    this.history = await this.chat.locator("body").evaluate(readHistory);
    const task = this.in("history-item").filter({ hasText: title }).first();
    if ((await task.count()) === 0) throw new Error(`no task in the list has "${title}" in its title`);
    await task.locator(".history-item-name").click(); // beside what can be done to it
    await until("the task", async () => {
      const shown = await this.shown();
      return shown.page === "chat" && !shown.busy && shown.task;
    });
  }
}
