// Sections of long Markdown: nothing is lost, they do not depend on how the text came in, and what goes on says so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Growing } from "../../../webview/transcript/growing";
import { partsOf, type PartRow } from "../../../webview/transcript/parts";
import { Sections } from "../../../webview/transcript/sections";
import type { MessageItem } from "../../../src/model/task";

const prose = "Words that go on for the length of a line, and some more of them.\n";
const block = (n: number) => `## Part ${n}\n\n${prose.repeat(3)}\n- one\n- two\n\n\`\`\`ts\nconst a = ${n};\n\`\`\`\n\n`;
const blocks = Array.from({ length: 300 }, (_, n) => block(n)).join("");
const code = (mark: string, lines: number) => `${mark}ts\n${Array.from({ length: lines }, (_, n) => `const a${n} = \`\${${n}}\`;`).join("\n")}\n${mark}\n`;
const texts: Record<string, string> = {
  blocks,
  "a block of code": `Look:\n\n${code("```", 4000)}\nAnd so on.\n\n${blocks}`,
  "code with fences in it": `${code("~~~~", 10)}${prose}\n~~~~md\n${"```\n\nx\n\n```\n\n".repeat(2000)}~~~~\n\n${blocks}`,
  "one paragraph": prose.repeat(1000),
  "one line": "word ".repeat(40_000),
  "one word": "😀".repeat(30_000),
  "a table": `| a | b |\n|---|---|\n${"| one | two |\n".repeat(5000)}\n${blocks}`,
  "a list": "- an item of it\n".repeat(5000),
  "carriage returns": blocks.replaceAll("\n", "\r\n"),
  "code without an end": `${prose}\n\`\`\`\n${"x\n\n".repeat(9000)}`,
  short: "Hello.",
};

for (const [name, text] of Object.entries(texts)) {
  test(`${name}: all of it, in sections that are not long`, () => {
    const sections = new Sections().of(text);
    assert.equal(sections.map(({ from, to }) => text.slice(from, to)).join(""), text);
    for (const [i, s] of sections.entries()) {
      assert.ok(s.to - s.from <= 24_100, `${i} has ${s.to - s.from}`);
      assert.equal(s.from, sections[i - 1]?.to ?? 0);
      assert.doesNotMatch(text.charAt(s.from), /[\udc00-\udfff]/);
    }
  });

  test(`${name}: the same however it came in`, () => {
    const whole = new Sections().of(text);
    const grown = new Sections();
    let now: ReturnType<Sections["of"]> = [];
    for (let at = 0, n = 0; at < text.length; n++) {
      at = Math.min(text.length, at + 1 + ((n * 7919) % 3000));
      const next = grown.of(text.slice(0, at));
      for (const [i, s] of now.slice(0, -1).entries()) assert.equal(next[i], s, "what has ended stays");
      now = next;
    }
    assert.deepEqual(now, whole);
  });
}

const rendered = (text: string) => {
  const of = new Sections();
  return of.of(text).flatMap((s) => new Growing().parse(of.source(s, true), true));
};

test("sections between blocks are drawn as the whole is", () => {
  assert.deepEqual(rendered(blocks), new Growing().parse(blocks, true));
});

test("code goes on as code, and is copied as a whole", () => {
  for (const name of ["a block of code", "code with fences in it"] as const) {
    const text = texts[name] ?? "";
    const whole = new Growing().parse(text, true).filter((b) => b.kind === "code");
    const parts = rendered(text).filter((b) => b.kind === "code");
    assert.equal(parts.map((b) => b.text).join(""), whole.map((b) => b.text).join(""), name);
    assert.ok(parts.every((b) => b.closed));
    const of = new Sections();
    const begun = of.of(text).flatMap(({ code }) => (code === undefined ? [] : [of.code(code)]));
    const longest = whole.map((b) => b.text.replace(/\n$/, "")).reduce((a, b) => (a.length > b.length ? a : b));
    assert.deepEqual(begun, [longest], name);
  }
});

test("a table keeps its head, and links their definitions", () => {
  const of = new Sections();
  const table = of.of(texts["a table"] ?? "");
  assert.ok(table.length > 5);
  for (const s of table.slice(1, 4)) assert.ok(of.source(s, true).startsWith("| a | b |\n|---|---|\n| one | two |\n"));
  const text = `See [it][here].\n\n${blocks}\n[here]: https://example.org/it\n`;
  const [first] = new Sections().of(text);
  assert.ok(first);
  const html = rendered(text).map((b) => (b.kind === "html" ? b.html : "")).join("");
  assert.match(html, /data-url="https:\/\/example.org\/it"/);
});

test("a text that became another one is looked at anew", () => {
  const of = new Sections();
  of.of(blocks);
  assert.deepEqual(of.of("Hello."), new Sections().of("Hello."));
});

const said = (content: MessageItem["content"], status = "completed"): MessageItem => ({ kind: "message", id: "m", messageId: "m", role: "assistant", seq: 1, ts: "", content, status });
const shape = (rows: readonly PartRow[]) => rows.map((r) => `${r.id}${r.section ? "" : r.line ? " line" : " thought"}${r.first ? " first" : ""}${r.last ? " last" : ""}`);

test("a long message is rows; reasoning is among them when it is opened", () => {
  const thought = blocks.slice(0, 20_000);
  const item = said([{ type: "thought", text: thought }, { type: "text", text: blocks.slice(0, 9000) }, { type: "text", text: " " }]);
  const closed = partsOf(item, () => false);
  assert.deepEqual(shape(closed), ["m line first", "m/1/0", "m/1/1", "m/1/2 last"]);
  assert.equal(partsOf(item, () => false), closed);
  const open = partsOf(item, (id) => id === "m:0");
  assert.deepEqual(shape(open).slice(0, 2), ["m line first", "m/0/0"]);
  assert.equal(open.length, closed.length + new Sections().of(thought).length);
  assert.deepEqual(shape(partsOf(said([{ type: "thought", text: "Hm." }, { type: "text", text: blocks }]), () => true)).slice(0, 2), ["m thought first", "m/1/0"]);
});
