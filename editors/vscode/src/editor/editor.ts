// The editor as the model sees it, and the ways from the editor into the chat. Owns what is told of screen, terminals and problems,
// and the commands and code actions on text. Never sends texts of documents (the language client does), never changes one, never
// shows anything of its own. Only extension.ts imports this file; the rest of the folder is its own.

import { Disposable, languages } from "vscode";
import type { Chat } from "../chat/ports";
import type { Daemon } from "../daemon/api";
import { Actions, providedCodeActionKinds } from "./actions";
import { Checkers } from "./checkers";
import { registerCommands } from "./commands";
import { pull } from "./pull";
import { Push } from "./push";
import { Settle } from "./settle";
import { Terminals } from "./terminals";

export interface Editor extends Disposable {
  /** Tells the daemon at once what it does not know yet of the screen; to be called right before something is said in a task. */
  flush(): void;
}

export function connectEditor(daemon: Daemon, chat: Chat): Editor {
  const terminals = new Terminals();
  const checkers = new Checkers();
  const settle = new Settle();
  const push = new Push(daemon, terminals, checkers);
  const all = Disposable.from(
    push,
    settle,
    terminals,
    daemon.handle("clined/diagnostics/pull", (params, token) => pull(params, token, checkers, settle)),
    ...registerCommands(chat, terminals),
    languages.registerCodeActionsProvider({ scheme: "file" }, new Actions(), { providedCodeActionKinds }),
  );
  return { flush: () => push.flush(), dispose: () => all.dispose() };
}
