// Outcomes of approvals, the rules of "always", hunks in diffs, and changes of a checklist.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownApproval } from "../../../src/chat/messages";
import type { ApprovalOption } from "../../../src/protocol/generated";
import { canAllow, outcome, ruleGroups, takenHunks } from "../../../webview/decisions/approval-outcome";
import { changed, inserted, moved, progress, rebased, removed, rows, toMarkdown, type Entries, type Rows } from "../../../webview/checklist/checklist-edit";
import { parseDiff } from "../../../src/model/diff";
import { diffRows } from "../../../webview/calls/diff-rows";
import recorded from "../../fixtures/calls.json";

const edit = recorded.edits.approvals[0] as unknown as ShownApproval;
const command = recorded.wrong.approvals[0] as unknown as ShownApproval;
const yes = edit.options.find((o) => o.kind === "allow_once") as ApprovalOption;
const no = edit.options.find((o) => o.kind === "reject_once") as ApprovalOption;
const none = new Map<string, boolean>();

test("a plain yes and no", () => {
  assert.deepEqual(outcome(edit, yes, "", none), { optionId: "allow_once", subjectHash: edit.subjectHash });
  assert.deepEqual(outcome(edit, no, " use tabs \n", none), { optionId: "reject_once", subjectHash: edit.subjectHash, feedback: { text: "use tabs" } });
  assert.equal(outcome({ ...edit, allowFeedback: false }, yes, "x", none).feedback, undefined);
});

test("a yes to a part names the hunks; a no never does", () => {
  const part = new Map([["1.1", false]]);
  assert.deepEqual(outcome(edit, yes, "", part).hunks, ["1.2"]);
  assert.equal(outcome(edit, no, "", part).hunks, undefined);
  assert.equal(canAllow(edit, new Map([["1.1", false], ["1.2", false]])), false);
  assert.equal(canAllow(command, none), true);
});

test("hunks refused in the diff editor are left out, until they are taken here", () => {
  const shown = { ...edit, shown: { edited: false, refusedHunks: ["1.2"], hunks: 2 } };
  assert.deepEqual(takenHunks(shown, none), ["1.1"]);
  assert.deepEqual(outcome(shown, yes, "", none).hunks, ["1.1"]);
  // All of them, said in full: without it the diff editor's choice would count.
  assert.deepEqual(outcome(shown, yes, "", new Map([["1.2", true]])).hunks, ["1.1", "1.2"]);
});

test("rules are shown in full, with their scopes", () => {
  assert.deepEqual(
    ruleGroups(command).map((g) => [g.pattern, g.choices.map((c) => `${c.option.optionId}: ${c.scope}`)]),
    [
      ["commands that start with `ls`", ["allow_always: in this task", "allow_always_workspace: in this workspace", "allow_always_user: everywhere"]],
      ["exactly `ls /root`", ["allow_always_2: in this task", "allow_always_2_workspace: in this workspace", "allow_always_2_user: everywhere"]],
    ],
  );
  const odd = { ...command, options: [{ optionId: "x", kind: "allow_always", name: "Always" }, { optionId: "y", kind: "later", name: "?" }] };
  assert.deepEqual(ruleGroups(odd).map((g) => [g.pattern, g.choices[0]?.scope]), [["Always", "always"]]);
});

test("each hunk begins with its choice", () => {
  const [file] = parseDiff(edit.subject.files?.[0]?.diff ?? "");
  assert.ok(file);
  const rows = diffRows(file, edit.subject.files?.[0]?.hunks ?? []);
  const at = rows.flatMap((r, i) => (r.kind === "choice" ? [[r.id, rows[i + 1]]] : []));
  assert.deepEqual(at.map(([id, next]) => [id, typeof next === "object" && next.kind === "line" && next.line.text]), [["1.1", "\treturn n * 2"], ["1.2", "func Last() {}"]]);
  assert.ok(rows.every((r) => r.kind !== "line" || (r.hunk !== undefined) === (r.line.kind !== "same")));
  // One hunk alone is no choice; one that the diff does not show is offered all the same.
  assert.ok(diffRows(file, [{ id: "1.1", startLine: 5, endLine: 6, newStartLine: 5, newEndLine: 6 }]).every((r) => r.kind !== "choice"));
  assert.deepEqual(
    diffRows(file, [{ id: "a", startLine: 5, endLine: 6, newStartLine: 5, newEndLine: 6 }, { id: "b", startLine: 900, endLine: 901, newStartLine: 900, newEndLine: 901 }]).at(-1),
    { kind: "choice", id: "b", label: "Change 2 of 2, line 901" },
  );
});

test("changes of a checklist", () => {
  const list = rows([{ text: "a", done: true }, { text: "b", done: false }]);
  assert.equal(toMarkdown([...list, { text: " \n", done: false }, { text: "c\nd [x]", done: false }]), "- [x] a\n- [ ] b\n- [ ] c d [x]\n");
  assert.deepEqual(moved(list, 1, -1).map((e) => e.text), ["b", "a"]);
  assert.equal(moved(list, 0, -1), list);
  assert.deepEqual(inserted(list, 1).map((e) => e.text), ["a", "", "b"]);
  assert.deepEqual(removed(list, 0).map((e) => e.text), ["b"]);
  assert.deepEqual(changed(list, 1, { done: true }).map((e) => e.done), [true, true]);
  assert.deepEqual(progress(list), { done: 1, of: 2, current: "b" });
  assert.deepEqual(progress([]), { done: 0, of: 0, current: "" });
});

test("changes of a checklist are made of what the daemon tells meanwhile", () => {
  const entries = (text: string): Entries => text.split(" ").filter(Boolean).map((t) => ({ text: t.replace("+", ""), done: t.endsWith("+") }));
  const words = (all: Entries) => all.map((e) => e.text + (e.done ? "+" : "")).join(" ");
  const cases: [before: string, make: (all: Rows) => Rows, theirs: string, becomes: string][] = [
    ["a b c", (l) => changed(l, 1, { text: "bb" }), "a+ b c d", "a+ bb c d"],
    ["a b c", (l) => changed(l, 1, { text: "bb" }), "a b+ c", "a bb+ c"],
    ["a b c", (l) => changed(l, 1, { text: "bb" }), "c b a", "c bb a"],
    ["a b c", (l) => changed(l, 1, { text: "bb" }), "a c", "a bb c"],
    ["a b c", (l) => changed(l, 0, { done: true }), "a b+ c", "a+ b+ c"],
    ["a b c", (l) => changed(l, 0, { done: true }), "b c", "b c"],
    ["a b c", (l) => removed(l, 1), "a b+ c d", "a c d"],
    ["a b c", (l) => inserted(l, 1), "x a b", "x a  b"],
    ["a b c", (l) => changed(inserted(l, 3), 3, { text: "mine" }), "a+ b c new", "a+ b c mine new"],
    ["a b c", (l) => moved(l, 2, -1), "a+ b c d", "a+ c d b"],
    ["a a", (l) => changed(l, 1, { text: "b" }), "a+ a", "a+ b"],
    ["a b", (l) => changed(l, 0, { text: "mine" }), "", "mine"],
  ];
  for (const [before, make, theirs, becomes] of cases) {
    const base = entries(before);
    const made = rebased(base, make(rows(base)), entries(theirs));
    assert.equal(words(made), becomes);
    assert.equal(new Set(made.map((r) => r.key)).size, made.length, `keys of ${becomes}`);
  }
  const base = entries("a b");
  const typing = changed(rows(base), 1, { text: "bb" });
  assert.equal(rebased(base, typing, entries("new a b"))[2]?.key, typing[1]?.key);
});
