// One process of clined: starts it, keeps the end of what it says on standard error, knows how it ended, and ends it.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { machineName, machineOfFile } from "./binary";
import { Failure, type Exit } from "./failure";
import { notExecutable } from "./find";
import { eachLine } from "./lines";
import { soon } from "./soon";

/** Where lines of the daemon's log go; a part of vscode's LogOutputChannel. */
export interface LogSink {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface DaemonProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process is gone and its output was read. */
  readonly ended: Promise<Exit>;
  /** Ends it: by itself within `graceMs`, else by force. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

export async function startProcess(path: string, cwd: string, env: NodeJS.ProcessEnv, log: LogSink): Promise<DaemonProcess> {
  const child = spawn(path, ["--stdio"], { cwd, env, stdio: "pipe", windowsHide: true });
  let last: string | undefined;
  eachLine(child.stderr, (line) => (last = logLine(line, log) ?? last));
  const ended = new Promise<Exit>((resolve) => child.once("close", (code, signal) => resolve({ code, signal, last })));
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error: NodeJS.ErrnoException) => reject(notStarted(path, error)));
  });
  child.on("error", (error) => log.error(`the process of clined: ${error.message}`));
  return { child, ended, end: (graceMs) => end(child, ended, graceMs) };
}

function notStarted(path: string, error: NodeJS.ErrnoException): Failure {
  if (error.code === "EACCES") return notExecutable(path);
  const hint = "name another program in the setting clined.path";
  return wrongMachine(path) ?? new Failure(`${path} could not be started: ${error.message}`, hint, ["settings", "restart"]);
}

/** Says that a program is built for another machine, if it is. A shell may have run it as a script, so its end tells nothing. */
export function wrongMachine(path: string): Failure | undefined {
  const built = machineOfFile(path);
  if (built === undefined || (built.platform === process.platform && built.arch === process.arch)) return undefined;
  const here = machineName({ platform: process.platform, arch: process.arch });
  return new Failure(
    `${path} is built for ${machineName(built)}, this is ${here}`,
    "install the extension or the clined program for this machine",
    ["settings", "restart"],
  );
}

async function end(child: ChildProcessWithoutNullStreams, ended: Promise<Exit>, graceMs: number): Promise<void> {
  if (graceMs > 0 && (await soon(ended, graceMs))) return;
  child.kill("SIGTERM");
  if (await soon(ended, 1000)) return;
  child.kill("SIGKILL");
  await ended;
}

const logged = /^(?:time=\S+ )?level=(DEBUG|INFO|WARN|ERROR)\S* (?:msg=("(?:[^"\\]|\\.)*"|\S*) ?)?(.*)$/;

/** Writes a line of standard error at the level that it names. What went wrong, as far as it tells, is returned. */
export function logLine(line: string, log: LogSink): string | undefined {
  const [, level, message, rest] = logged.exec(line) ?? [];
  const said = level === undefined ? line : [unquoted(message ?? ""), rest].filter((part) => part).join(" ");
  switch (level) {
    case "DEBUG":
      log.debug(said);
      return undefined;
    case "INFO":
      log.info(said);
      return undefined;
    case "ERROR":
      log.error(said);
      return said;
    default:
      log.warn(said);
      return said;
  }
}

/** The text of slog's quotes, which are those of Go and near enough to JSON's. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}
