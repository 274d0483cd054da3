// A task as long as they get: thousands of messages of many kinds.

import type { Event } from "../../src/protocol/generated";
import { staged, type StagedTask } from "./stage";

const prose = "The price rules are applied in the order in which they were added, so a later rule sees what the earlier ones left. ";
const code = "```ts\nexport function total(lines: Line[]): number {\n  let sum = 0;\n  for (const line of lines) sum += line.price * line.count; // in cents\n  return sum;\n}\n```\n";
const table = "| step | expected | got |\n|---|---:|---:|\n| first | 90.00 | 90.00 |\n| second | 90.00 | 80.00 |\n";

/** Message n of the assistant. */
export function answer(n: number): string {
  switch (n % 5) {
    case 0:
      return `## Step ${n}\n\n${prose.repeat(1 + (n % 4))}\n\n${code}`;
    case 1:
      return `${prose}See \`src/price${n}.ts:${n}\` and **${n}** more:\n\n- one\n- two\n- three`;
    case 2:
      return `${prose.repeat(3)}\n\n${table}`;
    default:
      return `${prose}${n}`;
  }
}

/** A task of a few messages that are as long as they get. */
export function heavyTask(messages: number, characters: number): StagedTask {
  const events = Array.from({ length: messages }, (_, n): Event => {
    let text = "";
    for (let k = n; text.length < characters; k++) text += `${answer(k)}\n\n`;
    return { type: "message", messageId: `m${n}`, role: "assistant", content: [{ type: "text", text }], status: "completed" };
  });
  return staged("heavy", "Rework all rules", [...events, { type: "state", state: "idle", stopReason: "completed" }]);
}

export function longTask(messages: number): StagedTask {
  const events: Event[] = [];
  for (let n = 0; n < messages; n++) {
    if (n % 10 === 0) events.push({ type: "message", messageId: `u${n}`, role: "user", content: [{ type: "text", text: `Go on with step ${n}, please.` }], status: "completed" });
    else if (n % 3 === 0) events.push({ type: "toolCall", toolCallId: `c${n}`, name: "read_file", title: `Read src/price${n}.ts`, kind: "read", status: "completed", args: `{"path":"src/price${n}.ts"}`, locations: [`/home/me/shop/src/price${n}.ts`], output: "80 lines" });
    else events.push({ type: "message", messageId: `m${n}`, role: "assistant", content: [{ type: "text", text: answer(n) }], status: "completed" });
  }
  events.push({ type: "state", state: "idle", stopReason: "completed" });
  return staged("long", "Rework the price rules", events);
}
