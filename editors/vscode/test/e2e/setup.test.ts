// The first run: no model is connected, the welcome shows itself, a key is checked and kept where it belongs.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type Editor, withEditor } from "./harness/editor";
import { until } from "./harness/processes";

const key = "sk-e2e-0123456789";

const script = `
reply
  text Hello from the model behind the key.
  call attempt_completion {"result":"All connected."}
`;

/** A server that wants the key, before the scripted model. */
async function keyed(upstream: () => string): Promise<{ url: string; end(): Promise<void> }> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"Incorrect API key provided"}}');
      return;
    }
    if (request.url?.endsWith("/models")) {
      response.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[{"id":"fake-model"},{"id":"other-model"}]}');
      return;
    }
    let body = "";
    for await (const part of request) body += part;
    const told = await fetch(upstream() + (request.url ?? "").replace(/^\/v1/, ""), { method: "POST", headers: { "content-type": "application/json" }, body });
    response.writeHead(told.status, { "content-type": told.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await told.arrayBuffer()));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    end: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Every file that VS Code and the daemon left which has the key in it, but for the storage of secrets. */
async function leaks(vs: Editor): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ["data", "clined", "home", "work"]) {
    const names = await readdir(join(vs.root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const name of names.filter((n) => n.isFile())) {
      const path = join(name.parentPath, name.name);
      if ((await readFile(path).catch(() => Buffer.alloc(0))).includes(key)) found.push(path);
    }
  }
  return found;
}

test("a first run connects a model", async () => {
  let upstream = "";
  const server = await keyed(() => upstream);
  try {
    // Without a model in the settings; the script's server stands behind the one that wants the key.
    const settings = { "clined.baseUrl": undefined, "clined.model": undefined, "clined.discover": [] };
    await withEditor({ name: "setup", script, settings }, async (vs) => {
      upstream = vs.model?.url ?? "";
      await vs.openChat();
      await vs.in("welcome").waitFor();
      await vs.screenshot("setup-welcome");

      await vs.in("setup-url").fill(server.url);
      await vs.in("setup-key").fill("sk-wrong");
      await vs.in("setup-model").fill("fake-model");
      await vs.in("setup-save").click();
      await vs.in("setup-outcome").getByText(/key/).first().waitFor();
      await vs.screenshot("setup-refused");

      await vs.in("setup-key").fill(key);
      await vs.in("setup-model").click();
      await vs.in("setup-choose").click();
      await vs.in("model-item").filter({ hasText: "fake-model" }).click();
      await vs.in("setup-save").click();
      await vs.in("composer").waitFor();
      const user = () => readFile(join(vs.root, "data", "User", "settings.json"), "utf8");
      assert.match(await user(), /"clined.model": "fake-model"/);
      assert.doesNotMatch(await user(), /"clined.provider"/);

      // A new window, a new process: the key comes from VS Code's secret storage.
      await vs.reload();
      await vs.chatShown();
      await vs.in("composer").waitFor();
      await vs.say("hello");
      await vs.in("message-assistant").filter({ hasText: "All connected" }).waitFor();
      await vs.screenshot("setup-done");

      assert.deepEqual(await leaks(vs), []);

      await vs.command("clined: Set Up a Model");
      await vs.in("setup-connected").waitFor();
      await vs.in("kept-key").getByRole("button").click();
      await vs.in("kept-key").waitFor({ state: "detached" });
      await until("the chat to say what is missing", async () => (await vs.in("welcome").innerText()).includes("Connect a model"));
      await vs.screenshot("setup-signed-out");
    });
  } finally {
    await server.end();
  }
});

test("the demo works at once", async () => {
  await withEditor({ name: "demo", settings: { "clined.discover": [] } }, async (vs) => {
    await vs.openChat();
    await vs.in("welcome").waitFor();
    await vs.in("try-demo").click();
    await vs.in("composer").waitFor();
    await until("something to ask", async () => (await vs.in("composer").inputValue()).includes("weather"));
    await vs.in("send").click();
    await vs.in("approval").waitFor();
    await vs.decide("approve");
    await vs.in("message-assistant").filter({ hasText: /New York/ }).first().waitFor();
    await vs.screenshot("demo-weather");
  });
});
