// What a drag brings: files with their places, as VS Code's explorer and tabs tell them, or files of the system.

export interface Folder {
  name: string;
  path: string;
}

/** The data of a drag, as far as it is read here. */
export type Dragged = Pick<DataTransfer, "getData" | "types"> & { files: ArrayLike<File> };

/** Says whether a drag brings anything that the composer takes. */
export function takes(data: { types: readonly string[] }): boolean {
  return data.types.some((t) => /^(files|resourceurls|codefiles|text\/uri-list|application\/vnd\.code\.uri-list)$/i.test(t));
}

/** The places of dragged files, absolute, each once. */
export function pathsOf(data: Dragged): string[] {
  const uris = [
    ...listed(data.getData("ResourceURLs")),
    ...data.getData("application/vnd.code.uri-list").split(/\r?\n/),
    ...data.getData("text/uri-list").split(/\r?\n/),
  ];
  const paths = [...listed(data.getData("CodeFiles")), ...uris.flatMap((uri) => pathOf(uri.trim()) ?? [])];
  return [...new Set(paths.filter((p) => p !== ""))];
}

/** The addresses of dragged links. */
export function linksOf(data: Pick<Dragged, "getData">): string[] {
  return data.getData("text/uri-list").split(/\r?\n/).filter((uri) => /^https?:/i.test(uri));
}

function listed(json: string): string[] {
  try {
    const list: unknown = JSON.parse(json || "[]");
    return Array.isArray(list) ? list.filter((s): s is string => typeof s === "string") : [];
  } catch {
    return [];
  }
}

/** The path of a file's URI, on this machine or on the one that VS Code is connected to. */
export function pathOf(uri: string): string | undefined {
  const parts = /^(file|vscode-remote):\/\/([^/]*)(\/[^?#]*)/.exec(uri);
  if (!parts) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(parts[3] ?? "");
  } catch {
    return undefined;
  }
  if (/^\/[a-zA-Z]:/.test(path)) return path.slice(1).replaceAll("/", "\\");
  return parts[1] === "file" && parts[2] && parts[2] !== "localhost" ? `\\\\${parts[2]}${path.replaceAll("/", "\\")}` : path;
}

/** A path as it is best said: from its workspace folder where it is in one, by the folder's name where there are several. */
export function promptPath(path: string, folders: readonly Folder[]): string {
  const slashed = path.replaceAll("\\", "/");
  for (const folder of folders) {
    const base = folder.path.replaceAll("\\", "/").replace(/\/+$/, "");
    if (slashed === base) return folders.length > 1 ? folder.name : path;
    if (!slashed.startsWith(`${base}/`)) continue;
    const inside = slashed.slice(base.length + 1);
    return folders.length > 1 ? path : inside;
  }
  return path;
}

/** Paths as words of a prompt; one with blanks in it is quoted. */
export function asText(paths: readonly string[], folders: readonly Folder[]): string {
  return paths
    .map((p) => promptPath(p, folders))
    .map((p) => (/[\s`]/.test(p) ? `"${p}"` : p))
    .join(" ");
}
