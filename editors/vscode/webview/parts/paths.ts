// What looks like a path to a file, in prose and in code. Whether there is such a file only the host can tell. Pure.

/** A file at a line from 0. */
export interface FilePlace {
  path: string;
  line?: number;
}

const known =
  /\.(?:astro|bash|bat|c|cc|cfg|cjs|clj|cmake|conf|cpp|cs|css|csv|cts|cxx|dart|diff|ex|exs|fish|go|gradle|graphql|h|hpp|hs|html?|ini|ipynb|java|jsx?|json[c5l]?|kts?|less|lock|lua|m|mdx?|mjs|mk|mod|mts|nix|patch|php|pl|proto|ps1|py|pyi|r|rb|rs|rst|sass|scala|scss|sh|sql|sum|svelte|svg|swift|tf|toml|tsx?|txt|vue|xml|ya?ml|zig|zsh)$/i;
const plain = /^(?:Makefile|Dockerfile|Gemfile|Rakefile|Justfile|LICENSE|README|\.[a-z][\w-]*(?:ignore|rc|config|env)|\.env)$/;
const shape = /^(?:(?:\.{0,2}|~|[A-Za-z]:)[\\/])?(?:[\w@.+()[\]-]+[\\/])*[\w@+.()[\]-]+$/;
const place = /^(.*?)(?::(\d+)(?:[-:–]\d+)*|#L(\d+)(?:-L?\d+)?|\((\d+)(?:,\s*\d+)?\))?$/;

/** The file that a piece of text names, if it looks like one: by a known ending, or by folders and an ending. */
export function filePlace(text: string): FilePlace | undefined {
  if (text.length > 300 || text.includes("://")) return undefined;
  const [, path = "", a, b, c] = place.exec(text) ?? [];
  if (!shape.test(path) || path.startsWith("//")) return undefined;
  const name = path.split(/[\\/]/).at(-1) ?? "";
  const number = a ?? b ?? c;
  if (!known.test(name) && !plain.test(name)) return undefined;
  // A bare `.md` is an ending that is talked about, not a file.
  if (/^\.\w+$/.test(path) && !plain.test(path)) return undefined;
  return number === undefined ? { path } : { path, line: Math.max(0, Number(number) - 1) };
}

/** The places in running text that name files: there a path has folders, or a line. */
export function placesIn(text: string): { start: number; end: number; place: FilePlace }[] {
  const found: { start: number; end: number; place: FilePlace }[] = [];
  for (const word of text.matchAll(/[^\s"'`<>|*,;]+/g)) {
    const trimmed = word[0].replace(/^[([{]+/, "").replace(/[.:!?)\]}]+$/, "");
    const at = filePlace(trimmed);
    if (!at || (!/[\\/]/.test(at.path) && at.line === undefined)) continue;
    const start = word.index + word[0].indexOf(trimmed);
    found.push({ start, end: start + trimmed.length, place: at });
  }
  return found;
}
