// Which documents the daemon is told of. It reads files of the machine it runs on, and knows them by their file URIs; so the
// rule is: a URI is told if and only if its scheme is `file` and it names a path of this machine. Everything else is left out
// wherever it stands (active, visible, tabs, problems, actions): `untitled:`, which has no path that a tool could read,
// `git:` and other old versions, the proposed side of our diffs, `output:`, `vscode-userdata:`, notebook cells (their
// notebook is told), and `vscode-remote:`, files of another machine than the one that the extension runs on.

import type { Uri } from "vscode";

/** The URI as the daemon is told it, or undefined for what it cannot read. */
export function readable(uri: Uri, windows = process.platform === "win32"): string | undefined {
  if (uri.scheme !== "file" || uri.path === "" || uri.path.includes("\0")) return undefined;
  // A host is part of a path on Windows (\\server\share) and names another machine elsewhere.
  if (uri.authority !== "" && !windows) return undefined;
  // Neither a query nor a fragment belongs to a file, though some tools open one with a position in it.
  return (uri.query || uri.fragment ? uri.with({ query: "", fragment: "" }) : uri).toString();
}

/** Whether it is a side of one of our own diffs. */
export function isOwn(uri: Uri): boolean {
  return uri.scheme.startsWith("clined-");
}
