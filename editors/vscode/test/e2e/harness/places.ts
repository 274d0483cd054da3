// Where what the tests need lies, as scripts/vscode.sh and scripts/test-vscode.sh prepare it, and where they leave what they saw.

import { join, resolve } from "node:path";

const cache = resolve("..", "..", ".cache");
const fetched = join(cache, "vscode");

export const places = {
  node: join(fetched, "node"),
  codeServer: join(fetched, "code-server", "out", "node", "entry.js"),
  chromium: join(fetched, "chromium"),
  /** Extensions folder with nothing but ours, installed from its package. */
  extensions: join(fetched, "extensions"),
  /** The daemon that came with it. */
  daemon: join(fetched, "extensions", "clined.clined-0.1.0", "bin", "clined"),
  /** The scripted model. */
  model: join(fetched, "fakellm"),
  screenshots: join(cache, "screenshots"),
};
