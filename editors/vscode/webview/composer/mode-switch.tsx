// Plan or act: a switch with two positions, by mouse, arrow keys, or the shortcut of the composer.

import { mode, option, setOption } from "../models/options";

const modes = [
  { value: "plan", name: "Plan", meaning: "Reads and thinks, and presents a plan. Nothing is changed." },
  { value: "act", name: "Act", meaning: "Edits files and runs commands, with your approval." },
] as const;

export function toggleMode(): void {
  if (option("mode")) void setOption("mode", mode.value === "plan" ? "act" : "plan");
}

export function ModeSwitch({ shortcut }: { shortcut: string }) {
  if (!option("mode")) return null;
  const turn = (event: KeyboardEvent) => {
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    toggleMode();
    const group = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => group.querySelector<HTMLElement>("[aria-checked=true]")?.focus());
  };
  return (
    <div class="mode-switch" role="radiogroup" aria-label="Mode" data-testid="mode-switch" data-mode={mode.value} onKeyDown={turn}>
      {modes.map((m) => (
        <button
          key={m.value}
          type="button"
          class="mode-switch-part"
          role="radio"
          aria-checked={mode.value === m.value}
          tabIndex={mode.value === m.value ? 0 : -1}
          title={`${m.name}: ${m.meaning} (${shortcut} switches)`}
          onClick={() => mode.value !== m.value && void setOption("mode", m.value)}
        >
          {m.name}
        </button>
      ))}
    </div>
  );
}
