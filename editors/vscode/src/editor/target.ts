// What a command is about: the selection of the active editor, or the place and problems of a code action, as an excerpt.

import { commands, languages, SymbolKind, Range, Uri, window, workspace } from "vscode";
import type { Diagnostic, DocumentSymbol, SymbolInformation, TextDocument } from "vscode";
import type { Excerpt, Problem } from "./excerpt";
import { pathFor } from "./excerpt";

/** The argument of a code action's command. */
export interface Target {
  uri: Uri;
  range: Range;
  diagnostics: readonly Diagnostic[];
}

export interface About {
  excerpt: Excerpt;
  problems: Problem[];
}

export function isTarget(arg: unknown): arg is Target {
  return typeof arg === "object" && arg !== null && "range" in arg && "diagnostics" in arg;
}

/**
 * Undefined where no editor is active. `around` widens a bare cursor to the function or class around it, which may ask a language
 * server, unless there are problems in its line.
 */
export async function aboutOf(arg: unknown, around: boolean): Promise<About | undefined> {
  if (isTarget(arg)) {
    const document = await workspace.openTextDocument(arg.uri);
    return { excerpt: excerptOf(document, arg.range), problems: arg.diagnostics.map(problemOf) };
  }
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  const lines = new Range(selection.start.line, 0, selection.end.line, Number.MAX_SAFE_INTEGER);
  const within = selection.isEmpty ? lines : selection;
  const found = languages.getDiagnostics(document.uri).filter((d) => d.range.intersection(within));
  const range = around && selection.isEmpty && found.length === 0 ? await symbolAround(document, selection) : selection;
  return { excerpt: excerptOf(document, range), problems: found.map(problemOf) };
}

/** Whole lines; a range that ends before the first character of a line does not reach into it. */
function excerptOf(document: TextDocument, range: Range): Excerpt {
  const startLine = range.start.line;
  const endLine = range.end.character === 0 && range.end.line > startLine ? range.end.line - 1 : range.end.line;
  const text = document.getText(new Range(startLine, 0, endLine, Number.MAX_SAFE_INTEGER));
  return { path: nameOf(document), startLine, endLine, languageId: document.languageId, text };
}

function problemOf({ range, message, source, code }: Diagnostic): Problem {
  return { line: range.start.line, message, source, code: typeof code === "object" ? code.value : code };
}

function nameOf({ uri }: TextDocument): string {
  const local = (workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
  const folders = local.map((folder) => ({ path: folder.uri.fsPath }));
  const path = pathFor(uri.fsPath, folders);
  if (uri.scheme === "file") return path;
  if (uri.scheme === "untitled") return uri.path.split("/").at(-1) ?? "";
  if (uri.scheme !== "vscode-notebook-cell") return `${path} (${uri.scheme})`;
  const cells = workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = cells.find((each) => each.document.uri.toString() === uri.toString());
  return cell ? `${path} (cell ${cell.index + 1})` : path;
}

const wide = new Set([
  SymbolKind.Class,
  SymbolKind.Constructor,
  SymbolKind.Enum,
  SymbolKind.Function,
  SymbolKind.Interface,
  SymbolKind.Method,
  SymbolKind.Struct,
]);

/** The innermost function, class or the like around a place, else the place. */
async function symbolAround(document: TextDocument, at: Range): Promise<Range> {
  type Symbols = (DocumentSymbol | SymbolInformation)[] | undefined;
  const all = await commands.executeCommand<Symbols>("vscode.executeDocumentSymbolProvider", document.uri);
  let best = at;
  let level = all ?? [];
  while (level.length > 0) {
    const inside = level.filter((s): s is DocumentSymbol => "children" in s && s.range.contains(at));
    for (const symbol of inside) if (wide.has(symbol.kind)) best = symbol.range;
    level = inside.flatMap((symbol) => symbol.children);
  }
  return best;
}
