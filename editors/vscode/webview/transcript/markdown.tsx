// Rendered Markdown. While it grows only its last block changes, and it is parsed no more often than it can keep up with.

import { useEffect, useRef, useState } from "preact/hooks";
import { memo } from "../parts/memo";
import { follow } from "../parts/links";
import { Growing, type Block } from "./growing";
import { CodeBlock } from "./code-block";

// Parsed messages, for those that scroll out of sight and back.
const parsed = new Map<string, Growing>();
const kept = 400;

function growing(id: string): Growing {
  const known = parsed.get(id);
  const doc = known ?? new Growing();
  parsed.delete(id);
  parsed.set(id, doc);
  if (parsed.size > kept) parsed.delete(parsed.keys().next().value ?? "");
  return doc;
}

/** `id` names the text over its whole life. `whole` is the text of its last block of code, where it has but the beginning of it. */
export function Markdown({ id, text, done, whole }: { id: string; text: string; done: boolean; whole?: (() => string) | undefined }) {
  const shown = usePaced(text, done, id);
  const blocks = growing(id).parse(shown, done && shown === text);
  return (
    <div class="md" onClick={follow} onKeyDown={follow}>
      {blocks.map((block, i) => (
        <BlockView key={i} block={block} growing={!done && i === blocks.length - 1} whole={i === blocks.length - 1 ? whole : undefined} />
      ))}
    </div>
  );
}

interface BlockProps {
  block: Block;
  growing: boolean;
  whole: (() => string) | undefined;
}

const BlockView = memo(function BlockView({ block, growing, whole }: BlockProps) {
  if (block.kind === "code") return <CodeBlock lang={block.lang} text={block.text} growing={growing || !block.closed} whole={whole} />;
  return <div class="md-block" dangerouslySetInnerHTML={{ __html: block.html }} />;
});

/**
 * The text as it is to be shown now. A text whose rendering takes long is rendered less often: at most a quarter of the
 * time goes into it, whatever its length.
 */
function usePaced(text: string, done: boolean, id: string): string {
  const [, again] = useState(0);
  const pace = useRef({ id, shown: text, next: 0, began: 0, timer: 0 });
  const p = pace.current;
  const now = performance.now();
  if (p.id !== id || done || now >= p.next || !text.startsWith(p.shown)) {
    p.id = id;
    p.shown = text;
    p.began = now;
  }
  const behind = p.shown !== text;
  useEffect(() => {
    if (p.began > 0) {
      p.next = performance.now() + 3 * (performance.now() - p.began) - 8;
      p.began = 0;
    }
    if (!behind) return;
    p.timer = window.setTimeout(() => again((n) => n + 1), Math.max(1, p.next - performance.now()));
    return () => clearTimeout(p.timer);
  });
  return p.shown;
}
