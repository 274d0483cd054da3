// The user's terminals: what runs in them and what it printed last, by the shell integration of those that have it. The
// extension opens no terminal of its own (commands of the model run in the daemon), so each one seen here is the user's.
// VS Code 1.100 may keep back what a command prints in its last 50 ms.

import { EventEmitter, env, window } from "vscode";
import type { Disposable, Terminal, TerminalShellExecution } from "vscode";
import type { EditorState } from "../protocol/generated";
import { plain, tail } from "./plain";

export type TerminalState = NonNullable<EditorState["terminals"]>[number];

/** Characters that are kept as printed, and how many of the text are told. The model is shown at most about 3,000. */
const kept = 32 << 10;
const told = 4 << 10;
/** More terminals than anybody looks at. */
const most = 50;

interface Seen {
  id: string;
  running?: TerminalShellExecution;
  command?: string;
  /** All that its commands printed, each behind a line with the command, so that several between two looks are all there. */
  printed: string;
  /** Of the command that ran last alone. */
  last: string;
}

export class Terminals implements Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly seen = new Map<Terminal, Seen>();
  private ids = 0;
  private readonly heard: Disposable[] = [
    this.changed,
    window.onDidOpenTerminal(() => this.changed.fire()),
    window.onDidChangeTerminalShellIntegration(() => this.changed.fire()),
    window.onDidCloseTerminal((terminal) => {
      this.seen.delete(terminal);
      this.changed.fire();
    }),
    window.onDidStartTerminalShellExecution((e) => this.began(e.terminal, e.execution)),
    window.onDidEndTerminalShellExecution((e) => this.ended(e.terminal, e.execution, e.exitCode)),
  ];

  dispose(): void {
    for (const one of this.heard) one.dispose();
  }

  /** As the daemon is told of them, those opened last at the end. */
  list(): TerminalState[] {
    return window.terminals
      .filter((t) => !("hideFromUser" in t.creationOptions && t.creationOptions.hideFromUser))
      .slice(-most)
      .map((t) => this.describe(t));
  }

  /** The last command of a terminal and what it printed, as far as VS Code told; undefined where it tells of none. */
  lastCommand(terminal: Terminal): { command: string; output: string; running: boolean } | undefined {
    const seen = this.seen.get(terminal);
    if (seen?.command === undefined) return undefined;
    return { command: seen.command, output: plain(seen.last).trimEnd(), running: seen.running !== undefined };
  }

  private describe(terminal: Terminal): TerminalState {
    const seen = this.of(terminal);
    return {
      id: seen.id,
      name: terminal.name,
      cwd: folder(terminal),
      busy: seen.running !== undefined || undefined,
      command: seen.command,
      output: tail(plain(seen.printed), told) || undefined,
    };
  }

  private of(terminal: Terminal): Seen {
    let seen = this.seen.get(terminal);
    if (!seen) this.seen.set(terminal, (seen = { id: String(++this.ids), printed: "", last: "" }));
    return seen;
  }

  private began(terminal: Terminal, execution: TerminalShellExecution): void {
    const seen = this.of(terminal);
    seen.running = execution;
    seen.command = execution.commandLine.value;
    seen.last = "";
    print(seen, `$ ${seen.command}\n`);
    this.changed.fire();
    void this.follow(seen, execution);
  }

  private async follow(seen: Seen, execution: TerminalShellExecution): Promise<void> {
    try {
      for await (const data of execution.read()) {
        print(seen, data);
        if (seen.running === execution) seen.last = end(seen.last + data);
        this.changed.fire();
      }
    } catch {
      // The terminal is gone; what it printed until then stays.
    }
  }

  private ended(terminal: Terminal, execution: TerminalShellExecution, exitCode: number | undefined): void {
    const seen = this.of(terminal);
    if (seen.running !== execution) return;
    seen.running = undefined;
    seen.command = execution.commandLine.value; // it may be known better by now
    if (exitCode) print(seen, `\n[exit code ${exitCode}]\n`);
    this.changed.fire();
  }
}

function print(seen: Seen, data: string): void {
  const behindLine = seen.printed === "" || seen.printed.endsWith("\n");
  seen.printed = end(seen.printed + (data.startsWith("\n") && behindLine ? data.slice(1) : data));
}

function end(printed: string): string {
  return printed.length > 2 * kept ? tail(printed, kept) : printed;
}

function folder(terminal: Terminal): string | undefined {
  const given = "cwd" in terminal.creationOptions ? terminal.creationOptions.cwd : undefined;
  const now = terminal.shellIntegration?.cwd ?? given;
  if (typeof now === "string" || now === undefined) return now;
  // Of a remote window VS Code calls folders of the remote shell, where the extension runs as well, those of the user's machine.
  return now.scheme === "file" || (now.scheme === "vscode-local" && env.remoteName) ? now.fsPath : undefined;
}
