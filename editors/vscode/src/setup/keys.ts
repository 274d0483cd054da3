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

  /** `patience` is how long one who looks on waits for the storage, in ms: it may ask for a password first, or never answer. */
  constructor(
    private readonly storage: Pick<SecretStorage, "get" | "store" | "delete" | "onDidChange">,
    private readonly patience = 10_000,
  ) {}

  /** The keys whenever they come. */
  known(): Promise<Known> {
    return this.whatIsKnown(this.stored());
  }

  /** The keys for one who waits for them. */
  knownSoon(): Promise<Known> {
    return this.whatIsKnown(this.within(this.stored()));
  }

  private async whatIsKnown(reading: Promise<Key[]>): Promise<Known> {
    const stored = await reading.catch(() => undefined);
    const byAccount = new Map<string, Key>();
    for (const k of stored ?? []) byAccount.set(accountName(k.provider, k.baseUrl), k);
    for (const [account, k] of this.session) byAccount.set(account, k);
    return { keys: [...byAccount.values()], whole: stored !== undefined };
  }

  /** Keeps a key in place of the account's former one. `kept` is false when it lives in this session only. */
  async set(key: Key): Promise<{ kept: boolean }> {
    const name = accountName(key.provider, key.baseUrl);
    const store = async () => {
      const others = (await this.stored()).filter((k) => accountName(k.provider, k.baseUrl) !== name);
      await this.storage.store(entry, JSON.stringify([...others, key]));
    };
    try {
      await this.within(store());
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
    await this.within(this.remove(name));
  }

  private async remove(name: string): Promise<void> {
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

  private async within<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("the secret storage does not answer")), this.patience);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
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
