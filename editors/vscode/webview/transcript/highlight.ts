// Colours for code, by highlight.js, which is a file of its own that is loaded when the first code wants it. Its classes get
// their colours from the theme in markdown.css.

/** Longer code stays plain: it would hold up the view. */
const longest = 60_000;
/** How many results are kept for items that scroll out of sight and back. */
const kept = 200;

const results = new Map<string, string>();
let library: Promise<typeof import("./languages").highlighter> | undefined;

const idle = (then: () => void) => (typeof requestIdleCallback === "function" ? requestIdleCallback(then, { timeout: 500 }) : setTimeout(then, 1));

/** What is known already, so that code that comes back is coloured at once. */
export function highlighted(text: string, lang: string): string | undefined {
  return results.get(`${lang}\n${text}`);
}

/** The code as HTML with classes, made while nothing else is to be done; undefined when the language is not known. */
export async function highlight(text: string, lang: string): Promise<string | undefined> {
  if (!lang || text.length > longest) return undefined;
  const known = highlighted(text, lang);
  if (known !== undefined) return known;
  library ??= import("./languages").then((m) => m.highlighter);
  const hljs = await library;
  if (!hljs.getLanguage(lang)) return undefined;
  await new Promise<void>((done) => idle(done));
  const html = hljs.highlight(text, { language: lang, ignoreIllegals: true }).value;
  results.set(`${lang}\n${text}`, html);
  if (results.size > kept) results.delete(results.keys().next().value ?? "");
  return html;
}
