// What needs no question: a switch for each kind of call, with plain words of what it means.

import { option, options, setOption } from "../models/options";
import { Icon } from "../parts/icons";
import { taskId } from "../store";
import { Popover } from "../parts/popover";

const kinds = [
  { id: "auto_approve.read", short: "Read", name: "Read files", meaning: "Looks at files of the workspace." },
  { id: "auto_approve.edit", short: "Edit", name: "Edit files", meaning: "Changes, creates and deletes files of the workspace." },
  { id: "auto_approve.command", short: "Run", name: "Run commands", meaning: "Any command, also one that changes or sends something." },
  { id: "auto_approve.mcp", short: "MCP", name: "Use MCP tools", meaning: "Whatever the tools of your MCP servers do." },
] as const;

/** Whether anything may be changed without a question. */
export function changesUnasked(): boolean {
  return kinds.some((k) => k.id !== "auto_approve.read" && option(k.id)?.value === "true");
}

export function AutoApprove() {
  const there = kinds.filter((k) => options.value.some((o) => o.id === k.id));
  if (there.length === 0) return null;
  const on = there.filter((k) => option(k.id)?.value === "true");
  const text = on.length === 0 ? "Asks first" : on.length === there.length ? "Asks nothing" : on.map((k) => k.short).join(", ");
  const whose = taskId.value ? "in this task" : "in new tasks";
  return (
    <Popover
      class={`auto-approve${changesUnasked() ? " auto-approve-bold" : ""}`}
      testid="auto-approve"
      label={`Without asking ${whose}: ${on.length === 0 ? "nothing" : on.map((k) => k.name).join(", ")}`}
      tooltip={`Done without asking ${whose}: ${on.length === 0 ? "nothing" : on.map((k) => k.name.toLowerCase()).join(", ")}`}
      button={
        <>
          <Icon name="shield" />
          <span class="auto-approve-text">{text}</span>
        </>
      }
    >
      {() => (
        <div class="auto-approve-panel" data-testid="auto-approve-panel">
          <h3 class="chooser-title">Without asking, {whose}</h3>
          <ul class="auto-approve-kinds">
            {there.map((k) => {
              const checked = option(k.id)?.value === "true";
              return (
                <li key={k.id}>
                  <button
                    type="button"
                    class="switch"
                    role="switch"
                    aria-checked={checked}
                    data-testid={k.id}
                    onClick={() => void setOption(k.id, String(!checked))}
                  >
                    <span class="switch-text">
                      <span class="switch-name">{k.name}</span>
                      <span class="switch-meaning">{k.meaning}</span>
                    </span>
                    <span class="switch-track" aria-hidden="true">
                      <span class="switch-knob" />
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
          <p class="auto-approve-foot">Protected files, places outside of the workspace, and what your rules say still ask or are refused.</p>
        </div>
      )}
    </Popover>
  );
}
