// A tool call as one line that opens to its detail.

import type { CallItem } from "../../src/model/task";
import { Icon, type IconName } from "../parts/icons";
import { openApprovals, openAsks, working } from "../store";
import { CallDetail } from "./call-detail";
import { Change } from "./diff-lines";
import { FileLink } from "../parts/file-link";
import { runs, inBackground } from "./terminal";
import { isOpen, setOpen } from "./tool-card-open";
import { describe, isQuiet, isWriting, reason, searchedIn, type CallWords } from "./tool-card-words";

interface State {
  name: string;
  icon: IconName;
  label: string;
  spin?: boolean;
}

/** Whether the user has to decide before it goes on. */
function waitsFor(call: CallItem): boolean {
  if (call.callKind === "ask") return call.status === "in_progress" && openAsks.value.length > 0;
  return openApprovals.value.some((a) => a.toolCallId === call.id);
}

function stateOf(call: CallItem): State {
  if (waitsFor(call)) return { name: "waiting", icon: "question", label: "waits for you" };
  if (runs(call) && call.terminal?.tty && call.terminal.asks) return { name: "waiting", icon: "question", label: "waits for input" };
  switch (call.status) {
    case "completed":
      if (inBackground(call)) return { name: "running", icon: "loading", label: "runs in the background", spin: true };
      return { name: "completed", icon: "check", label: "done" };
    case "failed":
      return { name: "failed", icon: "error", label: "failed" };
    case "denied":
      return { name: "denied", icon: "circle-slash", label: "denied" };
    case "cancelled":
      return { name: "cancelled", icon: "debug-stop", label: "cancelled" };
    default:
      // The process that ran it is gone.
      if (!working.value) return { name: "interrupted", icon: "debug-rerun", label: "interrupted" };
      return { name: "running", icon: "loading", label: isWriting(call) ? "is being written" : "runs", spin: true };
  }
}

/** Null for calls that say nothing beside the message that follows them. */
export function ToolCard({ item: call }: { item: CallItem }) {
  if (isQuiet(call)) return null;
  const words = describe(call);
  const state = stateOf(call);
  const live = runs(call) && !waitsFor(call) && (call.status === "in_progress" || Boolean(call.terminal?.asks));
  const open = isOpen(call.id, live);
  const why = reason(call);
  const detail = `detail-${call.id}`;
  return (
    <section class={`tool-card tool-card-${state.name}`} data-testid="tool-card" data-status={call.status} data-kind={call.callKind} data-open={open}>
      <div class="tool-card-line">
        <button
          class="tool-card-toggle"
          aria-expanded={open}
          aria-controls={detail}
          aria-label={`${words.verb} ${words.target}, ${state.label}${words.figure ? `, ${words.figure}` : ""}`}
          onClick={() => setOpen(call.id, !open)}
        />
        <Icon name={words.icon} class="tool-card-icon" />
        <Icon name={open ? "chevron-down" : "chevron-right"} class="tool-card-chevron" />
        <Words words={words} where={searchedIn(call)} />
        <span class="tool-card-figure">{state.name === "waiting" ? state.label : words.change ? <Change {...words.change} /> : words.figure}</span>
        <Icon name={state.icon} class={`tool-card-state tool-card-state-${state.name}`} spin={state.spin} />
      </div>
      {why && !open && <p class="tool-card-reason">{why}</p>}
      {open && (
        <div class="tool-card-detail" id={detail}>
          <CallDetail call={call} />
        </div>
      )}
    </section>
  );
}

function Words({ words, where }: { words: CallWords; where: string }) {
  const { verb, target, as, file } = words;
  return (
    <span class="tool-card-words">
      <span class="tool-card-verb">{verb}</span>
      {target && as === "path" && file ? (
        <FileLink class="tool-card-target tool-card-path" path={file.path} line={file.line} label={target} />
      ) : target ? (
        <bdi class={`tool-card-target tool-card-${as}`} title={target}>
          {target}
        </bdi>
      ) : null}
      {where && <span class="quiet tool-card-where">{where}</span>}
    </span>
  );
}
