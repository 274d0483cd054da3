// What is wrong with the daemon, in its own words, with buttons for what helps.

import type { DaemonState } from "../../src/daemon/api";
import { Icon } from "./icons";
import { post } from "../store";
import { sentence } from "./words";

const help = { restart: "Restart", settings: "Open settings", log: "Show log" } as const;

export function Problem({ problem }: { problem: Extract<DaemonState, { kind: "failed" }> }) {
  return (
    <section class="problem" role="alert" data-testid="daemon-problem">
      <Icon name="error" class="problem-icon" />
      <div class="problem-text">
        <p>{sentence(problem.problem)}</p>
        {problem.hint && <p class="quiet">{sentence(problem.hint)}</p>}
        <div class="problem-help">
          {problem.help.map((command, i) => (
            <button key={command} class={i === 0 ? "button" : "button button-secondary"} onClick={() => post({ type: "command", command })}>
              {help[command]}
            </button>
          ))}
        </div>
      </div>
    </section>
  );
}
