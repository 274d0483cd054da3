// A block of code: its language, its text, and what can be done with it. Colours come once it does not grow any more.

import { useEffect, useState } from "preact/hooks";
import { highlight, highlighted } from "./highlight";
import { Icon } from "../parts/icons";
import { memo } from "../parts/memo";
import { post } from "../store";
import { Copy } from "../parts/copy";
import { written } from "../parts/visible";

/** Lines of growing code that are laid out together: what is above them is not laid out again. */
const chunk = 60;

interface CodeProps {
  lang: string;
  text: string;
  growing: boolean;
  /** What is copied and inserted, where the text is but the beginning of it. */
  whole?: (() => string) | undefined;
}

export function CodeBlock({ lang, text, growing, whole }: CodeProps) {
  const html = useColours(written(text), lang, growing);
  const code = text.replace(/\n$/, "");
  const all = whole ?? (() => code);
  return (
    <figure class="code">
      <figcaption class="code-head">
        <span class="code-lang">{lang || "text"}</span>
        <Copy text={all} what="the code" />
        <button class="icon-button" title="Insert at the cursor" aria-label="Insert the code at the cursor" onClick={() => post({ type: "insert", text: all() })}>
          <Icon name="insert" />
        </button>
      </figcaption>
      <pre class="code-text" tabindex={0} aria-label={lang ? `Code, ${lang}` : "Code"}>
        {html === undefined ? <Plain text={written(code)} /> : <code dangerouslySetInnerHTML={{ __html: html }} />}
      </pre>
    </figure>
  );
}

function Plain({ text }: { text: string }) {
  const lines = text.split("\n");
  if (lines.length <= chunk) return <code>{text}</code>;
  const chunks: string[] = [];
  for (let i = 0; i < lines.length; i += chunk) chunks.push(lines.slice(i, i + chunk).join("\n"));
  return (
    <code>
      {chunks.map((c, i) => (
        <Chunk key={i} text={c} />
      ))}
    </code>
  );
}

const Chunk = memo(function Chunk({ text }: { text: string }) {
  return <span class="code-chunk">{text}</span>;
});

function useColours(text: string, lang: string, growing: boolean): string | undefined {
  const [, done] = useState(0);
  const known = growing ? undefined : highlighted(text, lang);
  useEffect(() => {
    if (growing || known !== undefined) return;
    let gone = false;
    void highlight(text, lang).then((html) => {
      if (html !== undefined && !gone) done((n) => n + 1);
    });
    return () => {
      gone = true;
    };
  }, [text, lang, growing, known]);
  return known;
}
