// Scenes to look at, by name. Each owner of components adds theirs in a file of their own and names it in `scenes` below.

import type { Event } from "../../src/protocol/generated";
import { cardScenes } from "./scenes-cards";
import { composerScenes } from "./scenes-composer";
import { staged, type Stage } from "./stage";

const user = (messageId: string, text: string): Event => ({
  type: "message", messageId, role: "user", content: [{ type: "text", text }], status: "completed",
});
const says = (messageId: string, text: string, more: object = {}): Event => ({
  type: "message", messageId, role: "assistant", content: [{ type: "text", text }], status: "completed", ...more,
});

const storyEvents: Event[] = [
  user("m1", "The total in the cart is wrong when a voucher is used twice. Find out why and fix it."),
  { type: "state", state: "running" },
  { type: "info", title: "Fix the cart total with vouchers" },
  {
    type: "message", messageId: "m2", role: "assistant", status: "completed",
    content: [
      { type: "thought", text: "The user says that the total is wrong when a voucher is used twice. I should look at how vouchers are applied first.\n\nProbably `applyVoucher` is not idempotent." },
      { type: "text", text: "I'll look at how vouchers reach the total first." },
    ],
  },
  { type: "toolCall", toolCallId: "c1", name: "search_files", title: "Search for \"applyVoucher\"", kind: "read", status: "completed", args: "{\"path\":\"src\",\"regex\":\"applyVoucher\"}", locations: ["/home/me/shop/src"], output: "src/cart.ts:41: applyVoucher(v)\nsrc/cart.test.ts:12", autoApproved: "autoApprove.read" },
  { type: "toolCall", toolCallId: "c2", name: "read_file", title: "Read src/cart.ts", kind: "read", status: "completed", args: "{\"path\":\"src/cart.ts\"}", locations: ["/home/me/shop/src/cart.ts"], output: "src/cart.ts, 80 lines", autoApproved: "autoApprove.read" },
  says("m3", "Found it. `applyVoucher` in `src/cart.ts:41` subtracts the voucher **every time** it is called, and `refresh()` calls it again:\n\n```ts\nrefresh(): void {\n  this.total = this.lines.reduce((sum, line) => sum + line.price * line.count, 0);\n  for (const voucher of this.vouchers) this.applyVoucher(voucher); // subtracts again\n}\n```\n\nThree places are affected:\n\n1. `Cart.refresh` recomputes the total, then applies vouchers a second time\n2. `Cart.add` calls `refresh` for every line\n3. the test in [src/cart.test.ts](src/cart.test.ts) expects the wrong figure\n\n| step | expected | got |\n|---|---:|---:|\n| first voucher | 90.00 | 90.00 |\n| after `refresh()` | 90.00 | **80.00** |\n\nI'll make it idempotent."),
  { type: "plan", entries: [{ text: "Find where vouchers are applied", done: true }, { text: "Make applyVoucher idempotent", done: true }, { text: "Run the tests", done: false }] },
  { type: "toolCall", toolCallId: "c3", name: "replace_in_file", title: "Edit src/cart.ts", kind: "edit", status: "completed", args: "{\"path\":\"src/cart.ts\"}", locations: ["/home/me/shop/src/cart.ts"], output: "The edit was made.", diff: "--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -38,7 +38,8 @@\n   }\n \n   applyVoucher(v: Voucher): void {\n-    this.total -= v.amount;\n+    if (this.applied.has(v.code)) return;\n+    this.applied.add(v.code);\n+    this.total -= v.amount;\n   }\n" },
  { type: "toolCall", toolCallId: "c4", name: "execute_command", title: "npm test", kind: "command", status: "completed", args: "{\"command\":\"npm test\"}", output: "Command completed with exit code 0.\n\n12 passing" },
  { type: "notice", severity: "info", text: "the oldest part of the conversation was summarized", hint: "nothing of the task is lost; the summary took 2,100 tokens" },
  says("m4", "The total is right now: a voucher counts **once**, however often the cart is refreshed.\n\n- `applyVoucher` remembers the codes it has applied\n- the test covers two vouchers and a refresh\n\nAll 12 tests pass.", { final: true, command: "npm start" }),
  { type: "usage", used: 31_200, size: 128_000, tokensIn: 84_300, tokensOut: 5_120, cacheRead: 61_000, cacheWrite: 0, cost: 0.1432 },
  { type: "state", state: "idle", stopReason: "completed" },
];

const story: Stage = { taskId: "t1", tasks: [staged("t1", "Fix the cart total with vouchers", storyEvents)] };

const streaming: Stage = {
  taskId: "t1",
  tasks: [staged("t1", "Fix the cart total with vouchers", [
    ...storyEvents.slice(0, 3),
    { type: "message", messageId: "m2", role: "assistant", status: "in_progress", content: [{ type: "thought", text: "The user says that the total is wrong when a voucher is used twice.\nI should look at how vouchers are applied first" }] },
    { type: "usage", used: 9_100, size: 128_000, tokensIn: 9_000, tokensOut: 100, cacheRead: 0, cacheWrite: 0 },
  ], "running")],
};

const retrying: Stage = {
  taskId: "t1",
  tasks: [staged("t1", "Fix the cart total with vouchers", [
    ...storyEvents.slice(0, 4),
    { type: "state", state: "running", waiting: { reason: "the provider is overloaded", delayMs: 8000, attempt: 2, max: 3 } },
  ], "running")],
};

const failed: Stage = {
  taskId: "t1",
  tasks: [staged("t1", "Fix the cart total with vouchers", [
    ...storyEvents.slice(0, 4),
    { type: "state", state: "idle", stopReason: "error", error: { code: "auth", message: "the provider refused the API key", hint: "set it again in the setup, or by clined auth login", providerStatus: 401 } },
  ])],
};

const interrupted: Stage = {
  taskId: "t1",
  tasks: [staged("t1", "Fix the cart total with vouchers", storyEvents.slice(0, 6), "interrupted")],
};

const empty: Stage = {
  tasks: [
    staged("t1", "Fix the cart total with vouchers", storyEvents),
    staged("t2", "Move the price rules into their own module", storyEvents),
    staged("t3", "Why does the build fail on Windows?", storyEvents),
  ],
};

const broken: Stage = {
  ...story,
  daemon: { kind: "failed", problem: "clined ended unexpectedly (exit code 2)", hint: "its last words are in the log; the task is safe and can be resumed", help: ["restart", "log"] },
};

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC";

/** All that Markdown has, and what does not fit. */
const rich: Stage = {
  taskId: "t1",
  tasks: [staged("t1", "A very long title of a task that will not fit into the line of any side bar, however wide it may be", [
    {
      type: "message", messageId: "m1", role: "user", status: "completed",
      content: [
        { type: "text", text: "Look at this picture, and at https://example.org/a/very/long/address/that/has/no/place/to/break/anywhere/at/all?and=more\n\n    it keeps\n      its spaces" },
        { type: "image", mimeType: "image/png", data: dot },
      ],
    },
    {
      type: "message", messageId: "m2", role: "assistant", status: "completed",
      content: [{ type: "text", text: [
        "# First heading", "A paragraph with *emphasis*, **strength**, ~~no more~~, `code`, a [link](https://example.org) and a file: src/shop/price.ts:12.",
        "## Second heading", "- one\n- two\n  - nested\n  - more\n\n    ```sh\n    make test\n    ```\n- three",
        "- [x] done\n- [ ] to do, with a text that is long enough to need a second line in a narrow view", "3. starts at three\n4. goes on",
        "> A quote with `code`\n> over two lines", "### Third heading", "---",
        "```go\nfunc Total(lines []Line) (sum int) {\n\tfor _, l := range lines { // a line that is much longer than the view is wide, to be scrolled\n\t\tsum += l.Price * l.Count\n\t}\n\treturn sum\n}\n```",
        "```json\n{\"name\": \"shop\", \"count\": 12, \"open\": true, \"tax\": null}\n```",
        "```diff\n-old line\n+new line\n```", "```\nno language\n```",
        "```python\n@cached\ndef total(lines: list[Line]) -> int:\n    \"\"\"Sum of all.\"\"\"\n    return sum(l.price * l.count for l in lines)  # cents\n```",
        "```html\n<div class=\"cart\" data-id=\"7\">Hello &amp; welcome</div>\n```",
        "| a | much | wider | table | than | the | view |\n|---|---|---|---|---|---|---|\n| 1 | twotwotwotwo | threethree | fourfourfour | fivefive | sixsixsix | sevenseven |",
        "<b>HTML</b> is text. Averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongword.",
      ].join("\n\n") }],
    },
    { type: "notice", severity: "warning", text: "the server \"weather\" did not start", hint: "its log says why: clined mcp log weather" },
    { type: "notice", severity: "error", text: "the disk is full", hint: "make room, then resume" },
    { type: "message", messageId: "m3", role: "assistant", status: "cancelled", content: [{ type: "text", text: "I was about to say" }] },
    { type: "usage", used: 121_000, size: 128_000, tokensIn: 84_300, tokensOut: 5_120, cacheRead: 61_000, cacheWrite: 0, cost: 0.1432 },
    { type: "state", state: "idle", stopReason: "cancelled" },
  ])],
};

export const scenes: Record<string, Stage> = { story, streaming, retrying, failed, interrupted, empty, broken, rich, ...cardScenes, ...composerScenes };
