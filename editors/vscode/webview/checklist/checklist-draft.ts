// What the user is making of the checklist, kept beside what the daemon tells: what comes from there meanwhile goes in, and an
// edit is gone only when the daemon has taken it.

import { useEffect, useReducer, useRef } from "preact/hooks";
import { asRequestError, request } from "../store";
import { sentence } from "../parts/words";
import { rebased, rows, toMarkdown, type Entries, type Rows } from "./checklist-edit";

interface Draft {
  /** What the rows were made of. */
  base: Entries;
  rows: Rows;
}

export function useDraft(taskId: string, entries: Entries) {
  const redraw = useReducer((n: number, _: void) => n + 1, 0)[1];
  const draft = useRef<Draft | null>(null);
  const problem = useRef("");
  // Only the answer to the last request tells.
  const turn = useRef(0);

  if (draft.current && draft.current.base !== entries) {
    draft.current = { base: entries, rows: rebased(draft.current.base, draft.current.rows, entries) };
    if (isTold(draft.current.rows, entries)) draft.current = null;
  }
  const shown = draft.current?.rows ?? rows(entries);

  const set = (next: Rows | null): void => {
    draft.current = next && { base: entries, rows: next };
    redraw();
  };
  const send = (next: Rows): void => {
    set(next);
    const markdown = toMarkdown(next);
    const mine = ++turn.current;
    problem.current = "";
    if (markdown === toMarkdown(entries)) return isTold(next, entries) ? set(null) : undefined;
    request("clined/task/setChecklist", { taskId, markdown }).catch((error: unknown) => {
      if (mine !== turn.current) return;
      problem.current = sentence(asRequestError(error).message);
      redraw();
    });
  };
  useEffect(() => () => void turn.current++, []);
  return {
    shown,
    problem: problem.current,
    /** What is being typed, and not sent yet. */
    write: set,
    send,
    sendDraft: () => draft.current && send(draft.current.rows),
    drop: () => {
      problem.current = "";
      set(null);
    },
  };
}

// A step without words is the user's alone as yet.
function isTold(all: Rows, entries: Entries): boolean {
  return all.every((r) => r.text.trim() !== "") && toMarkdown(all) === toMarkdown(entries);
}
