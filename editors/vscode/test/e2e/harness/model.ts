// Owns the scripted model: a program of its own that speaks the model's API on loopback, and ends with its input. The
// script's language is that of the stories in internal/test/scenario.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { places } from "./places";
import { hangGuard } from "./processes";

/** What the model was asked, decoded JSON. */
export interface ModelRequest {
  model: string;
  messages: { role: string; content: unknown; tool_calls?: unknown }[];
}

export interface Model {
  url: string;
  /** The requests so far, oldest first. */
  requests(): Promise<ModelRequest[]>;
  /** Resolves once a reply waits at this `hold`. */
  held(name: string): Promise<void>;
  /** Lets the reply that waits at this `hold` go on. */
  release(name: string): Promise<void>;
  /** Ends it; rejects when a request was not as the script expects, or replies are left. */
  end(): Promise<void>;
}

export async function startModel(script: string, folder: string, env: NodeJS.ProcessEnv): Promise<Model> {
  const file = join(folder, "model.script");
  await writeFile(file, script);
  const program = spawn(places.model, [file], { env, stdio: "pipe" });
  const ended = once(program, "close") as Promise<[number | null]>;
  const complaints = text(program.stderr);
  const begun = once(createInterface({ input: program.stdout }), "line") as Promise<[string]>;
  const first = await Promise.race([begun, ended.then(() => undefined)]);
  if (!first) throw new Error(`the scripted model: ${await complaints}`);
  const { url } = JSON.parse(first[0]) as { url: string };
  const control = new URL(url).origin;
  return {
    url,
    requests: async () => (await (await fetch(`${control}/requests`)).json()) as ModelRequest[],
    held: (name) => ask(control, `/held?name=${name}`, "GET"),
    release: (name) => ask(control, `/release?name=${name}`, "POST"),
    end: async () => {
      program.stdin.end();
      const [code] = await ended;
      if (code !== 0) throw new Error(`the scripted model: ${await complaints}`);
    },
  };
}

async function ask(control: string, path: string, method: string): Promise<void> {
  const answer = await fetch(control + path, { method, signal: AbortSignal.timeout(hangGuard) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
