// What the setup page's actions do to keys, settings and the daemon.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Keys } from "../../../src/setup/keys";
import { ModelSetup } from "../../../src/setup/setup";
import { FakeDaemon, Settings, Storage } from "./fakes";

const place = { provider: "openai", baseUrl: "https://api.example/v1" };
const choice = { ...place, model: "gpt-5" };
const secret = "sk-not-to-be-seen";

function begin(patience?: number) {
  const storage = new Storage();
  const daemon = new FakeDaemon();
  const settings = new Settings();
  const warnings: string[] = [];
  const keys = new Keys(storage, patience);
  const setup = new ModelSetup({ daemon, keys, settings, warn: (s) => warnings.push(s) });
  return { storage, daemon, settings, warnings, keys, setup };
}

test("a choice that works is kept: the key in the storage, the rest in the settings", async () => {
  const { daemon, settings, keys, setup, storage } = begin();
  const result = await setup.perform({ kind: "save", choice: { ...choice, secret: ` ${secret}\n` } });
  assert.equal(result.saved, true);
  assert.equal(result.problem, undefined);
  assert.equal(result.sessionOnly, false);
  assert.deepEqual((await keys.known()).keys, [{ ...place, secret }]);
  assert.deepEqual(settings.user, { baseUrl: place.baseUrl, apiKey: "keyring", model: "gpt-5" });
  assert.deepEqual(daemon.asked("clined/account/login"), [{ ...place, secret, persist: false }]);
  assert.equal(JSON.stringify([settings.user, result]).includes(secret), false);
  assert.equal(storage.held.size, 1);
});

test("a choice that does not work changes nothing, and says why", async () => {
  const { daemon, settings, keys, setup } = begin();
  daemon.models = { models: [], problem: "the key is refused", hint: "make a new one" };
  const result = await setup.perform({ kind: "save", choice: { ...choice, secret } });
  assert.deepEqual(result, { saved: false, forcible: true, problem: "the key is refused", hint: "make a new one" });
  assert.deepEqual(settings.user, {});
  assert.deepEqual((await keys.known()).keys, []);
});

test("it is saved all the same when the user says so", async () => {
  const { daemon, settings, setup } = begin();
  daemon.models = { models: [], problem: "nobody answers" };
  assert.equal((await setup.perform({ kind: "save", choice, unchecked: true })).saved, true);
  assert.equal(settings.user.model, "gpt-5");
  assert.equal(daemon.asked("clined/model/list").length, 0);
});

test("a model that is not listed is told, with the one that was meant", async () => {
  const { setup } = begin();
  const result = await setup.perform({ kind: "save", choice: { ...choice, model: "GPT-5" } });
  assert.equal(result.saved, false);
  assert.match(result.problem ?? "", /does not list “GPT-5”/);
  assert.match(result.hint ?? "", /“gpt-5”/);
  assert.equal(result.forcible, true);
});

test("an endpoint without a list is no reason against it", async () => {
  const { daemon, setup } = begin();
  daemon.models = { models: [] };
  assert.equal((await setup.perform({ kind: "save", choice })).saved, true);
});

test("without a model or an address nothing is asked", async () => {
  const { daemon, setup } = begin();
  assert.equal((await setup.perform({ kind: "save", choice: { ...choice, model: " " } })).saved, false);
  assert.equal((await setup.perform({ kind: "save", choice: { ...choice, baseUrl: "nonsense nonsense" } })).saved, false);
  assert.deepEqual(daemon.sent, []);
});

test("a key is not sent unencrypted to another machine without a yes", async () => {
  const { daemon, setup } = begin();
  const remote = { ...choice, baseUrl: "http://models.example/v1", secret };
  const result = await setup.perform({ kind: "save", choice: remote });
  assert.equal(result.saved, false);
  assert.match(result.problem ?? "", /unencrypted/);
  assert.deepEqual(daemon.sent, []);
  assert.equal((await setup.perform({ kind: "save", choice: { ...remote, baseUrl: "http://localhost:1234/v1" } })).saved, true);
});

test("nor to list what is there: it is asked without the key, and where that fails the reason is told", async () => {
  const { daemon, setup } = begin();
  const remote = { provider: "openai", baseUrl: "http://models.example/v1", secret };
  assert.equal((await setup.perform({ kind: "models", choice: remote })).models.length, 2);
  daemon.models = { models: [], problem: "it wants a key", hint: "store one" };
  const result = await setup.perform({ kind: "models", choice: remote });
  assert.equal(result.problem, "it wants a key");
  assert.match(result.hint ?? "", /unencrypted/);
  assert.deepEqual(daemon.sent.map(([method]) => method), ["clined/model/list", "clined/model/list"]);
  assert.equal(JSON.stringify(daemon.sent).includes(secret), false);
});

test("a key is tried for one request: it stands nowhere until it is saved", async () => {
  const { daemon, keys, setup } = begin();
  await keys.set({ ...place, secret: "former" });
  await setup.perform({ kind: "models", choice: { ...place, secret: ` ${secret}\n` } });
  daemon.models = { models: [], problem: "the key is refused" };
  await setup.perform({ kind: "save", choice: { ...choice, secret } });
  assert.deepEqual(daemon.sent, [
    ["clined/model/list", { ...place, secret }],
    ["clined/model/list", { ...place, secret }],
  ]);
  assert.deepEqual((await keys.known()).keys, [{ ...place, secret: "former" }]);
});

test("the key that will be used is the one that is tried: that which is kept, where none is typed", async () => {
  const { daemon, keys, setup } = begin();
  await keys.set({ ...place, secret });
  await setup.perform({ kind: "models", choice: { ...place, baseUrl: "https://api.example/v2" } });
  await setup.perform({ kind: "models", choice: { ...place, baseUrl: "https://other.example/v1" } });
  await setup.perform({ kind: "save", choice });
  assert.deepEqual(daemon.asked("clined/model/list"), [
    { ...place, baseUrl: "https://api.example/v2", secret },
    { ...place, baseUrl: "https://other.example/v1" },
    { ...place, secret },
  ]);
});

test("where the storage does not work the key lives in this session, and that is told", async () => {
  const { storage, daemon, keys, setup } = begin();
  storage.broken = true;
  const result = await setup.perform({ kind: "save", choice: { ...choice, secret } });
  assert.equal(result.saved, true);
  assert.equal(result.sessionOnly, true);
  assert.deepEqual((await keys.known()).keys, [{ ...place, secret }]);
  daemon.sent.length = 0;
  await setup.introduce(daemon.request);
  assert.equal(daemon.asked("clined/account/login").length, 1);
});

test("a storage that never answers keeps nobody waiting", async () => {
  const { storage, daemon, settings, setup } = begin(1);
  const never = () => new Promise<never>(() => {});
  Object.assign(storage, { get: never, store: never, delete: never });
  const result = await setup.perform({ kind: "save", choice: { ...choice, secret } });
  assert.deepEqual([result.saved, result.sessionOnly], [true, true]);
  assert.equal(settings.user.apiKey, "keyring");
  assert.deepEqual(daemon.asked("clined/account/login"), [{ ...place, secret, persist: false }]);
  assert.equal((await setup.perform({ kind: "save", choice: { ...choice, model: "gpt-5-mini" } })).saved, true);
  await assert.rejects(setup.perform({ kind: "signOut", ...place }), /does not answer/);
});

test("each process gets every key, before which nothing else is asked of it", async () => {
  const { daemon, keys, setup, warnings } = begin();
  await keys.set({ ...place, secret });
  await keys.set({ provider: "openai", baseUrl: "https://other.example/v1", secret: "two" });
  await setup.introduce(daemon.request);
  assert.deepEqual(daemon.asked("clined/account/login").map((p) => [p.baseUrl, p.secret, p.persist]), [
    [place.baseUrl, secret, false],
    ["https://other.example/v1", "two", false],
  ]);
  daemon.refusing = "clined/account/login";
  await setup.introduce(daemon.request);
  assert.equal(warnings.length, 2);
  assert.equal(warnings.join().includes(secret), false);
});

test("a keyring that does not answer keeps no process from starting", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { storage, daemon, setup } = begin();
  let open: (text: string | undefined) => void = () => undefined;
  storage.get = () => new Promise((resolve) => (open = resolve));
  const started = setup.introduce(daemon.request);
  t.mock.timers.tick(3000);
  await started;
  assert.deepEqual(daemon.sent, []);
  open(JSON.stringify([{ ...place, secret }]));
  await new Promise((done) => setImmediate(done));
  assert.equal(daemon.asked("clined/account/login").length, 1);
});

test("signing out forgets the key here and in this daemon, and nobody else's", async () => {
  const { daemon, keys, setup } = begin();
  await keys.set({ ...place, secret });
  const view = await setup.perform({ kind: "signOut", provider: "openai", baseUrl: "https://api.example" });
  assert.deepEqual(view.keys, []);
  assert.deepEqual(daemon.asked("clined/account/logout"), [{ provider: "openai", baseUrl: "https://api.example", persist: false }]);
  assert.deepEqual((await keys.known()).keys, []);
});

test("another window's change of keys reaches the daemon", async () => {
  const { storage, daemon, keys, setup } = begin();
  await keys.set({ ...place, secret });
  await setup.introduce(daemon.request);
  const other = new Keys(storage);
  await other.delete(place);
  await setup.keysChanged();
  assert.deepEqual(daemon.asked("clined/account/logout"), [{ ...place, persist: false }]);
  daemon.sent.length = 0;
  daemon.state = { kind: "stopped" };
  await setup.keysChanged();
  assert.deepEqual(daemon.sent, []);
});

test("a storage that fails takes no key back, and is asked again", async () => {
  const { storage, daemon, keys, settings, setup, warnings } = begin();
  await keys.set({ ...place, secret });
  await setup.introduce(daemon.request);
  storage.broken = true;
  await setup.keysChanged();
  assert.deepEqual(daemon.asked("clined/account/logout"), []);
  assert.equal(warnings.length, 1);
  // What the settings say of a key is not changed by what is not known.
  Object.assign(settings.user, { baseUrl: place.baseUrl, apiKey: "keyring", model: "gpt-5" });
  assert.equal((await setup.perform({ kind: "save", choice: { ...choice, model: "gpt-5-mini" } })).saved, true);
  assert.deepEqual(settings.user, { baseUrl: place.baseUrl, apiKey: "keyring", model: "gpt-5-mini" });

  storage.broken = false;
  await keys.delete(place);
  daemon.sent.length = 0;
  assert.deepEqual((await setup.perform({ kind: "status" })).keys, []);
  assert.deepEqual(daemon.sent, [
    ["clined/account/logout", { ...place, persist: false }],
    ["clined/setup/status", {}],
  ]);
});

test("a process that began without the storage gets the keys when it works", async () => {
  const { storage, daemon, keys, setup } = begin();
  await keys.set({ ...place, secret });
  storage.broken = true;
  await setup.introduce(daemon.request);
  assert.equal(daemon.sent.length, 0);
  storage.broken = false;
  await setup.perform({ kind: "status" });
  assert.deepEqual(daemon.sent.map(([method]) => method), ["clined/account/login", "clined/setup/status"]);
});

test("what was read for a former process goes to no later one", async () => {
  const { storage, daemon, keys, setup } = begin();
  await keys.set({ ...place, secret });
  const { get } = storage;
  let open: () => void = () => undefined;
  storage.get = async (key) => {
    await new Promise<void>((resolve) => (open = resolve));
    return get.call(storage, key);
  };
  const former = setup.introduce(daemon.request);
  storage.get = get;
  await keys.delete(place);
  await setup.introduce(daemon.request);
  open();
  await former;
  assert.deepEqual(daemon.sent, []);
});

test("saved, but something else comes first: that is told", async () => {
  const { daemon, setup } = begin();
  daemon.status = { configured: true, provider: "openai", model: "another", baseUrl: place.baseUrl };
  const result = await setup.perform({ kind: "save", choice });
  assert.equal(result.saved, true);
  assert.match(result.problem ?? "", /another/);
});

test("a saved choice ends the demo", async () => {
  const { daemon, setup } = begin();
  assert.equal((await setup.perform({ kind: "demo" })).demo, true);
  const result = await setup.perform({ kind: "save", choice });
  assert.equal(result.status?.demo, false);
  assert.deepEqual(daemon.asked("clined/setup/demo"), [{}, { stop: true }]);
});

test("a damaged entry of the storage counts as none", async () => {
  const { storage, keys } = begin();
  for (const text of ["{", "null", "{}", "[1, {\"provider\": 3}]"]) {
    storage.held.set("clined.keys", text);
    assert.deepEqual((await keys.known()).keys, []);
  }
  await keys.set({ ...place, secret });
  assert.equal((await keys.known()).keys.length, 1);
});
