// A diff in the chat: unified, with line numbers, short at first. Where hunks can be left out each begins with a checkbox.

import { useMemo, useState } from "preact/hooks";
import { post } from "../store";
import type { DiffFile, DiffLine } from "../../src/model/diff";
import { diffRows, type Choice, type DiffRowItem } from "./diff-rows";
import { Rows } from "./output-rows";
import { clip, plural, visible } from "../parts/visible";

const folded = 40;
const longestLine = 2000;

interface Props {
  file: DiffFile;
  label: string;
  choice?: Choice;
  /** Where lines lead: a path to open. */
  path?: string;
  taskId?: string;
  limit?: number;
}

export function DiffLines({ file, label, choice, path, taskId, limit = folded }: Props) {
  const [all, setAll] = useState(false);
  const rows = useMemo(() => diffRows(file, choice?.hunks ?? []), [file, choice?.hunks]);
  const cut = !all && rows.length > limit + 8 ? limit : rows.length;
  const width = String(rows.reduce((n, r) => (r.kind === "line" ? Math.max(n, r.line.new ?? 0, r.line.old ?? 0) : n), 0)).length;
  if (rows.length === 0) return null;
  return (
    <div class={`diff diff-digits-${Math.min(7, Math.max(2, width))}`} data-testid="diff">
      <Rows
        class="diff-rows"
        label={label}
        count={cut}
        row={(i) => <DiffRow key={i} row={rows[i] as DiffRowItem} choice={choice} path={path} taskId={taskId} />}
      />
      {cut < rows.length && (
        <button class="text-button diff-more" onClick={() => setAll(true)}>
          Show {plural(rows.length - cut, "more line")}
        </button>
      )}
    </div>
  );
}

const signs = { same: " ", added: "+", removed: "−", note: " " };

function DiffRow({ row, choice, path, taskId }: { row: DiffRowItem; choice?: Choice; path?: string; taskId?: string }) {
  if (row.kind === "gap") {
    return (
      <div class="diff-row diff-gap">
        <span class="diff-number">⋯</span>
        <span class="diff-text">{clip(visible(row.section), 200)}</span>
      </div>
    );
  }
  if (row.kind === "choice") {
    return (
      <label class="diff-row diff-choice">
        <input type="checkbox" checked={choice?.taken(row.id) ?? true} onChange={() => choice?.toggle(row.id)} />
        <span>{row.label}</span>
      </label>
    );
  }
  const { line } = row;
  const left = row.hunk !== undefined && choice ? !choice.taken(row.hunk) : false;
  const number = line.new ?? line.old;
  return (
    <div class={`diff-row diff-${line.kind} ${left ? "diff-left" : ""}`}>
      {path && number !== undefined && line.kind !== "removed" ? (
        <button
          class="text-button diff-number"
          tabIndex={-1}
          aria-label={`Open line ${number}`}
          onClick={() => post({ type: "openFile", path, line: number - 1, ...(taskId ? { taskId } : {}) })}
        >
          {number}
        </button>
      ) : (
        <span class="diff-number">{number}</span>
      )}
      <span class="diff-sign" aria-label={line.kind === "added" ? "added" : line.kind === "removed" ? "removed" : undefined}>
        {signs[line.kind]}
      </span>
      <LineText line={line} />
    </div>
  );
}

function LineText({ line }: { line: DiffLine }) {
  const { text, changed } = line;
  const cut = text.length > longestLine;
  const end = cut ? <span class="quiet">… {plural(text.length - longestLine, "more character")}</span> : null;
  if (!changed || cut || changed[0] >= changed[1]) {
    return (
      <span class="diff-text">
        {visible(cut ? text.slice(0, longestLine) : text) || "\n"}
        {end}
      </span>
    );
  }
  return (
    <span class="diff-text">
      {visible(text.slice(0, changed[0]))}
      <span class="diff-word">{visible(text.slice(changed[0], changed[1]))}</span>
      {visible(text.slice(changed[1]))}
    </span>
  );
}

/** The lines added and removed, as figures. */
export function Change({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="change" aria-label={`${added} added, ${removed} removed`}>
      {(added > 0 || removed === 0) && <span class="change-added">+{added.toLocaleString("en-US")}</span>}
      {removed > 0 && <span class="change-removed">−{removed.toLocaleString("en-US")}</span>}
    </span>
  );
}
