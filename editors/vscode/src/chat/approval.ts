// What there is to decide about in an approval. Pure: the view has it, too.

import type { ApprovalRequestParams, Hunk } from "../protocol/generated";

/** All hunks of an approval's edits, in order. */
export function hunksOf(request: ApprovalRequestParams): Hunk[] {
  return (request.subject.files ?? []).flatMap((file) => file.hunks ?? []);
}
