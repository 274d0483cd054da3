// The commands that bring what the user looks at into the chat.

import { commands, env, window } from "vscode";
import type { Disposable, Terminal } from "vscode";
import type { Chat } from "../chat/ports";
import { excerpt, explain, fix, printed } from "./excerpt";
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
      const terminal = terminalOf(arg);
      const last = terminal && terminals.lastCommand(terminal);
      if (!last) return nothing("no command was seen in this terminal", "its shell integration tells of commands; select text instead");
      await chat.compose(printed(last.output, last.command));
    }),
    commands.registerCommand("clined.addTerminalSelection", async () => {
      const text = await selectionOfTerminal();
      if (!text) return nothing("nothing is selected in the terminal", "select what is to be added");
      await chat.compose(printed(text));
    }),
  ];
}

function nothing(what: string, hint: string): void {
  void window.showInformationMessage(`clined: ${what}; ${hint}`);
}

/** Menus of terminals pass the one they belong to. */
function terminalOf(arg: unknown): Terminal | undefined {
  return window.terminals.find((terminal) => terminal === arg) ?? window.activeTerminal;
}

/** The API has no selection of a terminal: it goes through the clipboard, whose text is put back. */
async function selectionOfTerminal(): Promise<string> {
  const before = await env.clipboard.readText();
  await env.clipboard.writeText("");
  await commands.executeCommand("workbench.action.terminal.copySelection");
  const text = await env.clipboard.readText();
  await env.clipboard.writeText(before);
  return text.trim() === "" ? "" : text;
}
