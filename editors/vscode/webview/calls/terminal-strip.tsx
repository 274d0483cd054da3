// The commands that go on in the background, above the composer: they stay in sight when their cards are scrolled away.

import { useEffect, useState } from "preact/hooks";
import { withTerminals } from "../../src/model/reduce";
import type { CallItem } from "../../src/model/task";
import { Icon } from "../parts/icons";
import { daemon, request, task } from "../store";
import { Output } from "./output";
import { clip, oneLine } from "../parts/visible";
import { inBackground, TerminalControls } from "./terminal";

/** Those that ran before this view came are asked for once. */
function useTerminals(taskId: string | undefined): void {
  const running = daemon.value.kind === "running";
  useEffect(() => {
    if (!taskId || !running) return;
    request("clined/terminal/list", { taskId }).then(
      ({ terminals }) => {
        if (task.value?.info.taskId === taskId) task.value = withTerminals(task.value, terminals ?? []);
      },
      () => undefined, // of a task that this process does not run
    );
  }, [taskId, running]);
}

export function TerminalStrip() {
  const now = task.value;
  useTerminals(now?.info.taskId);
  const calls = now?.items.filter((i): i is CallItem => i.kind === "call" && inBackground(i)) ?? [];
  if (calls.length === 0) return null;
  return (
    <section class="footer-box" aria-label="Commands in the background" data-testid="background">
      {calls.map((call) => (
        <Job key={call.id} call={call} />
      ))}
    </section>
  );
}

function Job({ call }: { call: CallItem }) {
  const [open, setOpen] = useState(call.terminal?.asks !== undefined);
  const command = call.terminal?.command ?? "";
  return (
    <div class="strip-job">
      <button class="footer-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <Icon name="vm-running" class="strip-icon" />
        <code class="strip-command">{clip(oneLine(command), 200)}</code>
        <span class="quiet">in background</span>
      </button>
      {open && (
        <div class="strip-detail">
          <Output text={call.terminal?.output ?? ""} live />
          <TerminalControls call={call} />
        </div>
      )}
    </div>
  );
}
