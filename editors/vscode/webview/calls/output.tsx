// What a command or tool printed: the end of it, all of it on demand, and a button to copy.

import { useMemo, useState } from "preact/hooks";
import { Copy } from "../parts/copy";
import { Rows } from "./output-rows";
import { countLines, outputLines, tailStart, type OutputLine, type Span } from "./output-text";
import { plural } from "../parts/visible";

const folded = 20;
/** What is beyond is in the log file; a longer page could not be scrolled. */
const most = 200_000;

interface Props {
  text: string;
  label?: string;
  /** More may come: the end stays in sight. */
  live?: boolean;
}

export function Output({ text, label = "Output", live = false }: Props) {
  const [all, setAll] = useState(false);
  const { lines, more, skipped } = useMemo(() => {
    const start = tailStart(text, all ? most : folded + 4);
    const read = outputLines(text.slice(start));
    const extra = !all && (start > 0 || read.length > folded + 4) ? Math.max(0, read.length - folded) : 0;
    const more = start > 0 || extra > 0;
    // While it grows by megabytes, what is out of sight is not counted each time.
    return { lines: read.slice(extra), more, skipped: live || !more ? 0 : countLines(text, start) + extra };
  }, [text, all, live]);
  if (lines.length === 0) return null;
  return (
    <div class="output" data-testid="output">
      {more && (
        <button class="text-button output-more" disabled={all} onClick={() => setAll(true)}>
          {all ? "What was before is left out" : skipped > 0 ? `Show all, ${plural(skipped, "more line")}` : "Show all"}
        </button>
      )}
      <span class="copy-corner">
        <Copy text={() => plainText(text)} what={`the ${label.toLowerCase()}`} />
      </span>
      <Rows
        class="output-rows"
        label={label}
        count={lines.length}
        follow={live}
        row={(i) => <OutputRow key={i} line={lines[i] ?? []} />}
      />
    </div>
  );
}

function OutputRow({ line }: { line: OutputLine }) {
  return <div class="output-row">{line.length === 0 ? "\n" : line.map((span, i) => <Piece key={i} span={span} />)}</div>;
}

function Piece({ span }: { span: Span }) {
  const { fg, bg, bold, dim, italic, underline, inverse } = span;
  const classes = [
    fg !== undefined && `ansi-fg-${fg}`,
    bg !== undefined && `ansi-bg-${bg}`,
    bold && "ansi-bold",
    dim && "ansi-dim",
    italic && "ansi-italic",
    underline && "ansi-underline",
    inverse && "ansi-inverse",
  ].filter(Boolean);
  return classes.length === 0 ? <>{span.text}</> : <span class={classes.join(" ")}>{span.text}</span>;
}

/** The text without colours and escape sequences, as it would be on a screen. */
export function plainText(text: string): string {
  return text.includes("\u001b") || text.includes("\r")
    ? outputLines(text).map((line) => line.map((s) => s.text).join("")).join("\n")
    : text;
}
