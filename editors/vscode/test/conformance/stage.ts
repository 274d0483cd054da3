// The VS Code that fronts are in: one server and one browser for as many windows as wanted, one after the other. Each window has
// a profile of its own: the server's settings are written before it opens, and all else that VS Code remembers is in the
// browser's context, or belongs to the folder.

import { type Browser, type BrowserContext } from "playwright-core";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startTripwire } from "../e2e/harness/network";
import { hangGuard, within } from "../e2e/harness/processes";
import { addressOf, environment, gone, makeRoot, prepare, quiet, removeRoot, startBrowser, startServer, writeUserSettings } from "../e2e/harness/server";

/** Typing gives what was typed, saving is the user's, and a file that is opened stays open beside others. */
const plain = {
  "workbench.editor.enablePreview": false,
  "files.autoSave": "off",
  "editor.autoClosingBrackets": "never",
  "editor.autoClosingQuotes": "never",
  "editor.autoIndent": "none",
  "editor.autoSurround": "never",
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "editor.wordBasedSuggestions": "off",
  "editor.acceptSuggestionOnEnter": "off",
};

export class Stage {
  private constructor(
    readonly root: string,
    readonly address: string,
    private readonly browser: Browser,
    readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<Stage> {
    const root = await makeRoot();
    const started: { end(): Promise<void> }[] = [];
    const end = async (): Promise<void> => {
      for (const it of started.splice(0).reverse()) await within("an end", hangGuard, it.end()).catch(console.error);
      await gone(root).finally(() => removeRoot(root));
    };
    try {
      const wire = await startTripwire();
      started.push(wire);
      await prepare(root);
      await addPeer(join(root, "extensions"));
      const server = startServer(root, environment(root, wire));
      started.push(server);
      const browser = await startBrowser();
      started.push({ end: () => browser.close() });
      return new Stage(root, await addressOf(server), browser, end);
    } catch (error) {
      await end().catch(console.error);
      throw error;
    }
  }

  /** A browser that knows nothing yet, and user settings with these among them. */
  async profile(settings: Record<string, unknown>): Promise<BrowserContext> {
    await writeUserSettings(this.root, { ...quiet, ...plain, ...settings });
    return this.browser.newContext({ viewport: { width: 1400, height: 1000 }, reducedMotion: "reduce" });
  }
}

async function addPeer(extensions: string): Promise<void> {
  const folder = "clined-test.peer-1.0.0";
  const path = join(extensions, folder);
  await cp(resolve("dist", "test", "conformance", "peer"), path, { recursive: true });
  const list = join(extensions, "extensions.json");
  const known = JSON.parse(await readFile(list, "utf8")) as unknown[];
  const location = { $mid: 1, fsPath: path, path, scheme: "file" };
  const entry = { identifier: { id: "clined-test.peer" }, version: "1.0.0", location, relativeLocation: folder, metadata: { pinned: true } };
  await writeFile(list, JSON.stringify([...known, entry]));
}
