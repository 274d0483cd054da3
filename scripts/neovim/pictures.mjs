// Draws screens of terminals: node scripts/neovim/pictures.mjs FROM INTO makes INTO/NAME.png of each FROM/NAME.ansi. A file's first
// line is "COLUMNS ROWS CURSOR_X CURSOR_Y", the rest is what `tmux capture-pane -p -e` tells.
//
// Owns the drawing of cells: a fixed grid, so that a sign that is too wide is seen, as it would be in a terminal.
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, shared } from "./files.mjs";

const cell = { width: 9, height: 19 };
const ground = "#14161b"; // Neovim's own, where it sets none
const ink = "#e0e2ea";
const basic = [
  ..."#07080d #ff5f5f #5fd787 #fce094 #6fa8ff #ff87ff #8cf8f7 #c4c6cd".split(" "),
  ..."#4f5258 #ffc0b9 #b3f6c0 #fce094 #a6dbff #ffcaff #8cf8f7 #eef1f8".split(" "),
];

function indexed(n) {
  if (n < 16) return basic[n];
  if (n >= 232) return `rgb(${Array(3).fill(8 + 10 * (n - 232)).join()})`;
  const level = (m) => (m === 0 ? 0 : 55 + 40 * m);
  const m = n - 16;
  return `rgb(${level(Math.floor(m / 36))},${level(Math.floor(m / 6) % 6)},${level(m % 6)})`;
}

/** Reads a colour behind 38, 48 or 58; colons and semicolons both part it. */
function extended(codes) {
  const kind = codes.shift();
  if (kind === 5) return indexed(codes.shift());
  const [red, green, blue] = codes.splice(0, 3);
  return `rgb(${red},${green},${blue})`;
}

const off = { 22: ["bold", "dim"], 23: ["italic"], 24: ["underline"], 27: ["reverse"], 29: ["strike"], 39: ["fg"], 49: ["bg"], 59: ["line"] };
const on = { 1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "strike" };

function styled(style, sequence) {
  // The kind of an underline, 4:3, is a part of its code.
  const codes = sequence.replace(/\b4:(\d)/g, (_, kind) => (kind === "0" ? "24" : "4")).split(/[;:]/).map(Number);
  let next = { ...style };
  while (codes.length > 0) {
    const code = codes.shift();
    if (code === 0) next = {};
    else if (on[code]) next[on[code]] = true;
    else if (off[code]) for (const name of off[code]) delete next[name];
    else if (code === 38) next.fg = extended(codes);
    else if (code === 48) next.bg = extended(codes);
    else if (code === 58) next.line = extended(codes);
    else if (code >= 30 && code <= 37) next.fg = basic[code - 30];
    else if (code >= 40 && code <= 47) next.bg = basic[code - 40];
    else if (code >= 90 && code <= 97) next.fg = basic[code - 82];
    else if (code >= 100 && code <= 107) next.bg = basic[code - 92];
  }
  return next;
}

function css(style) {
  let [fg, bg] = [style.fg ?? ink, style.bg];
  if (style.reverse) [fg, bg] = [bg ?? ground, fg];
  const rules = [`color:${fg}`];
  if (bg) rules.push(`background:${bg}`);
  if (style.bold) rules.push("font-weight:bold");
  if (style.italic) rules.push("font-style:italic");
  if (style.dim) rules.push("opacity:.6");
  const lines = [style.underline && "underline", style.strike && "line-through"].filter(Boolean);
  if (lines.length > 0) rules.push(`text-decoration:${lines.join(" ")} ${style.line ?? ""}`);
  return rules.join(";");
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const wide = /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}]/u;

function cells(lines) {
  let [style, html] = [{}, ""];
  lines.forEach((line, row) => {
    let column = 0;
    for (const part of line.split(/(\x1b\[[\d;:]*m|\x1b\].*?(?:\x1b\\|\x07)|\x1b[()].|[\x0e\x0f])/)) {
      const sequence = /^\x1b\[([\d;:]*)m$/.exec(part);
      if (sequence) style = styled(style, sequence[1]);
      if (/^[\x1b\x0e\x0f]/.test(part)) continue;
      for (const { segment } of new Intl.Segmenter().segment(part)) {
        const span = wide.test(segment) ? 2 : 1;
        const at = `left:${column * cell.width}px;top:${row * cell.height}px;width:${span * cell.width}px`;
        if (segment !== " " || style.bg || style.reverse || style.underline) html += `<i style="${at};${css(style)}">${escaped(segment)}</i>`;
        column += span;
      }
    }
  });
  return html;
}

function page(text) {
  const [head, ...lines] = text.split("\n");
  const [columns, rows, x, y] = head.split(" ").map(Number);
  const size = `width:${columns * cell.width}px;height:${rows * cell.height}px`;
  const cursor = `left:${x * cell.width}px;top:${y * cell.height}px;width:${cell.width}px;outline:1px solid ${ink};outline-offset:-1px`;
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: ${ground}; font: 15px/${cell.height}px "DejaVu Sans Mono", "Noto Sans Mono", monospace }
    #screen { position: relative; overflow: hidden; ${size} }
    i { position: absolute; height: ${cell.height}px; font-style: normal; white-space: pre; overflow: visible }
  </style><div id="screen">${cells(lines.slice(0, rows))}<i style="${cursor}"></i></div>`;
}

const [from, into] = process.argv.slice(2);
const names = readdirSync(from).filter((name) => name.endsWith(".ansi"));
if (names.length > 0) {
  mkdirSync(into, { recursive: true });
  const browser = await shared("playwright-core").chromium.launch({
    executablePath: chromium,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"],
  });
  const tab = await browser.newPage();
  for (const name of names) {
    await tab.setContent(page(readFileSync(join(from, name), "utf8")));
    await tab.locator("#screen").screenshot({ path: join(into, name.replace(/ansi$/, "png")) });
  }
  await browser.close();
}
