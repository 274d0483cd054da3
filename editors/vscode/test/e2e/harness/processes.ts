// Owns the processes of a test: each runs in a group of its own that ends with the test, also when that is killed. Knows
// nothing of what they are.

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createInterface } from "node:readline";

/** How long a step, and a whole test, may take before it counts as hanging, in milliseconds. */
export const hangGuard = Number(process.env["CLINED_E2E_LIMIT"] ?? 60_000);
export const testGuard = 4 * hangGuard;

// The shell outlives what it starts only until its input ends, which the system sees to if this process dies.
const supervise = `
trap : TERM INT HUP
{ "$@" </dev/null; echo "supervised: ended $?"; } &
cat >/dev/null
kill -TERM 0
wait
`;

export interface Started {
  /** The first match of a line of its output; rejects with all of that when it ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Asks it to end, and resolves when it has; after five seconds it is killed. */
  end(): Promise<void>;
  /** What it wrote, both streams. */
  output(): string;
}

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) kill(child, "SIGKILL");
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    // It is gone.
  }
}

process.once("exit", killAll);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => process.exit(130));
}

/** Starts a program with exactly this environment. */
export function start(argv: string[], env: NodeJS.ProcessEnv, cwd?: string): Started {
  const child = spawn("/bin/sh", ["-c", supervise, "supervised", ...argv], { env, cwd, detached: true, stdio: "pipe" });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void ended.then(() => running.delete(child));
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const listener of listeners) listener(line);
    });
  }
  return {
    output: () => lines.join("\n"),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const listen = (line: string): void => {
          const match = pattern.exec(line);
          if (match) settle(() => resolve(match));
          else if (line.startsWith("supervised: ended")) settle(() => reject(new Error(`it ended:\n${lines.join("\n")}`)));
        };
        const late = setTimeout(() => settle(() => reject(new Error(`no ${pattern} in:\n${lines.join("\n")}`))), hangGuard);
        const settle = (how: () => void): void => {
          clearTimeout(late);
          listeners.delete(listen);
          how();
        };
        listeners.add(listen);
        for (const line of lines) listen(line);
      }),
    end: async () => {
      child.stdin.end();
      const late = setTimeout(() => kill(child, "SIGKILL"), 5_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** The processes with this variable in their environment, as `pid command line`. */
export function processesWith(variable: string): { pid: number; command: string }[] {
  const found: { pid: number; command: string }[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (!readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(variable)) continue;
      found.push({ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").join(" ") });
    } catch {
      // It is gone, or another user's.
    }
  }
  return found.filter(({ command }) => command !== "");
}

/** Waits until a condition holds, looking again every 50 ms; `what` says what was waited for. */
export async function until<T>(what: string, condition: () => T | Promise<T>, limit = hangGuard): Promise<NonNullable<T>> {
  const begun = Date.now();
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() - begun > limit) throw new Error(`waited ${limit} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The outcome of what must not take longer than this; `what` says what it was. */
export async function within<T>(what: string, limit: number, promise: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const guard = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`${what} took more than ${limit} ms`)), limit);
  });
  return Promise.race([promise, guard]).finally(() => clearTimeout(late));
}
