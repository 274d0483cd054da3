// Finds the file that a link in the chat means. It opens nothing.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export interface Place {
  path: string;
  /** 0-based. */
  line?: number;
}

/**
 * The file of a path as the model or a tool writes it: absolute, from the home folder, a file URI, or relative to one of the
 * folders; with `:line` or `:line:column` behind it where there is no file of that whole name. Undefined when there is none.
 */
export function locate(written: string, folders: readonly string[], exists: (path: string) => boolean = existsSync): Place | undefined {
  const whole = find(written, folders, exists);
  if (whole !== undefined) return { path: whole };
  const [, rest, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(written) ?? [];
  if (rest === undefined) return undefined;
  const path = find(rest, folders, exists);
  return path === undefined ? undefined : { path, line: Math.max(0, Number(line) - 1) };
}

function find(written: string, folders: readonly string[], exists: (path: string) => boolean): string | undefined {
  const path = plain(written);
  if (path === undefined || isRemote(path)) return undefined;
  if (isAbsolute(path)) return exists(path) ? normalize(path) : undefined;
  return folders.map((folder) => join(folder, path)).find(exists);
}

function plain(written: string): string | undefined {
  if (written.startsWith("~/")) return join(homedir(), written.slice(2));
  if (!written.startsWith("file:")) return written;
  try {
    return fileURLToPath(written);
  } catch {
    return undefined;
  }
}

/** A path of another host: on Windows even looking for it would log in there. */
function isRemote(path: string): boolean {
  return process.platform === "win32" && /^[\\/]{2}/.test(path);
}
