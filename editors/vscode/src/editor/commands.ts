// The commands that bring what the user looks at into the chat.

import { commands, env, window } from "vscode";
import type { Disposable } from "vscode";
import type { Chat } from "../chat/ports";
import { say } from "../chat/tell";
import { excerpt, explain, fix, printed } from "./excerpt";
import { plain } from "./plain";
import type { Terminals } from "./terminals";
import { aboutOf } from "./target";

export function registerCommands(chat: Chat, terminals: Terminals): Disposable[] {
  return [
    commands.registerCommand("clined.addSelection", async (arg?: unknown) => {
      const about = await aboutOf(arg, false);
      if (!about) return nothing("no editor is active", "open a file and select what is to be added");
      await chat.compose(excerpt(about.excerpt));
    }),
    commands.registerCommand("clined.explain", async (arg?: unknown) => {
      const about = await aboutOf(arg, true);
      if (!about) return nothing("no editor is active", "open a file and select what is to be explained");
      await chat.compose(explain(about.excerpt, about.problems), { send: true });
    }),
    commands.registerCommand("clined.fix", async (arg?: unknown) => {
      const about = await aboutOf(arg, true);
      if (!about) return nothing("no editor is active", "open a file and select what is to be fixed");
      await chat.compose(fix(about.excerpt, about.problems), { send: true });
    }),
    commands.registerCommand("clined.addTerminalOutput", async (arg?: unknown) => {
      const terminal = window.terminals.find((each) => each === arg) ?? window.activeTerminal; // menus pass it
      const last = terminal && terminals.lastCommand(terminal);
      if (!last) return nothing("no command was seen in this terminal", "select text there instead");
      terminal.show(true);
      // The stream of a command may lack what it printed last; the screen has it all.
      const shown = last.running ? "" : await copied("workbench.action.terminal.copyLastCommandOutput");
      await chat.compose(printed(plain(shown ?? "").trimEnd() || last.output, last.command));
    }),
    commands.registerCommand("clined.addTerminalSelection", async () => {
      const text = await copied("workbench.action.terminal.copySelection");
      if (text === undefined) return nothing("the selection could not be copied", "allow the clipboard, or paste it");
      if (text.trim() === "") return nothing("nothing is selected in the terminal", "select what is to be added");
      await chat.compose(printed(text.trimEnd()));
    }),
  ];
}

function nothing(what: string, hint: string): void {
  void say("info", `clined: ${what}; ${hint}`);
}

/**
 * What a command of terminals copies; undefined where the clipboard is out of reach, as it can be in a browser. The API does not
 * give it, so it goes through the clipboard, whose text is put back. One without text may have a picture, which only a text that
 * was copied takes the place of.
 */
async function copied(command: string): Promise<string | undefined> {
  try {
    const before = await env.clipboard.readText();
    if (before !== "") await env.clipboard.writeText("");
    try {
      await commands.executeCommand(command);
      return await env.clipboard.readText();
    } finally {
      if (before !== "") await env.clipboard.writeText(before);
    }
  } catch {
    return undefined;
  }
}
