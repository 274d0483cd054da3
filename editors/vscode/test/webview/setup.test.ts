// The setup page in a browser: how a model is connected, what is told when it does not work, and that no key stays behind.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ToWebview } from "../../src/chat/messages";
import { asked, setUp, until } from "./await";
import { configured, demoPrompts, setupConnected, unconfigured, welcome } from "./scenes-composer";
import { never, type Stage } from "./stage";
import { Lab, type View } from "./view";

let lab: Lab;
before(async () => {
  lab = await Lab.open();
});
after(() => lab.close());

const limit = { timeout: 60_000 };
const secret = "sk-test-very-secret";

const state = (view: View) => view.page.evaluate(() => sessionStorage.getItem("state") ?? "");

test("without a model the page shows itself; a found server is one press away", limit, async () => {
  const view = await lab.show(welcome);
  await view.testId("welcome").waitFor();
  await view.testId("found-server").first().waitFor();
  await view.testId("found-model").selectOption("qwen3-coder:30b");
  await view.testId("found-use").click();
  await until("a choice", () => setUp(view, "save").length === 1);
  assert.deepEqual(setUp(view, "save")[0]?.choice, { provider: "ollama", baseUrl: "http://127.0.0.1:11434", model: "qwen3-coder:30b" });
  await view.testId("composer").waitFor();
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("a new task without a model stays here, and says why", limit, async () => {
  const view = await lab.show(welcome);
  await view.testId("welcome").waitFor();
  await view.deliver({ type: "show", page: "chat", focus: true });
  assert.equal(await view.testId("setup-needed").count(), 0);
  await view.deliver({ type: "show", page: "chat", taskId: null, focus: true });
  await view.testId("setup-needed").waitFor();
  assert.equal(await view.testId("composer").count(), 0);
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("a first run shows the page before the daemon has answered, and leaves it where a model is connected", limit, async () => {
  const first = (setup: Stage["setup"]): Stage => ({ daemon: { kind: "starting" }, page: "setup", unsure: true, setup });
  const running: ToWebview = { type: "daemon", state: { kind: "running", version: "0.1.0", methods: [] } };
  const silent = first({ ...welcome.setup, status: never });
  const view = await lab.show(silent);
  await view.page.getByText("Connect a model").waitFor();
  silent.setup = { ...silent.setup, status: configured };
  await view.deliver(running);
  await view.testId("composer").waitFor();
  assert.deepEqual(view.faults, []);
  await view.close();

  const missing = await lab.show(first(welcome.setup));
  await missing.deliver(running);
  await missing.testId("found-server").first().waitFor();
  assert.equal(await missing.testId("composer").count(), 0);
  await missing.close();

  // What is being typed is not taken away.
  const slow = first({ ...welcome.setup, status: never });
  const typing = await lab.show(slow);
  await typing.testId("setup-url").fill("https://api.example/v1");
  slow.setup = { ...slow.setup, status: configured };
  await typing.deliver(running);
  await typing.testId("setup-connected").waitFor();
  assert.equal(await typing.testId("setup-url").inputValue(), "https://api.example/v1");
  assert.deepEqual(typing.faults, []);
  await typing.close();
});

test("one can leave it, and the chat says what is missing", limit, async () => {
  const view = await lab.show(welcome);
  await view.testId("welcome").waitFor();
  await view.testId("back").click();
  await view.testId("composer-missing").waitFor();
  await view.testId("composer").fill("hello");
  assert.equal(await view.testId("send").isDisabled(), true);
  await view.page.keyboard.press("Enter");
  assert.equal(asked(view, "clined/task/new").length, 0);
  assert.equal(await view.testId("composer").inputValue(), "hello");
  await view.close();
});

test("an API: its models are listed, and what is wrong is told beside the button", limit, async () => {
  const models = { models: [{ id: "gpt-5" }, { id: "gpt-5-mini" }] };
  const view = await lab.show({
    ...welcome,
    setup: { ...welcome.setup, models, save: { saved: false, forcible: true, problem: "the provider refused the API key", hint: "check it" } },
  });
  await view.page.getByText("OpenAI", { exact: true }).click();
  await view.testId("setup-key").fill(secret);
  await view.testId("setup-key").blur();
  await until("the list", () => setUp(view, "models").some((a) => (a.choice as Record<string, unknown>).secret === secret));
  await view.testId("setup-choose").click();
  await view.testId("model-filter").fill("mini");
  await view.testId("model-item").first().click();
  assert.equal(await view.testId("setup-model").inputValue(), "gpt-5-mini");
  await view.testId("setup-save").click();
  await view.page.getByText("The provider refused the API key").waitFor();
  await view.screenshot("setup-refused-dark-420");
  assert.equal(await view.testId("setup-key").inputValue(), secret);
  await view.testId("save-anyway").click();
  await until("it is forced", () => setUp(view, "save").length === 2);
  assert.deepEqual(setUp(view, "save")[1], {
    kind: "save", unchecked: true, choice: { provider: "openai", baseUrl: "https://api.openai.com/v1", model: "gpt-5-mini", secret },
  });
  assert.equal((await state(view)).includes(secret), false);
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("a key is not shown unless asked, and gone from the page once saved", limit, async () => {
  const view = await lab.show({ ...welcome, setup: { ...welcome.setup, save: { saved: true, status: configured, sessionOnly: true } } });
  await view.testId("setup-url").fill("http://127.0.0.1:9/v1");
  await view.testId("setup-key").fill(secret);
  await view.testId("setup-model").fill("m");
  assert.equal(await view.testId("setup-key").getAttribute("type"), "password");
  await view.testId("setup-save").click();
  await view.page.getByText(/forgotten when this window closes/).waitFor();
  assert.equal(await view.testId("setup-key").inputValue(), "");
  assert.equal((await view.page.content()).includes(secret), false);
  await view.close();
});

test("an address that is none is told before anything is asked", limit, async () => {
  const view = await lab.show(welcome);
  await view.testId("setup-url").fill("ftp://example.com");
  await view.testId("setup-url").blur();
  await view.page.getByText("The address must begin with https:// or http://").waitFor();
  assert.equal(setUp(view, "models").length, 0);
  await view.close();
});

test("what is connected is shown, with its key to be forgotten; what its list says, too", limit, async () => {
  const view = await lab.show({ ...setupConnected, setup: { ...setupConnected.setup, signOut: { ...unconfigured, keys: [] } } });
  await view.testId("setup-connected").waitFor();
  assert.equal(await view.testId("setup-model").inputValue(), "gpt-5");
  await view.page.getByText("The provider refused the API key").waitFor();
  await view.testId("kept-key").getByText("Sign out").click();
  await view.testId("kept-key").waitFor({ state: "detached" });
  assert.deepEqual(setUp(view, "signOut"), [{ kind: "signOut", provider: "openai", baseUrl: "https://api.openai.com/v1" }]);
  await view.close();
});

test("the demo begins with something to ask, and ends by a press", limit, async () => {
  const view = await lab.show(welcome);
  await view.testId("try-demo").click();
  await until("words", async () => (await view.testId("composer").inputValue()).includes("weather"));
  const offered = () => view.testId("new-task-page").locator(".new-text").allTextContents();
  await until("what the demo can do", async () => (await offered()).length === 3);
  assert.deepEqual(await offered(), demoPrompts);
  await view.screenshot("demo-new-task");
  await view.page.getByText("Run a command in the terminal.").click();
  await until("the other suggestion in its place", async () => (await view.testId("composer").inputValue()) === "Run a command in the terminal.");
  await view.testId("new-task-page").getByRole("button", { name: "Connect a model" }).click();
  await view.testId("welcome").waitFor();
  assert.deepEqual(view.faults, []);
  await view.close();

  const running = await lab.show({ page: "setup", setup: { ...welcome.setup, status: { ...configured, demo: true, examples: demoPrompts }, demo: configured } });
  await running.page.getByText("End the demo").click();
  await running.page.getByText("Try the demo").waitFor();
  assert.deepEqual(setUp(running, "demo"), [{ kind: "demo", stop: true }]);
  await running.close();
});

test("what is typed outlives a reload of the view, but for the key, until it is saved", limit, async () => {
  const view = await lab.show({ ...setupConnected, setup: { ...setupConnected.setup, save: { saved: true, status: configured } } });
  await view.testId("setup-connected").waitFor();
  await view.testId("setup-url").fill("http://127.0.0.1:9/v1");
  await view.testId("setup-model").fill("mine");
  await view.testId("setup-key").fill(secret);
  await view.page.reload();
  await view.testId("setup-connected").waitFor();
  const fields = async () => [await view.testId("setup-url").inputValue(), await view.testId("setup-model").inputValue(), await view.testId("setup-key").inputValue()];
  assert.deepEqual(await fields(), ["http://127.0.0.1:9/v1", "mine", ""]);
  await view.testId("setup-save").click();
  await view.testId("composer").waitFor();
  assert.equal((await state(view)).includes("127.0.0.1"), false);
  await view.close();
});
