// Where a model is: addresses of APIs as people type them, and the settings that name a choice.

import type { ModelChoice } from "../chat/messages";

/** What keeps an address from being one, in words for the user. */
export interface Refusal {
  problem: string;
  hint: string;
}

// Ends of addresses that people copy from examples; the API's address is what stands before them.
const endpoints = /\/(?:chat\/completions|completions|responses|embeddings|models)$/;

const local = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|::1|0\.0\.0\.0)$/;

/** Says whether a host is this machine, where plain http is no risk. */
export function isLocal(host: string): boolean {
  return local.test(host) || host.endsWith(".localhost");
}

/** Says whether what goes to an address can be read on its way: it leaves this machine unencrypted. */
export function isExposed(baseUrl: string): boolean {
  const url = new URL(baseUrl);
  return url.protocol === "http:" && !isLocal(url.hostname);
}

/** Makes an address of an API out of what was typed or pasted: with a scheme, without an endpoint's path and slashes at its end. */
export function parseBaseUrl(typed: string): { url: string } | Refusal {
  const text = typed.trim();
  if (text === "") {
    return { problem: "There is no address", hint: "It is in the provider's documentation, and often ends with /v1." };
  }
  const named = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  let url: URL;
  try {
    url = new URL(named ? text : `https://${text}`);
    if (!named && isLocal(url.hostname)) url = new URL(`http://${text}`);
  } catch {
    return { problem: "This is no address", hint: "It looks like https://api.example.com/v1." };
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { problem: "The address must begin with https:// or http://", hint: "It looks like https://api.example.com/v1." };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "The address holds a user name or password", hint: "Leave them out: the key has a field of its own." };
  }
  if (url.search !== "" || url.hash !== "") {
    return { problem: "The address holds more than a place", hint: "Leave out what begins with ? or #." };
  }
  const path = url.pathname.replace(/\/+$/, "").replace(endpoints, "").replace(/\/+$/, "");
  return { url: url.origin + path };
}

/** What a key is for: a provider at an origin. Two addresses of one server share their key, as the daemon sees it, too. */
export function accountName(provider: string, baseUrl: string): string {
  try {
    return `${provider}@${new URL(baseUrl).origin}`;
  } catch {
    return `${provider}@${baseUrl}`;
  }
}

/** Reads and writes the user's settings under `clined.`; `undefined` takes a value out. */
export interface UserSettings {
  /** The value in the user's own settings, and the default. */
  inspect(key: string): { user: unknown; byDefault: unknown };
  update(key: string, value: unknown): Promise<void>;
}

/** Writes a choice into the user's settings, only what differs from the default. `keyed` says whether the editor keeps a key for
 * it; where that is not known, what the settings say of that place stays. */
export async function writeChoice(settings: UserSettings, choice: Omit<ModelChoice, "secret">, keyed: boolean | undefined): Promise<void> {
  const text = (key: string) => String(settings.inspect(key).user ?? settings.inspect(key).byDefault ?? "");
  const same = accountName(text("provider"), text("baseUrl")) === accountName(choice.provider, choice.baseUrl);
  const wanted: Record<string, string> = {
    provider: choice.provider,
    baseUrl: choice.baseUrl,
    // Names the key of this place, so that one of the environment does not come before what the user typed.
    apiKey: keyed ? "keyring" : keyed === undefined && same ? text("apiKey") : "",
    model: choice.model,
  };
  for (const [key, value] of Object.entries(wanted)) {
    const now = settings.inspect(key);
    const next = value === now.byDefault ? undefined : value;
    if (next !== now.user) await settings.update(key, next);
  }
}
