// Connecting a model: what the setup page asks for, the user's keys for the daemon, and the choice in the user's settings.
// The daemon says what is found, whether a turn could start, and what an endpoint answers; nothing here talks to a network.

import type { SetupAction, SetupResults, SetupView } from "../chat/messages";
import type { Setup } from "../chat/ports";
import type { Daemon } from "../daemon/api";
import type { ModelListResult, SetupStatus } from "../protocol/generated";
import { accountName, isLocal, parseBaseUrl, writeChoice } from "./choice";
import type { UserSettings } from "./choice";
import type { Account, Key, Keys } from "./keys";

type Save = Extract<SetupAction, { kind: "save" }>;
type Send = Daemon["request"];

/** How long a start waits for the keys, in ms: a keyring may ask for a password first. They are given whenever they come. */
const patience = 3000;

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

  constructor(private readonly parts: Parts) {}

  /** Gives a process that has just started the user's keys, whatever becomes of each. Awaited before anything is asked of it. */
  async introduce(send: Send): Promise<void> {
    this.given = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)));
    await Promise.race([this.give(send), late]).finally(() => clearTimeout(timer));
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
        const { provider, baseUrl } = action;
        await keys.delete({ provider, baseUrl });
        await daemon.request("clined/account/logout", { provider, baseUrl });
        return this.view(await daemon.request("clined/setup/status", {}));
      }
    }
  }

  private async view(status: SetupStatus): Promise<SetupView> {
    const keys = await this.parts.keys.all();
    return { ...status, keys: keys.map(({ provider, baseUrl }) => ({ provider, baseUrl })) };
  }

  /** What a place offers. A key that was typed is tried, and the former one stands again afterwards. */
  private async models(choice: { provider: string; baseUrl: string; secret?: string }): Promise<ModelListResult> {
    const place = parseBaseUrl(choice.baseUrl);
    if ("problem" in place) return { models: [], ...place };
    const account = { provider: choice.provider, baseUrl: place.url };
    const secret = choice.secret?.trim();
    if (!secret) return this.parts.daemon.request("clined/model/list", account);
    return this.withKey({ ...account, secret }, async () => ({
      keep: false,
      result: await this.parts.daemon.request("clined/model/list", account),
    }));
  }

  private async save({ choice, unchecked }: Save): Promise<SetupResults["save"]> {
    const place = parseBaseUrl(choice.baseUrl);
    if ("problem" in place) return { saved: false, ...place };
    const model = choice.model.trim();
    if (model === "") return { saved: false, problem: "No model is named", hint: "Choose one of the list, or type its id." };
    const account = { provider: choice.provider, baseUrl: place.url };
    const secret = choice.secret?.trim();
    if (secret && new URL(place.url).protocol === "http:" && !isLocal(new URL(place.url).hostname) && !unchecked) {
      return {
        saved: false,
        forcible: true,
        problem: "The key would travel unencrypted",
        hint: "Use an address that begins with https://, or save it all the same where you trust the network.",
      };
    }
    const finish = async (): Promise<SetupResults["save"]> => {
      const refusal = unchecked ? undefined : await this.check(account, model);
      if (refusal) return { saved: false, forcible: true, ...refusal };
      const kept = secret ? (await this.parts.keys.set({ ...account, secret })).kept : true;
      await writeChoice(this.parts.settings, { ...account, model }, (await this.parts.keys.find(account)) !== undefined);
      const status = await this.view(await this.live());
      return { saved: true, status, sessionOnly: !kept, ...overruled(status, account, model) };
    };
    if (!secret) return finish();
    return this.withKey({ ...account, secret }, async () => {
      const result = await finish();
      return { keep: result.saved, result };
    });
  }

  /** What a turn would talk to. The demo ends by itself only when the settings name another model than before. */
  private async live(): Promise<SetupStatus> {
    const status = await this.parts.daemon.request("clined/setup/status", {});
    return status.demo ? this.parts.daemon.request("clined/setup/demo", { stop: true }) : status;
  }

  /** Asks the place for its models: why it would not work, or nothing. */
  private async check(account: Account, model: string): Promise<{ problem: string; hint: string } | undefined> {
    const found = await this.parts.daemon.request("clined/model/list", account);
    if (found.problem) return { problem: found.problem, hint: found.hint ?? "" };
    if (found.models.length === 0 || found.models.some((m) => m.id === model)) return undefined;
    const near = found.models.find((m) => m.id.toLowerCase() === model.toLowerCase());
    return {
      problem: `The server does not list “${model}”`,
      hint: near ? `It has “${near.id}”.` : "Choose one of its list, or save it all the same: some servers have more than they list.",
    };
  }

  /** Has the daemon use a key while `work` runs, and afterwards too if that says so. */
  private async withKey<T>(key: Key, work: () => Promise<{ keep: boolean; result: T }>): Promise<T> {
    const former = await this.parts.keys.find(key);
    await this.login(key);
    let keep = false;
    try {
      const done = await work();
      keep = done.keep;
      return done.result;
    } finally {
      // Where there was none, a key that the command line stored may lie under it: a logout would take that one away, too.
      if (!keep && former) await this.login(former).catch(() => undefined);
    }
  }

  private async login(key: Key): Promise<void> {
    await this.parts.daemon.request("clined/account/login", { ...key, persist: false });
  }

  private async give(send: Send): Promise<void> {
    const keys = await this.parts.keys.all();
    const name = (a: Account) => accountName(a.provider, a.baseUrl);
    const gone = this.given.filter((a) => !keys.some((k) => name(k) === name(a)));
    this.given = keys.map(({ provider, baseUrl }) => ({ provider, baseUrl }));
    const failed = (what: string, a: Account) => () => this.parts.warn(`the key for ${a.baseUrl} could not be ${what}`);
    await Promise.all([
      ...keys.map((k) => send("clined/account/login", { ...k, persist: false }).then(nothing, failed("given to the daemon", k))),
      ...gone.map((a) => send("clined/account/logout", a).then(nothing, failed("taken back", a))),
    ]);
  }
}

const nothing = () => undefined;

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
