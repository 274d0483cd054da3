// Answers `clined/diagnostics/pull`: the problems of files that something checks, once it has.

import { Uri, languages, workspace } from "vscode";
import type { CancellationToken, TextDocument } from "vscode";
import type { DiagnosticsPullParams, DiagnosticsPullResult } from "../protocol/generated";
import type { Checkers } from "./checkers";
import { problems } from "./problems";
import type { Settle } from "./settle";
import { readable } from "./uris";

interface Asked {
  /** As the daemon spells it, and as VS Code does. */
  theirs: string;
  ours: string;
  uri: Uri;
}

export async function pull(
  params: DiagnosticsPullParams,
  token: CancellationToken,
  checkers: Checkers,
  settle: Settle,
): Promise<DiagnosticsPullResult> {
  const open = new Map(workspace.textDocuments.map((d): [string, TextDocument] => [d.uri.toString(), d]));
  const asked = params.uris.flatMap(parse).filter(({ ours }) => checkers.covers(ours, open.get(ours)));
  // Asked without waiting, a change of them follows.
  if (params.settleMs === 0) for (const { ours } of asked) settle.before(ours);
  else if (asked.length > 0) await settle.wait(asked.map(({ ours }) => ours), params.settleMs, token);
  // Without a version: VS Code does not say which one problems were found in.
  const found = (uri: Uri) => problems(languages.getDiagnostics(uri));
  return { items: asked.map(({ theirs, uri }) => ({ uri: theirs, diagnostics: found(uri) })) };
}

function parse(theirs: string): Asked[] {
  let uri: Uri;
  try {
    uri = Uri.parse(theirs, true);
  } catch {
    return [];
  }
  const ours = readable(uri);
  return ours ? [{ theirs, ours, uri }] : [];
}
