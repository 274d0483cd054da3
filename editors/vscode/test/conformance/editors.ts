// What a person does in the editors of a window: they open and close files, type, undo, and work on proposals. Texts of editors are
// told by a second extension, the peer: a screen shows neither blanks at line ends nor how the last line ends, and nothing of
// what is in tabs behind.

import { type Locator } from "playwright-core";
import { connect } from "node:net";
import { basename, dirname, join, relative, sep } from "node:path";
import { text as allOf } from "node:stream/consumers";
import { until } from "../e2e/harness/processes";
import type { Workbench } from "../e2e/harness/workbench";
import type { Held } from "./peer/held";

/** Where the peer of a window answers: beside its folder, which no other window has. */
export function peerOf(workspace: string): string {
  return join(dirname(workspace), "peer.sock");
}

export class Editors {
  constructor(
    private readonly vs: Workbench,
    private readonly workspace: string,
  ) {}

  async held(): Promise<Held> {
    const socket = connect(peerOf(this.workspace));
    const answer = JSON.parse(await allOf(socket)) as Held & { error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  relative(path: string): string {
    return relative(this.workspace, path).split(sep).join("/");
  }

  private absolute(path: string): string {
    return join(this.workspace, ...path.split("/"));
  }

  async type(path: string, text: string): Promise<void> {
    await this.bringUp(path);
    await this.retype(this.vs.editor, async () => (await this.held()).texts[this.absolute(path)], text);
  }

  async editDiff(path: string, text: string): Promise<void> {
    const file = this.absolute(path);
    const proposed = async () => (await this.held()).diffs.find((diff) => diff.path === file)?.proposed;
    if ((await proposed()) === undefined) throw new Error(`no diff of ${path} is open`);
    await this.vs.page.locator(`.tabs-container .tab[aria-label^="${basename(path)} (clined"]`).click();
    await this.retype(this.vs.proposed, proposed, text);
  }

  /** Makes this the text of an editor by the keyboard: moves to where they differ, selects what goes, types what comes. */
  private async retype(editor: Locator, read: () => Promise<string | undefined>, text: string): Promise<void> {
    const now = (await read()) ?? "";
    let begin = 0;
    while (begin < Math.min(now.length, text.length) && now[begin] === text[begin]) begin++;
    let same = 0;
    while (same < Math.min(now.length, text.length) - begin && now.at(-1 - same) === text.at(-1 - same)) same++;
    const { keyboard } = this.vs.page;
    await editor.locator(".view-line").first().click();
    await keyboard.press("Control+Home");
    for (let i = 0; i < begin; i++) await keyboard.press("ArrowRight");
    for (let i = begin; i < now.length - same; i++) await keyboard.press("Shift+ArrowRight");
    if (now.length - same > begin && begin === text.length - same) await keyboard.press("Delete");
    await keyboard.type(text.slice(begin, text.length - same));
    await until(`${JSON.stringify(text)} to be typed`, async () => (await read()) === text).catch(async (error: Error) => {
      throw new Error(`${error.message}; it is ${JSON.stringify(await read())}`);
    });
  }

  async undo(path: string): Promise<void> {
    const read = async () => (await this.held()).texts[this.absolute(path)];
    await this.bringUp(path);
    const before = await read();
    await this.vs.editor.locator(".view-line").first().click();
    await this.vs.page.keyboard.press("Control+Z");
    await until("something to be undone", async () => (await read()) !== before);
  }

  /** Puts a file in front, opened if need be. */
  private async bringUp(path: string): Promise<void> {
    const file = this.absolute(path);
    if ((await this.held()).tabs.includes(file)) await this.tabOf(path).click();
    else await this.vs.openFile(path);
    await until(`${path} in front`, async () => (await this.held()).visible.includes(file));
  }

  private tabOf(path: string): Locator {
    return this.vs.tab(basename(path)).and(this.vs.page.locator(`:not([aria-label*="(clined"])`));
  }

  async show(visible: string[], tabs: string[]): Promise<void> {
    const [front, ...beside] = visible;
    if (front === undefined || beside.length > 0) throw new Error("one file is in view");
    const wanted = [...new Set([...tabs, front])];
    for (const path of wanted) await this.bringUp(path);
    for (const file of (await this.held()).tabs) {
      const path = this.relative(file);
      if (wanted.includes(path)) continue;
      await this.tabOf(path).click({ button: "middle" });
      await until(`${path} to be closed`, async () => !(await this.held()).tabs.includes(file));
    }
    await this.bringUp(front);
  }
}
