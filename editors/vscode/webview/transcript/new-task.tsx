// The chat page before there is a task: what one can do here, a few first words to take, and the tasks of late.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TaskInfo } from "../../src/protocol/generated";
import { Icon, type IconName } from "../parts/icons";
import { composed, daemon, demoPrompts, focusComposer, folders, openTask, request, showHistory, showSetup } from "../store";
import { changesUnasked } from "../composer/auto-approve";
import { ago } from "../parts/words";

const suggestions: readonly { icon: IconName; text: string }[] = [
  { icon: "list-tree", text: "Explain how this project is built" },
  { icon: "debug-rerun", text: "Find out why a test fails, and fix it" },
  { icon: "diff", text: "Review my uncommitted changes" },
];

function take(text: string) {
  composed.value = { type: "compose", text, suggestion: true };
  focusComposer.value++;
}

export function NewTask() {
  const demo = demoPrompts.value.length > 0;
  const offered = demo ? demoPrompts.value.map((text) => ({ icon: "comment-discussion" as const, text })) : suggestions;
  return (
    <section class="new" aria-label="New task" data-testid="new-task-page">
      <div class="new-inner">
        <div class="new-head">
          <Mark />
          <h2 class="new-title">What shall we work on?</h2>
          {demo ? (
            <p class="quiet">
              The demo answers: a scripted model, which understands what stands below.{" "}
              <button class="text-button link" onClick={showSetup}>
                Connect a model
              </button>{" "}
              to work for real.
            </p>
          ) : (
            <p class="quiet">I read and edit files, run commands and use your MCP servers. {promise()}</p>
          )}
        </div>
        <ul class="new-list" aria-label="Suggestions">
          {offered.map(({ icon, text }) => (
            <li key={text}>
              <button class="new-row" onClick={() => take(text)}>
                <Icon name={icon} class="new-icon" />
                <span class="new-text">{text}</span>
              </button>
            </li>
          ))}
        </ul>
        <Recent />
      </div>
    </section>
  );
}

// What auto-approve lets through is not asked for.
function promise(): string {
  return changesUnasked() ? "What auto-approve covers is done without asking you." : "Nothing is changed without your yes.";
}

function Mark() {
  return (
    <svg class="new-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M19.3 5.9A9 9 0 1 0 19.3 18.1" />
      <path class="new-stroke" d="M10.7 16 14.5 8" />
    </svg>
  );
}

/** How many tasks are shown here; the history has all. */
const recent = 3;

function Recent() {
  const tasks = useSignal<readonly TaskInfo[]>([]);
  const runs = daemon.value.kind === "running";
  const here = folders.value;
  useEffect(() => {
    if (!runs) return;
    let gone = false;
    request("clined/task/list", { limit: recent, ...(here.length > 0 && { cwds: here.map((f) => f.path) }) }).then(
      (result) => {
        if (!gone) tasks.value = result.tasks.slice(0, recent);
      },
      () => undefined, // the page is no worse without
    );
    return () => {
      gone = true;
    };
  }, [runs, here]);
  if (tasks.value.length === 0) return null;
  return (
    <div class="new-recent">
      <div class="new-recent-head">
        <h3>Recent</h3>
        <button class="text-button new-all" onClick={showHistory}>
          All tasks
        </button>
      </div>
      <ul class="new-list">
        {tasks.value.map((t) => (
          <li key={t.taskId}>
            <button class="new-row" onClick={() => void openTask(t.taskId)} title={t.title}>
              <span class="new-text">{t.title || "Untitled"}</span>
              <span class="new-when">{t.state === "interrupted" ? "interrupted" : ago(t.updated, Date.now())}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
