// What tests of the view wait with, and look at.

import type { RelayedMethod } from "../../src/chat/messages";
import type { View } from "./view";

/** Waits for a condition; the limit is a guard against hanging alone. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`it never came: ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** The params of all requests of a method. */
export function asked(view: View, method: RelayedMethod): Record<string, unknown>[] {
  return view.sentOf("request").filter((r) => r.method === method).map((r) => r.params as Record<string, unknown>);
}

/** The setup's actions of a kind. */
export function setUp(view: View, kind: string): Record<string, unknown>[] {
  return view.sentOf("setup").map((m) => m.action as unknown as Record<string, unknown>).filter((a) => a.kind === kind);
}
