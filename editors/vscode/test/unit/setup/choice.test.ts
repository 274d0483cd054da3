// Addresses as people type them, and what of a choice is written into settings.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { accountName, isLocal, parseBaseUrl, writeChoice, type UserSettings } from "../../../src/setup/choice";

// Those that all editors are held to.
const cases = JSON.parse(readFileSync(resolve("..", "testdata", "addresses.json"), "utf8")) as {
  addresses: Record<string, string>;
  none: string[];
  local: string[];
  remote: string[];
};

test("addresses become what the settings name", () => {
  for (const [typed, url] of Object.entries(cases.addresses)) assert.deepEqual(parseBaseUrl(typed), { url }, typed);
});

test("what is no address says why", () => {
  for (const typed of cases.none) {
    const said = parseBaseUrl(typed);
    assert.ok("problem" in said && said.problem !== "" && said.hint !== "", `${typed}: ${JSON.stringify(said)}`);
  }
});

test("this machine is told from others", () => {
  for (const host of cases.local) assert.ok(isLocal(host), host);
  for (const host of cases.remote) assert.ok(!isLocal(host), host);
});

test("one server is one account, whatever the path", () => {
  assert.equal(accountName("openai", "https://a.example/v1"), accountName("openai", "https://A.example/v2/"));
  assert.notEqual(accountName("openai", "https://a.example/v1"), accountName("openai", "http://a.example/v1"));
  assert.notEqual(accountName("openai", "https://a.example/v1"), accountName("ollama", "https://a.example/v1"));
  assert.notEqual(accountName("openai", "https://a.example"), accountName("openai", "https://a.example:8443"));
});

class Settings implements UserSettings {
  writes: [string, unknown][] = [];
  constructor(readonly user: Record<string, unknown> = {}) {}
  inspect(key: string) {
    return { user: this.user[key], byDefault: key === "provider" ? "openai" : "" };
  }
  async update(key: string, value: unknown) {
    this.writes.push([key, value]);
    if (value === undefined) delete this.user[key];
    else this.user[key] = value;
  }
}

test("only what differs from a default is written, and only what changes", async () => {
  const settings = new Settings();
  const choice = { provider: "openai", baseUrl: "https://api.openai.com/v1", model: "gpt-5" };
  await writeChoice(settings, choice, true);
  assert.deepEqual(settings.user, { baseUrl: "https://api.openai.com/v1", apiKey: "keyring", model: "gpt-5" });
  settings.writes = [];
  await writeChoice(settings, choice, true);
  assert.deepEqual(settings.writes, []);
  await writeChoice(settings, { provider: "ollama", baseUrl: "http://127.0.0.1:11434", model: "qwen" }, false);
  assert.deepEqual(settings.user, { provider: "ollama", baseUrl: "http://127.0.0.1:11434", model: "qwen" });
  await writeChoice(settings, choice, false);
  assert.deepEqual(settings.user, { baseUrl: "https://api.openai.com/v1", model: "gpt-5" });
});
