// What a tool call did, in full: links, matches, diffs, output, arguments. Each kind of result has its part here.

import { useMemo } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { CallItem } from "../../src/model/task";
import { Icon } from "../parts/icons";
import { openApprovals, post, task } from "../store";
import { parseCommand, parseList, parseNumbered, parseSearch, prettyJson, resolve, type Result, type ResultRow } from "./call-detail-parse";
import { Copy } from "../parts/copy";
import { parseDiff, type DiffFile } from "../../src/model/diff";
import { Change, DiffLines } from "./diff-lines";
import { FileLink } from "../parts/file-link";
import { Output } from "./output";
import { Rows } from "./output-rows";
import { clip, prose, visible } from "../parts/visible";
import { inBackground, TerminalControls } from "./terminal";
import { callArgs, isWriting } from "./tool-card-words";

/** Reads of the workspace are never asked about: to say so at each would be noise. */
const usual = "autoApprove.read";
/** A command of this length can be read in the card's line. */
const shortCommand = 20;

export function CallDetail({ call }: { call: CallItem }) {
  return (
    <>
      <Part call={call} />
      {call.autoApproved && call.autoApproved !== usual && (
        <p class="call-rule quiet">
          <Icon name="shield" /> Allowed unasked by {visible(call.autoApproved)}
        </p>
      )}
    </>
  );
}

function Part({ call }: { call: CallItem }) {
  if (call.callKind === "command") return <CommandPart call={call} />;
  if (call.callKind === "edit") return <EditPart call={call} />;
  if (isWriting(call) && !call.output) return <Arguments call={call} />;
  if (call.callKind === "read" && call.status === "completed") return <ReadPart call={call} />;
  if (call.callKind === "ask") return <AskPart call={call} />;
  return (
    <>
      <Arguments call={call} />
      <Outcome call={call} label="Result" />
    </>
  );
}

function Label({ children }: { children: ComponentChildren }) {
  return <p class="call-label quiet">{children}</p>;
}

function Outcome({ call, label }: { call: CallItem; label: string }) {
  const text = useMemo(() => prettyJson(call.output ?? ""), [call.output]);
  if (!text) return null;
  return (
    <div class={call.status === "failed" ? "call-failed" : ""}>
      <Label>{call.status === "failed" ? "Error" : label}</Label>
      <Output text={text} label={label} live={call.status === "in_progress"} />
    </div>
  );
}

function Arguments({ call }: { call: CallItem }) {
  const { values } = callArgs(call);
  const { task_progress: _, ...shown } = values;
  if (Object.keys(shown).length === 0) return null;
  return (
    <div>
      <Label>Arguments</Label>
      <Output text={JSON.stringify(shown, null, 2)} label="Arguments" />
    </div>
  );
}

const parsers: Record<string, (output: string) => Result | undefined> = { search_files: parseSearch, list_files: parseList };

function ReadPart({ call }: { call: CallItem }) {
  const output = call.output ?? "";
  const result = useMemo(() => (parsers[call.name] ?? parseNumbered)(output), [output]);
  if (!result || result.rows === 0) {
    return (
      <>
        <Locations call={call} />
        <Output text={output} label="Result" />
      </>
    );
  }
  return <ResultRows call={call} result={result} />;
}

function Locations({ call }: { call: CallItem }) {
  const all = call.locations ?? [];
  if (all.length < 2) return null;
  return (
    <ul class="call-paths">
      {all.slice(0, 50).map((path) => (
        <li key={path}>
          <FileLink path={path} />
        </li>
      ))}
    </ul>
  );
}

type Shown = { kind: "file"; path: string; name: string } | { kind: "row"; path: string; row: ResultRow };

function ResultRows({ call, result }: { call: CallItem; result: Result }) {
  const rows = useMemo(() => {
    const flat: Shown[] = [];
    result.sections.forEach((section, i) => {
      const path = sectionPath(call, section.path, i);
      if (section.path && (result.sections.length > 1 || call.name !== "read_file")) flat.push({ kind: "file", path, name: section.path });
      for (const row of section.rows) flat.push({ kind: "row", path, row });
    });
    return flat;
  }, [result]);
  return (
    <Rows
      class="result"
      label="Result"
      count={rows.length}
      row={(i) => {
        const shown = rows[i];
        if (!shown) return null;
        if (shown.kind === "file") {
          return (
            <div key={i} class="result-row result-file">
              <FileLink path={shown.path} label={shown.name} />
            </div>
          );
        }
        const { row, path } = shown;
        return (
          <div key={i} class={`result-row ${row.hit ? "result-hit" : ""}`}>
            {row.line === undefined ? call.name !== "list_files" && <span class="result-line" /> : <FileLink class="result-line" path={path} line={row.line - 1} label={String(row.line)} />}
            {row.file ? (
              <FileLink path={resolve(row.text, path, "")} label={row.text} />
            ) : (
              <span class="result-text">{visible(clip(row.text, 1000)) || "\n"}</span>
            )}
          </div>
        );
      }}
    />
  );
}

// Outlines name files from the folder that was asked for, the others from the task's folder.
function sectionPath(call: CallItem, name: string, i: number): string {
  const cwd = task.value?.info.cwd ?? "";
  const at = call.locations ?? [];
  if (!name) return at[0] ?? "";
  if (call.name === "read_file") return at.find((l) => l === name || l.endsWith("/" + name)) ?? at[i] ?? resolve(name, undefined, cwd);
  if (call.name === "list_code_definition_names") return at[0]?.endsWith("/" + name) ? at[0] : resolve(name, at[0], cwd);
  return resolve(name, undefined, cwd);
}

/** What stands below as a link, and what only the model can use. */
const elsewhere = / What it prints from now on comes with environment_details.*$/s;

function CommandPart({ call }: { call: CallItem }) {
  const { values } = callArgs(call);
  const command = call.terminal?.command ?? (typeof values.command === "string" ? values.command : "");
  const ended = call.status !== "pending" && call.status !== "in_progress";
  const { said, printed } = useMemo(
    () => (ended ? parseCommand(call.output ?? "") : { said: "", printed: call.output ?? "" }),
    [call.output, ended],
  );
  const later = call.terminal?.output ?? "";
  const text = later ? printed + (printed && !printed.endsWith("\n") ? "\n" : "") + later : printed;
  return (
    <>
      {(command.length > shortCommand || command.includes("\n")) && (
        <div class="call-command">
          <pre>{visible(clip(command, 20_000))}</pre>
          <span class="copy-corner">
            <Copy text={command} what="the command" />
          </span>
        </div>
      )}
      <Output text={text} live={!ended || inBackground(call)} />
      {said && <p class={`call-said ${call.status === "failed" ? "call-bad" : "quiet"}`}>{prose(said.replace(elsewhere, ""))}</p>}
      {call.terminal?.logFile && (
        <p class="call-said quiet">
          Everything it prints: <FileLink path={call.terminal.logFile} />
        </p>
      )}
      <TerminalControls call={call} />
    </>
  );
}

function EditPart({ call }: { call: CallItem }) {
  const waiting = openApprovals.value.find((a) => a.toolCallId === call.id);
  const diff = call.diff ?? waiting?.subject.files?.map((f) => f.diff).join("") ?? "";
  const files = useMemo(() => (diff ? parseDiff(diff) : []), [diff]);
  if (files.length === 0) {
    return (
      <>
        <Growing call={call} />
        <Outcome call={call} label="Result" />
      </>
    );
  }
  return (
    <>
      {files.map((file, i) => (
        <EditedFile key={i} call={call} file={file} diff={diff} many={files.length > 1} />
      ))}
      {call.status !== "completed" && call.status !== "in_progress" && <Outcome call={call} label="Result" />}
      {call.status === "completed" && <Told output={call.output ?? ""} />}
    </>
  );
}

/** What the daemon told the model beside the diff itself: the user's own changes, the formatter's, new problems. */
function Told({ output }: { output: string }) {
  const at = output.search(/^(The user (changed|took|went)|The editor formatted|New problems|The change is in the editor)/m);
  return at < 0 ? null : <Output text={output.slice(at)} label="What the model was told" />;
}

export function EditedFile({ call, file, diff, many }: { call: CallItem; file: DiffFile; diff: string; many: boolean }) {
  const path = (call.locations ?? []).find((l) => l === file.path || l.endsWith("/" + file.path)) ?? resolve(file.path, undefined, task.value?.info.cwd ?? "");
  return (
    <div class="edited">
      <div class="edited-head">
        {many || file.from ? (
          <span class="edited-path">
            {file.from && <span class="quiet">{visible(file.from)} → </span>}
            <FileLink path={path} label={file.path} />
          </span>
        ) : (
          <span class="edited-path" />
        )}
        {many && <Change added={file.added} removed={file.removed} />}
        <button class="text-button link" onClick={() => post({ type: "showDiff", title: call.title ?? file.path, diff })}>
          Open diff
        </button>
      </div>
      <DiffLines file={file} label={`Changes of ${file.path}`} path={file.op === "delete" ? undefined : path} taskId={task.value?.info.taskId} />
    </div>
  );
}

/** What the model is writing, before there is a diff. */
function Growing({ call }: { call: CallItem }) {
  const { values } = callArgs(call);
  const text = [values.content, values.diff, values.input].find((v): v is string => typeof v === "string");
  return text ? <Output text={text} label="What the model writes" live={isWriting(call)} /> : null;
}

function AskPart({ call }: { call: CallItem }) {
  const { values } = callArgs(call);
  const answer = /<answer>\n?([\s\S]*?)\n?<\/answer>/.exec(call.output ?? "")?.[1] ?? call.output ?? "";
  return (
    <>
      {typeof values.question === "string" && <p class="call-question">{prose(values.question)}</p>}
      {answer && <p class="call-answer">{prose(answer)}</p>}
    </>
  );
}
