// A command that runs: what it prints, and what the user can do about it: stop it, let it go on in the background, type to it.

import { useState } from "preact/hooks";
import type { CallItem } from "../../src/model/task";
import { Icon } from "../parts/icons";
import { asRequestError, daemon, request, task, working } from "../store";
import { visible } from "../parts/visible";

/** Whether processes of the command are left that can be stopped. */
export function runs(call: CallItem): boolean {
  if (call.callKind !== "command" || daemon.value.kind !== "running") return false;
  // Its turn has ended without it, or with its process.
  if (!working.value && !inBackground(call)) return false;
  if (call.terminal) return call.terminal.state !== "exited";
  return call.status === "in_progress" && Boolean(call.title);
}

export function inBackground(call: CallItem): boolean {
  return call.terminal?.state === "background";
}

export function TerminalControls({ call }: { call: CallItem }) {
  const [problem, setProblem] = useState("");
  const [asked, setAsked] = useState("");
  const taskId = task.value?.info.taskId;
  if (!taskId || !runs(call)) return null;
  const act = (what: "kill" | "detach"): void => {
    setAsked(what);
    setProblem("");
    request(`clined/terminal/${what}`, { taskId, terminalId: call.id }).catch((error: unknown) => {
      setAsked("");
      setProblem(asRequestError(error).message);
    });
  };
  const { tty, asks } = call.terminal ?? {};
  return (
    <div class="terminal" data-testid="terminal">
      {tty && call.status === "in_progress" && <TerminalInput call={call} taskId={taskId} />}
      {asks && !tty && (
        <p class="terminal-asks">
          <Icon name="warning" /> It waits for input that it cannot get, at <code>{visible(asks)}</code>
        </p>
      )}
      <div class="terminal-buttons">
        <button class="button button-secondary" disabled={asked !== ""} onClick={() => act("kill")}>
          <Icon name="debug-stop" /> {asked === "kill" ? "Stopping…" : "Stop"}
        </button>
        {call.status === "in_progress" && !inBackground(call) && (
          <button class="button button-secondary" disabled={asked !== ""} title="The task goes on; what the command prints is told later" onClick={() => act("detach")}>
            <Icon name="run-all" /> Proceed in background
          </button>
        )}
      </div>
      {problem && <p class="terminal-problem" role="alert">{problem}</p>}
    </div>
  );
}

function TerminalInput({ call, taskId }: { call: CallItem; taskId: string }) {
  const [problem, setProblem] = useState("");
  const asks = call.terminal?.asks;
  const secret = asks !== undefined && /pass(word|phrase)|secret|token|\bpin\b/i.test(asks);
  return (
    <form
      class="terminal-input"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem("line") as HTMLInputElement;
        const text = field.value;
        request("clined/terminal/input", { taskId, terminalId: call.id, text: text + "\r" }).then(
          () => ((field.value = ""), setProblem("")),
          (error: unknown) => setProblem(asRequestError(error).message),
        );
      }}
    >
      <label class={asks ? "terminal-asks" : "unseen"} for={`input-${call.id}`}>
        {asks ? visible(asks) : "Type to the command"}
      </label>
      <div class="terminal-line">
        <input
          id={`input-${call.id}`}
          name="line"
          {...(secret ? { type: "password" as const } : { type: "text" as const })}
          autocomplete="off"
          spellcheck={false}
          placeholder={asks ? "Your answer" : "Type to the command"}
          data-testid="terminal-input"
        />
        <button class="button" type="submit">Send</button>
      </div>
      {problem && <p class="terminal-problem" role="alert">{problem}</p>}
    </form>
  );
}
