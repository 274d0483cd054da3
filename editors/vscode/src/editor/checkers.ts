// Which documents something checks for problems. VS Code does not say: no event comes of a file that is clean and stays so.
// What had problems once is checked; besides, the languages of such documents, and those of well-known checkers that run.

import { extensions, workspace } from "vscode";
import type { TextDocument, Uri } from "vscode";
import { readable } from "./uris";

// Extensions that publish problems of every open document of these languages. One that is missing costs nothing once its first
// problem was seen; one that does not check after all makes an edit wait a second and a half.
const known: Record<string, readonly string[]> = {
  "vscode.typescript-language-features": ["typescript", "typescriptreact", "javascript", "javascriptreact"],
  "vscode.json-language-features": ["json", "jsonc"],
  "vscode.css-language-features": ["css", "scss", "less"],
  "bmewburn.vscode-intelephense-client": ["php"],
  "charliermarsh.ruff": ["python"],
  "dart-code.dart-code": ["dart"],
  "dbaeumer.vscode-eslint": ["javascript", "javascriptreact", "typescript", "typescriptreact"],
  "detachhead.basedpyright": ["python"],
  "golang.go": ["go"],
  "haskell.haskell": ["haskell"],
  "llvm-vs-code-extensions.vscode-clangd": ["c", "cpp"],
  "ms-dotnettools.csharp": ["csharp"],
  "ms-python.vscode-pylance": ["python"],
  "ms-vscode.cpptools": ["c", "cpp"],
  "redhat.java": ["java"],
  "redhat.vscode-yaml": ["yaml"],
  "rust-lang.rust-analyzer": ["rust"],
  "shopify.ruby-lsp": ["ruby"],
  "sumneko.lua": ["lua"],
  "svelte.svelte-vscode": ["svelte"],
  "timonwong.shellcheck": ["shellscript"],
  "vue.volar": ["vue"],
  "ziglang.vscode-zig": ["zig"],
};

export class Checkers {
  /** URIs that something was published of, an empty list too. */
  private readonly published = new Set<string>();
  private readonly seen = new Set<string>();

  /** Something was published of these. */
  note(uris: readonly Uri[]): void {
    const fresh = new Set<string>();
    for (const uri of uris) {
      const name = readable(uri);
      if (name && !this.published.has(name)) fresh.add(name);
    }
    if (fresh.size === 0) return;
    for (const name of fresh) this.published.add(name);
    for (const document of workspace.textDocuments) {
      const name = readable(document.uri);
      if (name && fresh.has(name)) this.seen.add(document.languageId);
    }
  }

  /** Ids of languages whose documents something checks, sorted. */
  languages(): string[] {
    const all = new Set(this.seen);
    for (const [id, languages] of Object.entries(known)) {
      if (extensions.getExtension(id)?.isActive) for (const language of languages) all.add(language);
    }
    return [...all].sort();
  }

  /** Whether something checks a file; `document` is that of it, if it is open. */
  covers(uri: string, document: TextDocument | undefined): boolean {
    return this.published.has(uri) || (document !== undefined && this.languages().includes(document.languageId));
  }
}
