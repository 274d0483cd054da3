// Connecting a model: what the setup page asks for, the user's keys for the daemon, and the choice in the user's settings.
// The daemon says what is found, whether a turn could start, and what an endpoint answers; nothing here talks to a network.

import type { SetupAction, SetupResults, SetupView } from "../chat/messages";
import type { Setup } from "../chat/ports";
import type { Daemon } from "../daemon/api";
import type { ModelListResult, SetupStatus } from "../protocol/generated";
import { accountName, isExposed, parseBaseUrl, writeChoice } from "./choice";
import type { UserSettings } from "./choice";
import type { Account, Key, Keys, Known } from "./keys";

type Save = Extract<SetupAction, { kind: "save" }>;
type Send = Daemon["request"];

/** How long a start waits for the keys, in ms: a keyring may ask for a password first. They are given whenever they come. */
const patience = 3000;

const unencrypted = "Use an address that begins with https://, or save it all the same where you trust the network.";

export interface Parts {
  daemon: Pick<Daemon, "request" | "state">;
  keys: Keys;
  settings: UserSettings;
  /** For the log; never given a key. */
  warn(sentence: string): void;
}

export class ModelSetup implements Setup {
  /** What the daemon's process was given, to take back what is gone. */
  private given: Account[] = [];
  /** False when there may be keys that it was not given: the storage failed. */
  private whole = true;
  private giving = 0;

  constructor(private readonly parts: Parts) {}

  /** Gives a process that has just started the user's keys, whatever becomes of each. Awaited before anything is asked of it. */
  async introduce(send: Send): Promise<void> {
    this.given = [];
    await soon(this.give(send));
  }

  /** The keys may be others: of this window, or by another one. A process that does not run gets them when it starts. */
  async keysChanged(): Promise<void> {
    const { daemon } = this.parts;
    if (daemon.state.kind === "running") await this.give((method, params) => daemon.request(method, params));
  }

  perform<A extends SetupAction>(action: A): Promise<SetupResults[A["kind"]]> {
    return this.run(action) as Promise<SetupResults[A["kind"]]>;
  }

  private async run(action: SetupAction): Promise<SetupResults[SetupAction["kind"]]> {
    const { daemon, keys } = this.parts;
    switch (action.kind) {
      case "status":
        if (!this.whole) await soon(this.keysChanged());
        return this.view(await daemon.request("clined/setup/status", {}));
      case "discover":
        return daemon.request("clined/setup/discover", {});
      case "demo":
        return this.view(await daemon.request("clined/setup/demo", action.stop ? { stop: true } : {}));
      case "models":
        return this.models(action.choice);
      case "save":
        return this.save(action);
      case "signOut": {
        const account = { provider: action.provider, baseUrl: action.baseUrl };
        await Promise.all([keys.delete(account), daemon.request("clined/account/logout", { ...account, persist: false })]);
        return this.view(await daemon.request("clined/setup/status", {}));
      }
    }
  }

  private async view(status: SetupStatus): Promise<SetupView> {
    const known = await soon(this.parts.keys.known());
    return { ...status, keys: (known?.keys ?? []).map(({ provider, baseUrl }) => ({ provider, baseUrl })) };
  }

  /** What a place offers. A key that was typed is for this request alone, and not for one that others could read. */
  private async models(choice: { provider: string; baseUrl: string; secret?: string }): Promise<ModelListResult> {
    const place = parseBaseUrl(choice.baseUrl);
    if ("problem" in place) return { models: [], ...place };
    const account = { provider: choice.provider, baseUrl: place.url };
    const typed = choice.secret?.trim();
    if (!typed || !isExposed(place.url)) return this.list(account, typed);
    const found = await this.parts.daemon.request("clined/model/list", account);
    return found.problem ? { ...found, hint: `It was asked without the key, which would travel unencrypted. ${unencrypted}` } : found;
  }

  /** Asks a place with the key that a turn would have: the one that was typed, else the one that is kept. */
  private async list(account: Account, typed: string | undefined): Promise<ModelListResult> {
    const secret = typed || keyOf(await this.parts.keys.knownSoon(), account)?.secret;
    return this.parts.daemon.request("clined/model/list", secret ? { ...account, secret } : account);
  }

  private async save({ choice, unchecked }: Save): Promise<SetupResults["save"]> {
    const place = parseBaseUrl(choice.baseUrl);
    if ("problem" in place) return { saved: false, ...place };
    const model = choice.model.trim();
    if (model === "") return { saved: false, problem: "No model is named", hint: "Choose one of the list, or type its id." };
    const account = { provider: choice.provider, baseUrl: place.url };
    const secret = choice.secret?.trim();
    if (secret && isExposed(place.url) && !unchecked) {
      return { saved: false, forcible: true, problem: "The key would travel unencrypted", hint: unencrypted };
    }
    const refusal = unchecked ? undefined : await this.check(account, model, secret);
    if (refusal) return { saved: false, forcible: true, ...refusal };
    const kept = secret ? await this.keep({ ...account, secret }) : true;
    await writeChoice(this.parts.settings, { ...account, model }, await this.keyed(account));
    const status = await this.view(await this.live());
    return { saved: true, status, sessionOnly: !kept, ...overruled(status, account, model) };
  }

  /** Gives the daemon a key and keeps it; false when that is for this session only. */
  private async keep(key: Key): Promise<boolean> {
    await this.parts.daemon.request("clined/account/login", { ...key, persist: false });
    return (await this.parts.keys.set(key)).kept;
  }

  /** Whether there is a key for an account; undefined when that is not known. */
  private async keyed(account: Account): Promise<boolean | undefined> {
    const known = await this.parts.keys.knownSoon();
    return keyOf(known, account) ? true : known.whole ? false : undefined;
  }

  /** What a turn would talk to. The demo ends by itself only when the settings name another model than before. */
  private async live(): Promise<SetupStatus> {
    const status = await this.parts.daemon.request("clined/setup/status", {});
    return status.demo ? this.parts.daemon.request("clined/setup/demo", { stop: true }) : status;
  }

  /** Asks the place for its models: why it would not work, or nothing. */
  private async check(account: Account, model: string, typed: string | undefined): Promise<{ problem: string; hint: string } | undefined> {
    const found = await this.list(account, typed);
    if (found.problem) return { problem: found.problem, hint: found.hint ?? "" };
    if (found.models.length === 0 || found.models.some((m) => m.id === model)) return undefined;
    const near = found.models.find((m) => m.id.toLowerCase() === model.toLowerCase());
    return {
      problem: `The server does not list “${model}”`,
      hint: near ? `It has “${near.id}”.` : "Choose one of its list, or save it all the same: some servers have more than they list.",
    };
  }

  private async give(send: Send): Promise<void> {
    const turn = ++this.giving;
    const { keys, whole } = await this.parts.keys.known();
    if (turn !== this.giving) return; // whoever came later has read what holds now
    this.whole = whole;
    const name = (a: Account) => accountName(a.provider, a.baseUrl);
    const missing = this.given.filter((a) => !keys.some((k) => name(k) === name(a)));
    const found = keys.map(({ provider, baseUrl }) => ({ provider, baseUrl }));
    // Nothing is known to be gone while the storage fails.
    this.given = whole ? found : [...missing, ...found];
    if (!whole) this.parts.warn("the secret storage could not be read: some keys may be missing");
    const failed = (what: string, a: Account) => () => this.parts.warn(`the key for ${a.baseUrl} could not be ${what}`);
    await Promise.all([
      ...keys.map((k) => send("clined/account/login", { ...k, persist: false }).then(nothing, failed("given to the daemon", k))),
      ...(whole ? missing : []).map((a) => send("clined/account/logout", { ...a, persist: false }).then(nothing, failed("taken back", a))),
    ]);
  }
}

const nothing = () => undefined;

function keyOf({ keys }: Known, account: Account): Key | undefined {
  const name = accountName(account.provider, account.baseUrl);
  return keys.find((k) => accountName(k.provider, k.baseUrl) === name);
}

/** What is there within the patience for a keyring; undefined where it takes longer. */
async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), patience)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Says so when a turn would talk to something else than what was just saved. */
function overruled(status: SetupStatus, account: Account, model: string): { problem?: string; hint?: string } {
  if (!status.configured) return { problem: status.problem ?? "A turn could not start yet", hint: status.hint };
  const elsewhere = status.provider !== account.provider || (status.baseUrl ?? "") !== account.baseUrl;
  if (!elsewhere && status.model === model) return {};
  return {
    problem: `Saved, but other settings come first: tasks use ${status.model ?? "another model"}${elsewhere ? ` at ${status.baseUrl ?? status.provider}` : ""}`,
    hint: "Look at clined in the workspace's settings, at clined.plan and clined.act, and at CLINED_ variables.",
  };
}
