// The API keys that the user gave to this editor. They live in VS Code's SecretStorage, all in one entry so that every window
// hears of a change, and in memory where that storage does not work. Nothing here logs, shows or sends a key anywhere.

import type { Disposable, SecretStorage } from "vscode";
import { accountName } from "./choice";

export interface Key {
  provider: string;
  baseUrl: string;
  secret: string;
}

/** A key's place without the key. */
export type Account = Omit<Key, "secret">;

/** The keys that could be read, one for each account. `whole` is false where the storage failed: there may be more. */
export interface Known {
  keys: Key[];
  whole: boolean;
}

const entry = "clined.keys";

const isKey = (k: unknown): k is Key =>
  typeof k === "object" &&
  k !== null &&
  ["provider", "baseUrl", "secret"].every((f) => typeof (k as Record<string, unknown>)[f] === "string");

export class Keys {
  /** Those that the storage did not take, and for this session what it holds. */
  private readonly session = new Map<string, Key>();

  constructor(private readonly storage: Pick<SecretStorage, "get" | "store" | "delete" | "onDidChange">) {}

  async known(): Promise<Known> {
    const stored = await this.stored().catch(() => undefined);
    const byAccount = new Map<string, Key>();
    for (const k of stored ?? []) byAccount.set(accountName(k.provider, k.baseUrl), k);
    for (const [account, k] of this.session) byAccount.set(account, k);
    return { keys: [...byAccount.values()], whole: stored !== undefined };
  }

  /** Keeps a key in place of the account's former one. `kept` is false when it lives in this session only. */
  async set(key: Key): Promise<{ kept: boolean }> {
    const name = accountName(key.provider, key.baseUrl);
    try {
      const others = (await this.stored()).filter((k) => accountName(k.provider, k.baseUrl) !== name);
      await this.storage.store(entry, JSON.stringify([...others, key]));
      this.session.delete(name);
      return { kept: true };
    } catch {
      this.session.set(name, key);
      return { kept: false };
    }
  }

  /** Forgets an account's key. Rejects when the storage keeps its copy. */
  async delete(account: Account): Promise<void> {
    const name = accountName(account.provider, account.baseUrl);
    this.session.delete(name);
    const stored = await this.stored();
    const others = stored.filter((k) => accountName(k.provider, k.baseUrl) !== name);
    if (others.length === stored.length) return;
    await (others.length === 0 ? this.storage.delete(entry) : this.storage.store(entry, JSON.stringify(others)));
  }

  /** Tells of changes that any window made. */
  onDidChange(listener: () => void): Disposable {
    return this.storage.onDidChange((e) => {
      if (e.key === entry) listener();
    });
  }

  private async stored(): Promise<Key[]> {
    const text = await this.storage.get(entry);
    if (text === undefined) return [];
    try {
      const list: unknown = JSON.parse(text);
      return Array.isArray(list) ? list.filter(isKey) : [];
    } catch {
      return []; // another's or a damaged entry: the next key replaces it
    }
  }
}
