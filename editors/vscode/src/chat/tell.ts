// Messages of VS Code. All of them go through here: what a model, a file or a server named may be in any of them.

import { window } from "vscode";
import { sentence } from "../daemon/sentence";
import { responseError } from "./relay";

const show = { info: "showInformationMessage", warning: "showWarningMessage", error: "showErrorMessage" } as const;

/** Shows a message as plain text; resolves to the button that was pressed. */
export function say(severity: keyof typeof show, text: string, ...buttons: string[]): Thenable<string | undefined> {
  return window[show[severity]](unlinked(text), ...buttons);
}

/** Tells the user of an error of the daemon. */
export function tell(error: unknown): void {
  const { message, hint } = responseError(error);
  void say("error", hint === undefined ? `clined: ${message}` : `clined: ${message}. ${sentence(hint).replace(/\.?$/, ".")}`);
}

/** VS Code makes links of `[words](target)` in a message, also of ones that run commands. */
export function unlinked(text: string): string {
  return text.replaceAll("](", "]\u200b(");
}
