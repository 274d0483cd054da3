// Markdown to HTML, block by block, so that a message that grows is parsed only where it grows. No HTML of the model's gets
// through: what comes out is made here, and its links are data that one handler acts on. Knows no DOM.

import MarkdownIt from "markdown-it";
import { filePlace, placesIn, type FilePlace } from "../parts/paths";
import { written } from "../parts/visible";

export type Block =
  | { kind: "html"; html: string }
  /** A block of code; not `closed` while its end has not come. */
  | { kind: "code"; lang: string; text: string; closed: boolean };

const md = new MarkdownIt({ html: false, linkify: true });
type Token = ReturnType<typeof md.parse>[number];
type Env = NonNullable<Parameters<typeof md.parse>[1]>;
const attribute = (token: Token | undefined, name: string) => String(token?.attrGet(name) ?? "");

md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

// What the host opens: web pages, mail, and files. Everything else stays text.
md.validateLink = (url) => {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.trim())?.[1]?.toLowerCase();
  return !scheme || scheme.length === 1 || ["http", "https", "mailto", "file"].includes(scheme);
};

const escape = (text: string) => md.utils.escapeHtml(text);
/** What is read; where links lead and what is copied stays as it is. */
const shown = (text: string) => escape(written(text));

/** The attributes of a link; the handler in links.ts reads them. */
function toFile({ path, line }: FilePlace): string {
  const at = line === undefined ? "" : ` data-line="${line}"`;
  return `<a class="md-path" role="link" tabindex="0" data-path="${escape(path)}"${at}>`;
}

function toPlace(href: string): string {
  if (/^(https?|mailto):/i.test(href)) return `<a class="md-link" href="${escape(href)}" data-url="${escape(href)}" title="${escape(href)}">`;
  let path = href.replace(/^file:\/\//i, "");
  try {
    path = decodeURIComponent(path);
  } catch {
    // it was no encoded path
  }
  const place = filePlace(path);
  if (place) return toFile(place);
  return path && !path.startsWith("#") ? toFile({ path: path.replace(/#.*$/, "") }) : '<a class="md-none">';
}

md.renderer.rules.link_open = (tokens, i) => toPlace(attribute(tokens[i], "href"));
// A picture from elsewhere would be a request to elsewhere: it becomes a link.
md.renderer.rules.image = (tokens, i) => {
  const token = tokens[i];
  return `${toPlace(attribute(token, "src"))}${shown(token?.content || attribute(token, "src") || "image")}</a>`;
};
md.renderer.rules.code_inline = (tokens, i) => {
  const text = tokens[i]?.content ?? "";
  const place = tokens[i]?.meta?.linked ? undefined : filePlace(text);
  const code = `<code>${shown(text)}</code>`;
  return place ? `${toFile(place)}${code}</a>` : code;
};
md.renderer.rules.text = (tokens, i) => {
  const token = tokens[i];
  const text = token?.content ?? "";
  if (token?.meta?.linked) return shown(text);
  let html = "";
  let from = 0;
  for (const { start, end, place } of placesIn(text)) {
    html += `${shown(text.slice(from, start))}${toFile(place)}${shown(text.slice(start, end))}</a>`;
    from = end;
  }
  return html + shown(text.slice(from));
};
md.renderer.rules.table_open = () => '<div class="md-table" tabindex="0" role="region" aria-label="Table"><table>';
md.renderer.rules.table_close = () => "</table></div>";
const nested = (token: Token | undefined) =>
  `<div class="md-code"><pre><code data-lang="${escape(language(token?.info))}">${shown(token?.content ?? "")}</code></pre></div>`;
md.renderer.rules.fence = (tokens, i) => nested(tokens[i]);
md.renderer.rules.code_block = (tokens, i) => nested(tokens[i]);

// Alignment is an inline style in markdown-it; the policy has none of these.
for (const cell of ["th_open", "td_open"] as const) {
  md.renderer.rules[cell] = (tokens, i, options, _env, self) => {
    const token = tokens[i];
    const side = /text-align:(\w+)/.exec(attribute(token, "style"))?.[1];
    if (token) token.attrs = side ? [["class", `md-${side}`]] : null;
    return self.renderToken(tokens, i, options);
  };
}

// Text inside of a link is no link again; `[ ]` and `[x]` at the beginning of a list item are boxes.
md.core.ruler.push("clined", (state) => {
  state.tokens.forEach((token, i) => {
    if (token.type !== "inline" || !token.children) return;
    let depth = 0;
    for (const child of token.children) {
      if (child.type === "link_open") depth++;
      if (child.type === "link_close") depth--;
      if (depth > 0) child.meta = { ...child.meta, linked: true };
    }
    const first = token.children[0];
    const box = first?.type === "text" ? /^\[([ xX])\] /.exec(first.content) : null;
    if (!first || !box || state.tokens[i - 2]?.type !== "list_item_open") return;
    first.content = first.content.slice(box[0].length);
    const mark = new state.Token("html_inline", "", 0);
    const done = box[1] !== " ";
    mark.content = `<span class="md-box" role="img" aria-label="${done ? "done" : "open"}" data-done="${done}"></span>`;
    token.children.unshift(mark);
    state.tokens[i - 2]?.attrJoin("class", "md-task");
  });
});

/** The word that names the language of a fence. */
export function language(info: string | undefined): string {
  return (/^[^\s{,:]*/.exec(info?.trim() ?? "")?.[0] ?? "").toLowerCase();
}

/** Parses a text that grows. Asking again with a longer text looks only at its last block and what was added. */
export class Growing {
  private text = "";
  private blocks: Block[] = [];
  /** Where the last block begins, and the fence's marker if it is code without an end. */
  private tail = 0;
  private fence: { marker: string; indent: number } | null = null;
  private finished = false;

  /** `done`: nothing will be added; the whole is parsed once more, as definitions at the end change links before them. */
  parse(whole: string, done: boolean): readonly Block[] {
    const text = whole.includes("\r") ? whole.replace(/\r\n?/g, "\n") : whole;
    if (text === this.text && this.finished === done) return this.blocks;
    if (!text.startsWith(this.text) || (done && /^ {0,3}\[[^\]]+\]:/m.test(text))) this.reset();
    this.finished = done;
    if (this.fence && this.growCode(text)) return this.blocks;
    this.parseTail(text);
    return this.blocks;
  }

  private reset(): void {
    this.text = "";
    this.blocks = [];
    this.tail = 0;
    this.fence = null;
  }

  // Code that has not ended grows by what is added, unless its end is in that.
  private growCode(text: string): boolean {
    const last = this.blocks.at(-1);
    if (!this.fence || last?.kind !== "code" || this.fence.indent > 0) return false;
    // The line that was begun may become the end of the code.
    const from = this.text.lastIndexOf("\n") + 1;
    if (text.slice(from).includes(this.fence.marker)) return false;
    this.blocks = [...this.blocks.slice(0, -1), { ...last, text: last.text + text.slice(this.text.length) }];
    this.text = text;
    return true;
  }

  private parseTail(text: string): void {
    const source = text.slice(this.tail);
    const env: Env = {};
    const tokens = md.parse(source, env);
    const lines = lineStarts(source);
    const kept = this.tail === 0 ? [] : this.blocks.slice(0, -1);
    let begin = 0;
    let lastLine = 0;
    this.fence = null;
    for (let i = 0, depth = 0; i < tokens.length; i++) {
      const token = tokens[i];
      if (!token) continue;
      if (depth === 0 && token.map) lastLine = token.map[0];
      depth += token.nesting;
      if (depth > 0) continue;
      const group = tokens.slice(begin, i + 1);
      begin = i + 1;
      kept.push(this.blockOf(group, env, source, lines));
    }
    this.blocks = kept;
    this.text = text;
    this.tail += lines[lastLine] ?? 0;
    if (kept.length === 0) this.tail = 0;
  }

  private blockOf(group: Token[], env: Env, source: string, lines: number[]): Block {
    const [token] = group;
    if (token?.type !== "fence" && token?.type !== "code_block") return { kind: "html", html: md.renderer.render(group, md.options, env) };
    if (token.type === "code_block") return { kind: "code", lang: "", text: token.content, closed: true };
    const first = lines[token.map?.[0] ?? 0] ?? 0;
    const last = source.slice(lines[(token.map?.[1] ?? 1) - 1] ?? 0, lines[token.map?.[1] ?? 1] ?? source.length);
    const indent = /^ */.exec(source.slice(first))?.[0].length ?? 0;
    const oneLine = (token.map?.[1] ?? 1) - (token.map?.[0] ?? 0) === 1;
    const closed = !oneLine && last.trim().startsWith(token.markup) && /^[`~]+$/.test(last.trim());
    if (!closed) this.fence = { marker: token.markup.slice(0, 3), indent };
    // markdown-it ends a code that was cut in the middle of a line with a line end of its own.
    const text = !closed && !source.endsWith("\n") ? token.content.replace(/\n$/, "") : token.content;
    return { kind: "code", lang: language(token.info), text, closed };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return starts;
}
