// What the user has set, for the daemon: never defaults, which are the daemon's own to have.

import type { Daemon } from "./api";

/** What `WorkspaceConfiguration.inspect` tells of a key. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
}

/** The settings as the manifest of the extension describes them, by their full names. */
export type Described = Record<string, { scope?: string }>;

/** Settings of this extension alone. */
const editors = new Set(["path"]);

/**
 * The object `clined` for the daemon. A setting of scope `machine` counts only as the user's own: a workspace may not choose
 * where requests go or what runs unasked.
 */
export function settingsOf(described: Described, inspect: (key: string) => Inspected | undefined): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [name, { scope }] of Object.entries(described)) {
    const key = name.replace(/^clined\./, "");
    if (editors.has(key)) continue;
    const set = inspect(key);
    const value = (scope === "machine" || scope === "application" ? undefined : set?.workspaceValue) ?? set?.globalValue;
    if (value !== undefined && value !== null) put(all, key.split("."), value);
  }
  return all;
}

/** What the present process was told of the settings. */
export class ToldSettings {
  private told = "";

  constructor(private readonly settings: () => Record<string, unknown>) {}

  /** What a process is started with. */
  first(): Record<string, unknown> {
    const now = this.settings();
    this.told = JSON.stringify(now);
    return now;
  }

  /** Tells them where they are others by now; also to be called once a process runs, for until then it cannot be told. */
  tell(daemon: Pick<Daemon, "state" | "notify">): void {
    const now = this.settings();
    if (JSON.stringify(now) === this.told || daemon.state.kind !== "running") return;
    this.told = JSON.stringify(now);
    daemon.notify("workspace/didChangeConfiguration", { settings: { clined: now } });
  }
}

function put(into: Record<string, unknown>, path: string[], value: unknown): void {
  const [first, ...rest] = path;
  if (first === undefined) return;
  if (rest.length === 0) into[first] = value;
  else put((into[first] ??= {}) as Record<string, unknown>, rest, value);
}
