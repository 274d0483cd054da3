// What waits for a yes or a no, above the composer: one at a time, the oldest first, with the others a click away.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ShownApproval } from "../../src/chat/messages";
import type { CallItem } from "../../src/model/task";
import type { ApprovalOption } from "../../src/protocol/generated";
import { Icon } from "../parts/icons";
import { asRequestError, decide, focusComposer, openApprovals, openAsks, platform, post, task } from "../store";
import { AlwaysMenu, ticked } from "./approval-always";
import { draftOf, setDraft, type Draft } from "./approval-drafts";
import { canAllow, hunksOf, isTaken, option, outcome, ruleGroups, takenHunks } from "./approval-outcome";
import { ApprovalSubject } from "./approval-subject";
import { plural, visible } from "../parts/visible";
import { sentence } from "../parts/words";

const looked = signal<string | null>(null);

/** A click this soon after a card came was meant for what stood there before. */
const settleMs = 350;

/** Whether a card that has just come takes an answer yet; until then its buttons are seen to be off. */
export function useSettled(): boolean {
  const [settled, settle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => settle(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}

export function Approvals() {
  const open = openApprovals.value;
  const at = Math.max(0, open.findIndex((a) => a.approvalId === looked.value));
  const request = open[at];
  const hadFocus = useRef(false);
  useEffect(() => {
    if (request || !hadFocus.current) return;
    hadFocus.current = false;
    focusComposer.value++;
  }, [request]);
  return (
    <>
      <Said />
      {request && (
        <ApprovalCard
          key={request.approvalId}
          request={request}
          at={at}
          of={open.length}
          focused={hadFocus}
          look={(n) => (looked.value = open[(n + open.length) % open.length]?.approvalId ?? null)}
        />
      )}
    </>
  );
}

/** What waits, said to screen readers: they hear only of changes in what was there before. */
function Said() {
  const approval = openApprovals.value[0];
  const question = openAsks.value[0];
  const typed = task.value?.items.find((i): i is CallItem => i.kind === "call" && i.terminal?.tty === true && Boolean(i.terminal.asks));
  let words = "";
  if (approval) words = `Waits for your approval: ${visible(approval.title)}`;
  else if (question) words = `Asks you: ${visible(question.text)}`;
  else if (typed) words = `A command waits for input: ${visible(typed.terminal?.asks ?? "")}`;
  return (
    <div class="unseen" aria-live="assertive">
      {words}
    </div>
  );
}

/** Who types keeps the focus; who reads, or decided the one before, has the keys of the card at hand. */
export function takeFocus(card: HTMLElement | null, decided: { current: boolean }): void {
  const active = document.activeElement;
  const elsewhere = active !== null && active !== document.body;
  if (document.hasFocus() && (!elsewhere || (decided.current && !active.matches("input, textarea")))) card?.focus({ preventScroll: true });
  decided.current = false;
}

/** What is said of a request that failed, as sentences. */
export function said(error: unknown): string {
  const { message, hint } = asRequestError(error);
  return hint ? `${sentence(message)}. ${sentence(hint)}` : sentence(message);
}

interface Props {
  request: ShownApproval;
  at: number;
  of: number;
  focused: { current: boolean };
  look(n: number): void;
}

function ApprovalCard({ request, at, of, focused, look }: Props) {
  const card = useRef<HTMLElement>(null);
  const settled = useSettled();
  const draft = draftOf(request.approvalId);
  const change = (next: Partial<Draft>): void => setDraft(request.approvalId, next);
  useEffect(() => {
    takeFocus(card.current, focused);
  }, []);

  // What was chosen here comes back, and with it what was chosen in the diff editor.
  const refused = request.shown?.refusedHunks.join();
  useEffect(() => {
    if (draft.taken.size > 0) change({ taken: new Map() });
  }, [refused]);

  const send = async (chosen: ApprovalOption): Promise<void> => {
    change({ sent: chosen.kind.startsWith("allow") ? "allow" : "reject", problem: undefined });
    try {
      await decide(request.approvalId, outcome(request, chosen, draft.words, draft.taken));
      change({ sent: undefined }); // the card is there still when it did not count
    } catch (error) {
      change({ sent: undefined, problem: said(error) });
    }
  };
  const choose = (chosen: ApprovalOption | undefined): void => {
    if (!chosen || draft.sent || !settled) return;
    if (chosen.kind.startsWith("allow") && !canAllow(request, draft.taken)) return;
    focused.current = card.current?.contains(document.activeElement) ?? false;
    void send(chosen);
  };
  const allow = (): void => choose(option(request, "allow_once"));
  const reject = (): void => choose(option(request, "reject_once"));
  const keys = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (event.repeat) return event.preventDefault(); // held down, it was meant for the card before
    // In a field that key takes back a word.
    const typing = event.target instanceof HTMLTextAreaElement;
    if (event.key === "Enter") allow();
    else if (event.key === "Backspace" && !typing) reject();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const hunks = hunksOf(request).length;
  const took = takenHunks(request, draft.taken).length;
  const busy = draft.sent !== undefined || !settled;
  return (
    <section
      ref={card}
      class="approval"
      data-testid="approval"
      tabIndex={-1}
      role="group"
      aria-label={`Approval: ${visible(request.title)}`}
      onKeyDown={keys}
    >
      <header class="approval-head">
        <Icon name="shield" class="approval-icon" />
        <h2 class="approval-title">{heading(request)}</h2>
        {of > 1 && <Pager at={at} of={of} look={look} />}
      </header>
      <div class="approval-body">
        {(request.description || request.asksAnyway) && (
          <p class="approval-why quiet">
            {request.description && ticked(visible(request.description))}
            {request.asksAnyway && " Auto-approve does not cover it."}
          </p>
        )}
        <ApprovalSubject
          request={request}
          choice={{
            taken: (id) => isTaken(request, draft.taken, id),
            toggle: (id) => {
              const taken = !isTaken(request, draft.taken, id);
              change({ taken: new Map(draft.taken).set(id, taken) });
              post({ type: "choose", approvalId: request.approvalId, hunk: id, taken });
            },
          }}
        />
      </div>
      {request.shown?.edited && <p class="approval-note">Your changes in the diff editor count.</p>}
      {hunks > 0 && took === 0 && <p class="approval-note">No change is taken: take one, or reject.</p>}
      {request.allowFeedback && <Words value={draft.words} change={(words) => change({ words })} />}
      {draft.problem && (
        <p class="approval-note" role="alert">
          {draft.problem}
        </p>
      )}
      <Buttons request={request} draft={draft} busy={busy} allow={allow} reject={reject} choose={choose} />
    </section>
  );
}

interface ButtonsProps {
  request: ShownApproval;
  draft: Draft;
  /** Nothing can be decided now. */
  busy: boolean;
  allow(): void;
  reject(): void;
  choose(option: ApprovalOption | undefined): void;
}

function Buttons({ request, draft, busy, allow, reject, choose }: ButtonsProps) {
  const hunks = hunksOf(request).length;
  const took = takenHunks(request, draft.taken).length;
  const part = hunks > 1 && took < hunks && took > 0 ? ` ${took} of ${hunks}` : "";
  const noted = draft.words.trim() !== "";
  const mod = platform.value === "mac" ? "⌘" : "Ctrl+";
  const modKey = platform.value === "mac" ? "Meta" : "Control";
  return (
    <div class="approval-buttons">
      <button
        class="button approval-allow"
        data-testid="approve"
        disabled={busy || !canAllow(request, draft.taken)}
        title={`Approve (${mod}Enter)`}
        aria-keyshortcuts={`${modKey}+Enter`}
        onClick={allow}
      >
        {draft.sent === "allow" ? "Approving…" : `Approve${part}${noted ? " with note" : ""}`}
        <kbd aria-hidden="true">{mod}⏎</kbd>
      </button>
      <button
        class="button button-secondary"
        data-testid="reject"
        disabled={busy}
        title={`Reject (${mod}Backspace)`}
        aria-keyshortcuts={`${modKey}+Backspace`}
        onClick={reject}
      >
        {draft.sent === "reject" ? "Rejecting…" : noted ? "Reject with note" : "Reject"}
        <kbd aria-hidden="true">{mod}⌫</kbd>
      </button>
      <AlwaysMenu groups={ruleGroups(request)} disabled={busy || !canAllow(request, draft.taken)} choose={choose} />
    </div>
  );
}

function heading(request: ShownApproval): string {
  const { subject } = request;
  if (subject.type === "command") return subject.unsandboxed ? "Run this without the sandbox?" : "Run this command?";
  if (subject.type === "fileEdit" && (subject.files?.length ?? 0) > 2) return `Change ${plural(subject.files?.length ?? 0, "file")}?`;
  return `${visible(request.title).replace(/`/g, "")}?`;
}

function Pager({ at, of, look }: { at: number; of: number; look(n: number): void }) {
  return (
    <span class="approval-pager">
      <button class="icon-button" aria-label="The one before" onClick={() => look(at - 1)}>
        <Icon name="chevron-left" />
      </button>
      {at + 1} of {of}
      <button class="icon-button" aria-label="The next one" onClick={() => look(at + 1)}>
        <Icon name="chevron-right" />
      </button>
    </span>
  );
}

function Words({ value, change }: { value: string; change(words: string): void }) {
  return (
    <textarea
      class="approval-words"
      data-testid="feedback"
      rows={1}
      value={value}
      placeholder="Note for the model (optional)"
      aria-label="Words for the model, said with your yes or no"
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}
