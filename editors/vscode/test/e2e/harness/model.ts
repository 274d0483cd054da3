// Owns the scripted model: a program of its own that speaks the model's API on loopback. The script's language is that of
// the stories in internal/test/scenario.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { places } from "./places";
import { type Started, start } from "./processes";

/** What the model was asked, decoded JSON. */
export interface ModelRequest {
  model: string;
  messages: { role: string; content: unknown; tool_calls?: unknown }[];
}

export interface Model {
  url: string;
  /** The requests so far, oldest first. */
  requests(): Promise<ModelRequest[]>;
  /** Lets the reply that waits at this `hold` go on. */
  release(name: string): Promise<void>;
  end(): Promise<void>;
}

export async function startModel(script: string, folder: string, env: NodeJS.ProcessEnv): Promise<Model> {
  const file = join(folder, "model.script");
  await writeFile(file, script);
  const program: Started = start([places.model, file], env);
  const [line] = await program.line(/^\{.*"url".*\}$/);
  const { url } = JSON.parse(line) as { url: string };
  const control = new URL(url).origin;
  return {
    url,
    requests: async () => (await (await fetch(`${control}/requests`)).json()) as ModelRequest[],
    release: async (name) => {
      const answer = await fetch(`${control}/release?name=${encodeURIComponent(name)}`, { method: "POST" });
      if (!answer.ok) throw new Error(`release ${name}: ${answer.status} ${await answer.text()}`);
    },
    end: () => program.end(),
  };
}
