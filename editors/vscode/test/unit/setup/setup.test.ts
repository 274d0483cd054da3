// What the setup page's actions do to keys, settings and the daemon.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Keys } from "../../../src/setup/keys";
import { ModelSetup } from "../../../src/setup/setup";
import { FakeDaemon, Settings, Storage } from "./fakes";

const place = { provider: "openai", baseUrl: "https://api.example/v1" };
const choice = { ...place, model: "gpt-5" };
const secret = "sk-not-to-be-seen";

function begin() {
  const storage = new Storage();
  const daemon = new FakeDaemon();
  const settings = new Settings();
  const warnings: string[] = [];
  const keys = new Keys(storage);
  const setup = new ModelSetup({ daemon, keys, settings, warn: (s) => warnings.push(s) });
  return { storage, daemon, settings, warnings, keys, setup };
}

test("a choice that works is kept: the key in the storage, the rest in the settings", async () => {
  const { daemon, settings, keys, setup, storage } = begin();
  const result = await setup.perform({ kind: "save", choice: { ...choice, secret: ` ${secret}\n` } });
  assert.equal(result.saved, true);
  assert.equal(result.problem, undefined);
  assert.equal(result.sessionOnly, false);
  assert.deepEqual(await keys.all(), [{ ...place, secret }]);
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
  assert.deepEqual(await keys.all(), []);
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

test("a key that was only tried gives way to the one before", async () => {
  const { daemon, keys, setup } = begin();
  await keys.set({ ...place, secret: "former" });
  await setup.perform({ kind: "models", choice: { ...place, secret } });
  assert.deepEqual(daemon.asked("clined/account/login").map((p) => p.secret), [secret, "former"]);
  assert.deepEqual(await keys.all(), [{ ...place, secret: "former" }]);
  daemon.refusing = "clined/model/list";
  await assert.rejects(setup.perform({ kind: "models", choice: { ...place, secret } }));
  assert.equal(daemon.asked("clined/account/login").at(-1)?.secret, "former");
});

test("where the storage does not work the key lives in this session, and that is told", async () => {
  const { storage, daemon, keys, setup } = begin();
  storage.broken = true;
  const result = await setup.perform({ kind: "save", choice: { ...choice, secret } });
  assert.equal(result.saved, true);
  assert.equal(result.sessionOnly, true);
  assert.deepEqual(await keys.all(), [{ ...place, secret }]);
  daemon.sent.length = 0;
  await setup.introduce(daemon.request);
  assert.equal(daemon.asked("clined/account/login").length, 1);
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

test("signing out forgets the key here and in the daemon", async () => {
  const { daemon, keys, setup } = begin();
  await keys.set({ ...place, secret });
  const view = await setup.perform({ kind: "signOut", provider: "openai", baseUrl: "https://api.example" });
  assert.deepEqual(view.keys, []);
  assert.deepEqual(daemon.asked("clined/account/logout"), [{ provider: "openai", baseUrl: "https://api.example" }]);
  assert.deepEqual(await keys.all(), []);
});

test("another window's change of keys reaches the daemon", async () => {
  const { storage, daemon, keys, setup } = begin();
  await keys.set({ ...place, secret });
  await setup.introduce(daemon.request);
  const other = new Keys(storage);
  await other.delete(place);
  await setup.keysChanged();
  assert.deepEqual(daemon.asked("clined/account/logout"), [place]);
  daemon.sent.length = 0;
  daemon.state = { kind: "stopped" };
  await setup.keysChanged();
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
    assert.deepEqual(await keys.all(), []);
  }
  await keys.set({ ...place, secret });
  assert.equal((await keys.all()).length, 1);
});
