// The light bulb: "Fix" and "Explain" on problems, "Explain" and "Add" on selections. Made of what VS Code hands over, nothing is
// looked up.

import { CodeAction, CodeActionKind } from "vscode";
import type { CodeActionContext, CodeActionProvider, Range, TextDocument } from "vscode";
import type { Target } from "./target";

const onSelection = CodeActionKind.Refactor.append("clined");

export const providedCodeActionKinds = [CodeActionKind.QuickFix, onSelection];

export class Actions implements CodeActionProvider {
  provideCodeActions(document: TextDocument, range: Range, context: CodeActionContext): CodeAction[] {
    const wanted = (kind: CodeActionKind) => !context.only || context.only.contains(kind);
    const actions: CodeAction[] = [];
    const add = (title: string, kind: CodeActionKind, command: string, target: Target) => {
      const action = new CodeAction(title, kind);
      action.command = { title, command, arguments: [target] };
      action.diagnostics = target.diagnostics.length > 0 ? [...target.diagnostics] : undefined;
      actions.push(action);
    };
    const { diagnostics } = context;
    if (diagnostics.length > 0 && wanted(CodeActionKind.QuickFix)) {
      const all = diagnostics.map((d) => d.range).reduce((a, b) => a.union(b));
      const target = { uri: document.uri, range: all, diagnostics };
      add("Fix with clined", CodeActionKind.QuickFix, "clined.fix", target);
      add("Explain with clined", CodeActionKind.QuickFix, "clined.explain", target);
    }
    if (!range.isEmpty && wanted(onSelection)) {
      const target = { uri: document.uri, range, diagnostics: [] };
      add("Explain with clined", onSelection, "clined.explain", target);
      add("Add to clined", onSelection, "clined.addSelection", target);
    }
    return actions;
  }
}
