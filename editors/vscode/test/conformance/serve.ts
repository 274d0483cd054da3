// Lets lines work a front, one line after the other, until they end.

import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { Front } from "./front";
import type { Action, Reply } from "./protocol";
import type { Stage } from "./stage";

export async function serve(stage: Stage, input: Readable, output: Writable): Promise<void> {
  let front: Front | undefined;
  const perform = async (line: string): Promise<Reply> => {
    const action = JSON.parse(line) as Action;
    if (action.verb === "start") {
      front = await Front.open(stage, action);
      return { ok: true };
    }
    if (!front) throw new Error("it was not started");
    if (action.verb === "state") return { ok: true, state: await front.state(action.after ?? -1) };
    const perform = front.verbs[action.verb];
    if (!perform) throw new Error(`the verb "${action.verb}" is unknown`);
    await perform(action);
    return { ok: true };
  };
  try {
    for await (const line of createInterface({ input })) {
      const reply = await perform(line).catch((error: Error): Reply => ({ ok: false, error: error.message }));
      output.write(`${JSON.stringify(reply)}\n`);
    }
  } finally {
    await front?.close();
  }
}
