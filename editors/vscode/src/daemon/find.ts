// Finds the clined program: the one that the user named, the one inside the extension, the one on PATH. It starts nothing.

import { accessSync, chmodSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { Failure } from "./failure";

export interface Surroundings {
  /** The setting `clined.path`; empty for none. */
  setting: string;
  extensionPath: string;
  home: string;
  path: string;
  platform: NodeJS.Platform;
}

/** The program to start. Throws a Failure that says what is missing; a program that was named but is not there is never replaced. */
export function findProgram(s: Surroundings): string {
  const named = s.setting.trim();
  if (named !== "") return namedProgram(named, s);
  const shipped = join(s.extensionPath, "bin", fileName(s.platform));
  const own = look(shipped);
  if (own === "program" || (own === "locked" && unlock(shipped))) return shipped;
  const found = onPath(fileName(s.platform), s.path);
  if (found !== undefined) return found;
  throw new Failure(
    "the clined program was not found",
    "this build of the extension has none for this machine: install clined and put it on PATH, or name it in the setting clined.path",
    ["settings", "restart"],
  );
}

function namedProgram(named: string, s: Surroundings): string {
  const path = named.startsWith("~/") || named.startsWith("~\\") ? join(s.home, named.slice(2)) : named;
  if (!isAbsolute(path)) {
    const found = /[\\/]/.test(path) ? undefined : onPath(path, s.path);
    if (found !== undefined) return found;
    throw new Failure(
      `the setting clined.path names ${named}, which is ${/[\\/]/.test(path) ? "no absolute path" : "not on PATH"}`,
      "give the whole path, or empty the setting to use the program that came with the extension",
      ["settings", "restart"],
    );
  }
  const seen = look(path);
  if (seen === "program") return path;
  if (seen === "locked") throw notExecutable(path);
  throw new Failure(
    `the setting clined.path names ${path}, which ${seen === "folder" ? "is a folder" : "does not exist"}`,
    "correct the setting, or empty it to use the program that came with the extension",
    ["settings", "restart"],
  );
}

export function notExecutable(path: string): Failure {
  return new Failure(`${path} is not executable`, `allow it with chmod +x ${path}, then restart clined`, ["restart", "settings"]);
}

function fileName(platform: NodeJS.Platform): string {
  return platform === "win32" ? "clined.exe" : "clined";
}

function look(path: string): "program" | "locked" | "folder" | "nothing" {
  try {
    if (statSync(path).isDirectory()) return "folder";
    accessSync(path, constants.X_OK);
    return "program";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "locked" : "nothing";
  }
}

/** Archives made on some systems lose the mode of the files in them. */
function unlock(path: string): boolean {
  try {
    chmodSync(path, 0o755);
    return look(path) === "program";
  } catch {
    return false;
  }
}

function onPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find((candidate) => look(candidate) === "program");
}
