// Streams of events: those that the daemon's own scenarios expect, and made-up ones that do all there is, from a seed.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Event, EventContent } from "../../../src/protocol/generated";
import { Record } from "./record";

const scenarios = resolve("..", "..", "internal", "test", "scenario", "testdata");

/** The expected events of every scenario that lists them. */
export function recorded(): { name: string; events: Event[] }[] {
  const files = readdirSync(scenarios, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".txtar"));
  return files.flatMap((name) => {
    const [, wanted] = readFileSync(join(scenarios, name), "utf8").split("-- want-events --\n");
    if (!wanted) return [];
    const lines = (wanted.split(/^-- .* --$/m)[0] ?? "").split("\n").filter((l) => l.startsWith("{"));
    return [{ name, events: lines.map((l) => JSON.parse(l) as Event) }];
  });
}

/** Numbers from 0 up to n, the same ones for the same seed. */
export type Chance = (n: number) => number;

export function chance(seed: number): Chance {
  let x = seed * 2_654_435_761 + 1;
  return (n) => {
    x = (Math.imul(x ^ (x >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((x >>> 4) % n + n) % n;
  };
}

/** A record of the events, with the deltas that a client with the capability `transcript` is sent before a whole message. */
export function told(events: readonly Event[], random: Chance): Record {
  const record = new Record();
  let turn = 0;
  for (const event of events) {
    if (event.type === "state" && event.state === "running") turn = Math.max(turn, 1);
    if (event.type === "message" && event.role === "assistant" && !event.final) stream(record, event.messageId, event.content, `turn-${turn}`, random);
    record.tell(event, `turn-${turn}`, 1 + random(3));
  }
  return record;
}

function stream(record: Record, messageId: string, content: readonly EventContent[], turnId: string, random: Chance): void {
  content.forEach((part, partIndex) => {
    for (let at = 0; at < (part.text?.length ?? 0); ) {
      const to = at + 1 + random(12);
      record.tell({ type: "messageDelta", messageId, partIndex, kind: part.type, text: part.text?.slice(at, to) ?? "" }, turnId);
      at = to;
    }
  });
}

/** A task of some turns in which everything happens that the protocol tells of. */
export function madeUp(random: Chance): Record {
  const record = new Record();
  let n = 0;
  const id = (kind: string) => `${kind}${++n}`;
  const text = () => "the words of a message ".slice(0, 1 + random(20));
  const said: string[] = [];
  let queued: { id: string; turn: string; text: string } | undefined;
  for (let turns = 2 + random(3), turn = 1; turn <= turns; turn++) {
    const turnId = `turn-${turn}`;
    const tell = (event: Event) => record.tell(event, turnId, 1 + random(3));
    const ask = queued?.turn === turnId ? queued : { id: id("u"), turn: turnId, text: text() };
    if (said.length > 1 && random(3) === 0) {
      const from = random(said.length);
      tell({ type: "rewind", messageId: said[from] ?? "" });
      said.length = from;
    }
    tell({ type: "message", messageId: ask.id, role: "user", content: [{ type: "text", text: ask.text }], status: "completed" });
    said.push(ask.id);
    tell({ type: "state", state: "running" });
    for (let steps = random(5), step = 0; step <= steps; step++) {
      const content: EventContent[] = [];
      if (random(2)) content.push({ type: "thought", text: text() });
      content.push({ type: "text", text: text() });
      const messageId = id("m");
      const status = random(5) === 0 ? "discarded" : "completed";
      stream(record, messageId, content, turnId, random);
      tell({ type: "message", messageId, role: "assistant", content, status });
      const call = { type: "toolCall" as const, toolCallId: id("c"), name: "execute_command", kind: "command" };
      tell({ ...call, status: "pending" });
      record.tell({ type: "toolCallDelta", toolCallId: call.toolCallId, argsText: '{"command":' }, turnId);
      tell({ ...call, status: "in_progress", title: "make", args: '{"command":"make"}' });
      record.tell({ type: "toolCallDelta", toolCallId: call.toolCallId, output: "ok\n" }, turnId);
      if (random(3) === 0) tell({ type: "state", state: "requires_action", pending: [{ id: "a", kind: "approval", title: "make" }] });
      if (random(3) === 0 && !queued) {
        queued = { id: id("q"), turn: `turn-${turn + 1}`, text: text() };
        record.tell({ type: "message", messageId: queued.id, role: "user", content: [{ type: "text", text: queued.text }], status: "pending" }, queued.turn);
      }
      if (random(3) === 0) tell({ type: "state", state: "running" });
      tell({ ...call, status: "completed", title: "make", args: '{"command":"make"}', output: "ok" });
      if (random(4) === 0) tell({ type: "notice", severity: "info", text: text() });
      if (random(4) === 0) tell({ type: "plan", entries: [{ text: text(), done: random(2) === 0 }] });
      tell({ type: "usage", used: n, size: 1000, tokensIn: n, tokensOut: n, cacheRead: 0, cacheWrite: 0 });
    }
    tell({ type: "state", state: "idle", stopReason: "completed" });
    if (queued?.turn === turnId) queued = undefined;
  }
  return record;
}
