// Addresses as people type them, and what of a choice is written into settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accountName, isLocal, parseBaseUrl, writeChoice, type UserSettings } from "../../../src/setup/choice";

test("addresses become what the settings name", () => {
  const cases: Record<string, string> = {
    "https://api.openai.com/v1": "https://api.openai.com/v1",
    "  https://api.openai.com/v1/ ": "https://api.openai.com/v1",
    "api.openai.com/v1": "https://api.openai.com/v1",
    "localhost:8080/v1": "http://localhost:8080/v1",
    "localhost": "http://localhost",
    "127.0.0.1:1234": "http://127.0.0.1:1234",
    "[::1]:8080/v1": "http://[::1]:8080/v1",
    "https://openrouter.ai/api/v1/chat/completions": "https://openrouter.ai/api/v1",
    "https://openrouter.ai/api/v1/models/": "https://openrouter.ai/api/v1",
    "HTTPS://API.Example.COM/V1//": "https://api.example.com/V1",
    "https://models.example.com": "https://models.example.com",
    "https://example.com/completions-proxy": "https://example.com/completions-proxy",
  };
  for (const [typed, url] of Object.entries(cases)) assert.deepEqual(parseBaseUrl(typed), { url }, typed);
});

test("what is no address says why", () => {
  for (const typed of ["", "   ", "ftp://example.com", "https://", "https://me:pw@example.com/v1", "https://example.com/v1?key=1", "https://example.com/#x", "a b c", "file:///etc/passwd", "javascript://alert(1)"]) {
    const said = parseBaseUrl(typed);
    assert.ok("problem" in said && said.problem !== "" && said.hint !== "", `${typed}: ${JSON.stringify(said)}`);
  }
});

test("this machine is told from others", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "app.localhost"]) assert.ok(isLocal(host), host);
  for (const host of ["localhost.example.com", "128.0.0.1", "example.com", "10.0.0.1", "127.0.0.1.example.com"]) assert.ok(!isLocal(host), host);
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
