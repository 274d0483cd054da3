// Connects the setup to VS Code: the user's settings, SecretStorage, and each new process of the daemon.

import { ConfigurationTarget, workspace, type ExtensionContext, type LogOutputChannel } from "vscode";
import type { Daemon } from "../daemon/api";
import type { UserSettings } from "./choice";
import { Keys } from "./keys";
import { ModelSetup } from "./setup";

export function createSetup(context: ExtensionContext, daemon: Daemon, log: LogOutputChannel): ModelSetup {
  const keys = new Keys(context.secrets);
  const setup = new ModelSetup({ daemon, keys, settings: userSettings, warn: (sentence) => log.warn(sentence) });
  context.subscriptions.push(
    daemon.onRunning((send) => setup.introduce(send)),
    keys.onDidChange(() => void setup.keysChanged()),
  );
  return setup;
}

const userSettings: UserSettings = {
  inspect(key) {
    const set = workspace.getConfiguration("clined").inspect(key);
    return { user: set?.globalValue, byDefault: set?.defaultValue };
  },
  async update(key, value) {
    await workspace.getConfiguration("clined").update(key, value, ConfigurationTarget.Global);
  },
};
