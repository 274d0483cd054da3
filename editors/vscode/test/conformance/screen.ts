// What a person can read off our view, and off VS Code around it. The functions run in the page: they use nothing from outside of
// themselves.

import type { Item, Pending, Task } from "./protocol";

/** What our view shows. */
export interface Shown {
  page: string;
  /** It waits for what it is to show. */
  busy: boolean;
  /** The chat says that clined runs, by the model that one talks to. */
  connected: boolean;
  troubles: string[];
  task?: Task;
  items: Item[];
  pending: Pending[];
}

/** Reads the chat. What is folded is opened first, as the user does who wants to see it. */
export function readChat(body: HTMLElement): Shown {
  const all = (testId: string, under: ParentNode = body) => [...under.querySelectorAll<HTMLElement>(`[data-testid="${testId}"]`)];
  const one = (testId: string) => all(testId)[0];
  const text = (node: Element | null | undefined) => (node instanceof HTMLElement ? node.innerText.trim() : "");
  const without = (node: HTMLElement, ...selectors: string[]) =>
    [...node.children].filter((child) => !selectors.some((s) => child.matches(s))).map(text).filter((t) => t !== "").join("\n\n");

  for (const group of all("tool-group")) {
    if (group.dataset["open"] === "false") group.querySelector<HTMLElement>(".tool-card-toggle")?.click();
  }
  const items: Item[] = [];
  const rows = [...body.querySelectorAll<HTMLElement>(".transcript-row")].sort((a, b) => Number(a.dataset["index"]) - Number(b.dataset["index"]));
  for (const row of rows) {
    for (const part of row.querySelectorAll<HTMLElement>("[data-testid]")) {
      switch (part.dataset["testid"]) {
        case "message-user":
          items.push({ kind: "user", text: text(part.querySelector(".said-bubble")), status: "completed" });
          break;
        case "message-assistant":
          items.push({ kind: "assistant", text: without(part, ".thought", ".answer-stopped", ".offered"), status: part.dataset["status"] ?? "" });
          break;
        case "tool-card":
          items.push({ kind: "call", text: text(part.querySelector(".tool-card-words")).replace(/\n/g, " "), status: part.dataset["status"] ?? "" });
          break;
        case "notice":
          items.push({ kind: "notice", text: text(part) });
      }
    }
  }
  for (const waiting of [...all("steering-item"), ...all("queue-item")]) {
    items.push({ kind: "user", text: text(waiting.querySelector(".queue-text")), status: "pending" });
  }

  const pending: Pending[] = [];
  for (const card of all("approval")) {
    const options = all("approve", card).concat(all("reject", card));
    pending.push({
      kind: "approval",
      title: (card.getAttribute("aria-label") ?? "").replace(/^Approval: /, ""),
      detail: text(card.querySelector(".approval-body")),
      options: [
        ...options.map((button) => (button.firstChild?.textContent ?? "").trim()),
        ...(JSON.parse(card.dataset["rules"] ?? "[]") as string[]),
      ],
    });
  }
  for (const card of all("ask")) {
    pending.push({ kind: "question", title: text(card.querySelector(".ask-text")), options: all("ask-option", card).map((o) => text(o.querySelector("span"))) });
  }

  const chat = one("chat");
  const transcript = one("transcript");
  const busy = chat?.hasAttribute("aria-busy") || transcript?.getAttribute("aria-busy") === "true";
  const lines = all("status");
  const said = lines.map((line) => text(line.querySelector(".status-text")));
  const troubles = [...all("daemon-problem").map((p) => [...p.querySelectorAll("p")].map(text).join(". ")), ...all("composer-problem").map(text)];
  for (const line of lines) if (line.dataset["tone"] === "error") troubles.push(text(line));
  const status = () => {
    if (busy) return "";
    if (pending.length > 0 || said.includes("Waits for a decision")) return "requires_action";
    if (one("stop")) return "running";
    if (said.some((line) => line.startsWith("Interrupted"))) return "interrupted";
    if (said.includes("Stopped")) return "cancelled";
    if (said.some((line) => line.startsWith("Stopped at a decision"))) return "needs_user";
    if (one("act-on-plan")) return "plan_presented";
    if (lines.some((line) => line.dataset["tone"] === "error")) return "error";
    return "completed"; // nothing more is said of it
  };
  const heading = body.querySelector<HTMLElement>(".header-rename");
  const chip = one("model-chip");
  return {
    page: chat?.dataset["page"] ?? "",
    busy: busy ?? true,
    connected: !one("daemon-problem") && !said.includes("Starting clined") && chip !== undefined && !chip.matches(".model-chip-missing"),
    troubles,
    ...(transcript && heading ? { task: { title: text(heading), status: status() } } : {}),
    items,
    pending,
  };
}

/** Notes the rules of an approval's open menu on it, for when the menu is closed again. */
export function keepRules(card: Element): void {
  const rules = [...card.querySelectorAll("[role=menuitem]")].map((item) => item.getAttribute("aria-label") ?? "");
  (card as HTMLElement).dataset["rules"] = JSON.stringify(rules);
}

/** Reads the list of tasks. Of one that is simply done nothing is said. */
export function readHistory(body: HTMLElement): Task[] {
  const states: Record<string, string> = {
    "": "completed",
    Running: "running",
    Interrupted: "interrupted",
    "Waits for you": "requires_action",
    "Plan ready": "plan_presented",
    Stopped: "cancelled",
    Failed: "error",
  };
  return [...body.querySelectorAll<HTMLElement>('[data-testid="history-item"]')].map((item) => {
    const state = item.querySelector<HTMLElement>(".history-item-state")?.innerText.trim() ?? "";
    return { title: item.querySelector<HTMLElement>(".history-item-name")?.innerText.trim() ?? "", status: states[state] ?? state };
  });
}
