// What would happen, precisely, by the type of the approval's subject.

import { useMemo } from "preact/hooks";
import type { ShownApproval } from "../../src/chat/messages";
import type { SubjectEdit, SubjectPart, SubjectPath } from "../../src/protocol/generated";
import { Icon, type IconName } from "../parts/icons";
import { post, task } from "../store";
import { ticked } from "./approval-always";
import { Copy } from "../parts/copy";
import { parseDiff } from "../../src/model/diff";
import { Change, DiffLines } from "../calls/diff-lines";
import type { Choice } from "../calls/diff-rows";
import { FileLink, shortPath } from "../parts/file-link";
import { Output } from "../calls/output";
import { visible } from "../parts/visible";

export type HunkChoice = Pick<Choice, "taken" | "toggle">;

export function ApprovalSubject({ request, choice }: { request: ShownApproval; choice: HunkChoice }) {
  const { subject } = request;
  switch (subject.type) {
    case "command":
      return <CommandSubject request={request} />;
    case "fileEdit":
      return (
        <>
          {(subject.files ?? []).map((file, i) => (
            <EditSubject key={i} request={request} file={file} choice={choice} />
          ))}
        </>
      );
    case "fileRead":
      return (
        <ul class="approval-paths">
          {(subject.paths ?? []).map((p) => (
            <li key={p.uri}>
              <FileLink path={p.path} /> <Marks path={p} />
            </li>
          ))}
        </ul>
      );
    case "mcp":
      return subject.args === undefined ? null : <Output text={visible(JSON.stringify(subject.args, null, 2))} label="Arguments" />;
    default: {
      const { type: _, ...rest } = subject;
      return Object.keys(rest).length > 0 ? <Output text={visible(JSON.stringify(rest, null, 2))} label="Subject" /> : null;
    }
  }
}

/** Why a path is more than it looks. */
function Marks({ path: { path, real, outside, protected: why } }: { path: SubjectPath }) {
  return (
    <>
      {real && real !== path && <span class="mark mark-warning">leads to {visible(real)}</span>}
      {outside && <span class="mark mark-warning">outside the workspace</span>}
      {why && <span class="mark mark-warning">protected: {visible(why)}</span>}
    </>
  );
}

function CommandSubject({ request }: { request: ShownApproval }) {
  const { command = "", cwd, parts = [], interactive, timeout, sandbox, unsandboxed } = request.subject;
  const roots = task.value?.info.roots ?? [];
  const where = cwd && !roots.includes(cwd) ? shortPath(cwd, roots) : "";
  return (
    <>
      <div class="call-command">
        <pre>{visible(command)}</pre>
        <span class="copy-corner">
          <Copy text={command} what="the command" />
        </span>
      </div>
      <Parts parts={parts} command={command} said={request.description ?? ""} />
      <ul class="approval-facts quiet">
        {cwd && (
          <li title={visible(cwd)}>
            in <code>{visible(where || (cwd.split(/[\\/]/).findLast(Boolean) ?? cwd))}/</code>
          </li>
        )}
        {unsandboxed ? (
          <li class="mark mark-warning">without the sandbox</li>
        ) : (
          sandbox && <li title={visible(sandbox)}>sandbox: {visible(sandbox)}</li>
        )}
        {interactive && <li>with a terminal that you type into</li>}
        {timeout !== undefined && timeout > 0 && <li>stopped after {timeout} s</li>}
      </ul>
    </>
  );
}

const verdicts: Record<string, { icon: IconName; label: string }> = {
  allow: { icon: "check", label: "allowed" },
  ask: { icon: "question", label: "asks" },
  deny: { icon: "circle-slash", label: "refused" },
};

// The simple commands of a line, and why each asks: each reason once, and none where it stands above already.
function Parts({ parts, command, said }: { parts: readonly SubjectPart[]; command: string; said: string }) {
  const only = parts.length === 1 && parts[0]?.command.trim() === command.trim() && (!parts[0].reason || parts[0].reason === said);
  if (parts.length === 0 || only) return null;
  return (
    <ul class="parts">
      {parts.map((part, i) => {
        const verdict = verdicts[part.verdict] ?? { icon: "question", label: part.verdict };
        const before = parts.slice(0, i).some((p) => p.reason === part.reason && p.verdict === part.verdict);
        const why = part.reason && part.reason !== said && !before ? part.reason : "";
        return (
          <li key={i} class={`part part-${part.verdict}`}>
            <Icon name={verdict.icon} />
            <span class="unseen">{verdict.label}: </span>
            <span>
              <code>{visible(part.command)}</code>
              {why && <span class="part-why"> {ticked(visible(why))}</span>}
              {part.rule && <span class="part-why quiet"> {ticked(visible(part.rule))}</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const ops: Record<string, { icon: IconName; label: string }> = {
  create: { icon: "diff-added", label: "new file" },
  modify: { icon: "diff-modified", label: "" },
  delete: { icon: "diff-removed", label: "deleted" },
  rename: { icon: "diff-renamed", label: "moved" },
};

function EditSubject({ request, file, choice }: { request: ShownApproval; file: SubjectEdit; choice: HunkChoice }) {
  const files = useMemo(() => parseDiff(file.diff), [file.diff]);
  const whole: Choice | undefined = file.hunks ? { hunks: file.hunks, ...choice } : undefined;
  const op = ops[file.op] ?? { icon: "edit" as const, label: file.op };
  const diffId = file.diffId ?? request.diffId;
  const many = (request.subject.files?.length ?? 0) > 1;
  const alone = file.hunks?.length === 1 && many ? file.hunks[0] : undefined;
  return (
    <div class={`edited ${alone && !choice.taken(alone.id) ? "edited-left" : ""}`}>
      <div class="edited-head">
        {alone && (
          <input type="checkbox" aria-label={`Take the change of ${file.path}`} checked={choice.taken(alone.id)} onChange={() => choice.toggle(alone.id)} />
        )}
        <Icon name={op.icon} class={`edited-op edited-${file.op}`} />
        <span class="edited-path">
          <FileLink path={file.path} />
          {file.to && (
            <>
              {" → "}
              <FileLink path={file.to.path} />
            </>
          )}{" "}
          {op.label && <span class="quiet">{op.label}</span>} <Marks path={file} />
          {file.to && <Marks path={file.to} />}
        </span>
        {files[0] && <Change added={files.reduce((n, f) => n + f.added, 0)} removed={files.reduce((n, f) => n + f.removed, 0)} />}
        <button class="text-button link" onClick={() => post({ type: "showDiff", title: request.title, diff: file.diff, ...(diffId ? { diffId } : {}) })}>
          Open diff
        </button>
      </div>
      {files.map((parsed, i) => (
        <DiffLines key={i} file={parsed} label={`Changes of ${shortPath(file.path, task.value?.info.roots ?? [])}`} choice={whole} limit={24} />
      ))}
    </div>
  );
}
