// Starts the extension: makes its parts and connects them. Nothing here does work of its own, and no process is started
// before the user needs it.

import type { ExtensionContext } from "vscode";

export function activate(_context: ExtensionContext): void {}
