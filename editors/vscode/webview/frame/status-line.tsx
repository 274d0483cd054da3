// The line under the transcript that says what the task does, or why it does nothing, and what helps.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Item, Task } from "../../src/model/task";
import type { EventFailure, EventWaiting } from "../../src/protocol/generated";
import { Icon, type IconName } from "../parts/icons";
import { asRequestError, daemon, elsewhere, openApprovals, openAsks, openTask, post, problem, request, showSetup, task } from "../store";
import { sentence } from "../parts/words";
import { ActOnPlan } from "../transcript/plan";

export function StatusLine() {
  const now = task.value;
  if (problem.value) return <Line icon="error" tone="error" text={sentence(problem.value.message)} hint={problem.value.hint && sentence(problem.value.hint)} />;
  if (daemon.value.kind === "starting") return <Line icon="loading" spin text="Starting clined" />;
  if (!now) return null;
  const { damage } = now.info;
  return (
    <>
      {damage && <Line icon="warning" text={sentence(damage)} hint="What could be read is shown." />}
      <State now={now} />
    </>
  );
}

function State({ now }: { now: Task }) {
  const { state, stopReason, error, waiting } = now.state;
  if (elsewhere.value) {
    return (
      <Line icon="plug" text="Another window works on this task" hint={`Process ${now.info.owner?.pid}`}>
        <button class="button button-secondary" onClick={() => void openTask(now.info.taskId)}>
          Look again
        </button>
      </Line>
    );
  }
  // What helps is on top of the page.
  if (daemon.value.kind === "failed" && (state !== "idle" || stopReason === "interrupted")) {
    return <Line icon="debug-rerun" text="Interrupted, nothing is lost" hint="Once clined runs again, one press goes on with it" />;
  }
  if (state === "running") return waiting ? <Waiting key={`${waiting.attempt}:${waiting.delayMs}:${waiting.waitedMs}`} waiting={waiting} /> : <Working task={now} />;
  // What is to be decided stands right below; without it, another editor has it.
  const asked = openApprovals.value.length + openAsks.value.length > 0;
  if (state === "requires_action") return asked ? null : <Line icon="question" tone="needs" text="Waits for a decision" />;
  switch (stopReason) {
    case "error":
      return error ? <Failed task={now} error={error} /> : null;
    case "interrupted":
      return (
        <Line icon="debug-rerun" text="Interrupted, nothing is lost">
          <Resume task={now} words="Resume" />
        </Line>
      );
    case "needs_user":
      return (
        <Line icon="question" tone="needs" text="Stopped at a decision that nobody made">
          <Resume task={now} words="Ask again" />
        </Line>
      );
    case "plan_presented":
      return <ActOnPlan task={now} />;
    case "cancelled":
      return (
        <Line icon="circle-slash" text="Stopped">
          <Resume task={now} words="Go on" aside />
        </Line>
      );
    default:
      return null;
  }
}

interface LineProps {
  icon: IconName;
  text: string;
  spin?: boolean;
  tone?: "error" | "needs";
  hint?: string;
  /** It changes each second, which nobody wants to have read out. */
  counts?: boolean;
  children?: ComponentChildren;
}

function Line({ icon, text, spin, tone, hint, counts, children }: LineProps) {
  return (
    <div class="status" data-tone={tone} data-testid="status" role={tone === "error" ? "alert" : counts ? "timer" : "status"}>
      <Icon name={icon} spin={spin} class="status-icon" />
      <div class="status-words">
        <span class="status-text">{text}</span>
        {hint && <span class="status-hint">{hint}</span>}
      </div>
      {children && <div class="status-help">{children}</div>}
    </div>
  );
}

function Working({ task }: { task: Task }) {
  return (
    <div class="status" data-testid="status" role="status">
      <span class="status-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span class="status-text">{doing(task.items.at(-1))}</span>
    </div>
  );
}

// In a word: what it is, is in the transcript right above.
function doing(last: Item | undefined): string {
  if (last?.kind === "message" && last.role === "assistant" && last.status === "in_progress") {
    return last.content.at(-1)?.type === "thought" ? "Thinking" : "Writing";
  }
  if (last?.kind === "call" && (last.status === "pending" || last.status === "in_progress")) return "Working";
  return "Thinking";
}

/** Counts down by itself, and only while there is something to count. */
function Waiting({ waiting }: { waiting: EventWaiting }) {
  const [left, setLeft] = useState(Math.ceil(waiting.delayMs / 1000));
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  const tries = waiting.max > 1 ? ` (try ${waiting.attempt} of ${waiting.max})` : "";
  const silent = waiting.delayMs === 0;
  const when = silent ? `No answer for ${Math.round((waiting.waitedMs ?? 0) / 1000)} s` : left > 0 ? `Tries again in ${left} s` : "Trying again";
  return <Line icon={silent ? "loading" : "history"} spin={silent} text={sentence(waiting.reason)} hint={when + tries} counts />;
}

const model = new Set(["auth", "quota"]);

function Failed({ task, error }: { task: Task; error: EventFailure }) {
  return (
    <Line icon="error" tone="error" text={sentence(error.message)} hint={error.hint && sentence(error.hint)}>
      <Resume task={task} words="Try again" />
      {model.has(error.code) && (
        <button class="button button-secondary" onClick={showSetup}>
          Model and key
        </button>
      )}
      {error.code === "internal" && (
        <button class="button button-secondary" onClick={() => post({ type: "command", command: "log" })}>
          Show log
        </button>
      )}
    </Line>
  );
}

/** `aside`: it was the user who ended it. */
function Resume({ task, words, aside }: { task: Task; words: string; aside?: boolean }) {
  const failed = useSignal("");
  const asking = useSignal(false);
  const resume = async () => {
    asking.value = true;
    failed.value = "";
    try {
      await request("clined/task/resume", { taskId: task.info.taskId });
    } catch (error) {
      failed.value = asRequestError(error).message;
    } finally {
      asking.value = false;
    }
  };
  return (
    <>
      <button class={aside ? "button button-secondary" : "button"} data-testid="resume" disabled={asking.value} onClick={() => void resume()}>
        {words}
      </button>
      {failed.value && (
        <span class="status-hint" role="alert">
          {sentence(failed.value)}
        </span>
      )}
    </>
  );
}
