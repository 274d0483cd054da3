// The field that prompts are written in: it grows with its text, takes pictures and files by paste and drop, and goes through
// what was said before by the arrow keys. What Enter means is the business of whoever uses it.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Adding } from "./adding";
import type { Draft } from "./drafts";
import { asText, linksOf, pathsOf, takes } from "./dropped";
import { atFirstLine, atLastLine } from "./caret";
import { Icon } from "../parts/icons";
import { folders } from "../store";
import { Attachments } from "./attachments";
import { useWalk } from "./walk";

interface PromptBoxProps {
  draft: Draft;
  change(draft: Partial<Draft>): void;
  adding: Adding;
  label: string;
  placeholder: string;
  testid: string;
  /** What was said before, the newest last; the arrow keys go through it. */
  said?: readonly string[];
  field?: RefObject<HTMLTextAreaElement | null>;
  /** Enter without Shift; `now` with Ctrl or Cmd. */
  enter(now: boolean): void;
  /** Escape; false leaves it to others. */
  escape(): void;
  children: ComponentChildren;
}

export function PromptBox(props: PromptBoxProps) {
  const { draft, change, adding } = props;
  const own = useRef<HTMLTextAreaElement>(null);
  const field = props.field ?? own;
  const dragging = useSignal(false);
  const { key, typed } = useKeys(props, field);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    dragging.value = false;
    if (event.dataTransfer) takeIn(event.dataTransfer, field.current, adding);
  };
  return (
    <div
      class={`prompt-box${dragging.value ? " prompt-box-target" : ""}`}
      onDragEnter={(e) => dragged(e, dragging)}
      onDragOver={(e) => dragged(e, dragging)}
      onDragLeave={(e) => {
        if (!e.currentTarget.contains(e.relatedTarget as Node | null)) dragging.value = false;
      }}
      onDrop={drop}
    >
      <Attachments pictures={draft.pictures} remove={(id) => change({ pictures: draft.pictures.filter((p) => p.id !== id) })} />
      <textarea
        ref={field}
        class="prompt-box-field"
        data-testid={props.testid}
        rows={1}
        aria-label={props.label}
        placeholder={props.placeholder}
        value={draft.text}
        spellcheck
        onInput={(e) => typed(e.currentTarget.value)}
        onKeyDown={key}
        onPaste={(e) => pasted(e, adding)}
      />
      <Trouble adding={adding} />
      {props.children}
      {adding.reading.value > 0 && (
        <p class="prompt-box-reading" role="status">
          <Icon name="loading" spin /> Reading pictures…
        </p>
      )}
      {dragging.value && (
        <p class="prompt-box-drop" aria-hidden="true">
          Drop pictures and files here; hold Shift for files of VS Code’s explorer
        </p>
      )}
    </div>
  );
}

/** The keys of the field, and what is typed into it. */
function useKeys({ draft, change, adding, said, enter, escape }: PromptBoxProps, field: RefObject<HTMLTextAreaElement | null>) {
  const before = useWalk(said ?? [], draft.text);
  // Where the cursor belongs once the text of a step is drawn.
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    grow(field.current);
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [draft.text]);

  // Walks through what was said, by one step; false when there is nothing that way.
  const walk = (by: -1 | 1): boolean => {
    const text = before.step(by);
    if (text === undefined) return false;
    caret.current = by < 0 ? 0 : text.length;
    change({ text });
    return true;
  };
  const key = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return; // an input method is at work
    const plain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const el = event.currentTarget as HTMLTextAreaElement;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      if (adding.reading.value === 0) enter(event.ctrlKey || event.metaKey);
    } else if (event.key === "Escape") {
      escape();
    } else if (event.key === "ArrowUp" && plain && atFirstLine(el) && walk(-1)) {
      event.preventDefault();
    } else if (event.key === "ArrowDown" && plain && atLastLine(el) && walk(1)) {
      event.preventDefault();
    }
  };
  const typed = (text: string) => {
    before.typed(text);
    change({ text });
  };
  return { key, typed };
}

function pasted(event: ClipboardEvent, adding: Adding): void {
  const files = [...(event.clipboardData?.files ?? [])].filter((f) => f.type.startsWith("image/"));
  // Office programs put a picture of the text beside it: text wins.
  if (files.length === 0 || event.clipboardData?.getData("text/plain")) return;
  event.preventDefault();
  void adding.add(files);
}

function Trouble({ adding: { trouble } }: { adding: Adding }) {
  if (!trouble.value) return null;
  return (
    <p class="prompt-box-trouble" role="alert">
      {trouble.value}
      <button class="icon-button" aria-label="Dismiss" title="Dismiss" onClick={() => (trouble.value = "")}>
        <Icon name="close" />
      </button>
    </p>
  );
}

/** Takes in what was dropped: files by their places, links, pictures. */
function takeIn(data: DataTransfer, field: HTMLTextAreaElement | null, adding: Adding): void {
  const files = [...data.files];
  const words = asText(pathsOf(data), folders.value) || (files.length === 0 && linksOf(data).join(" "));
  if (words) return insert(field, words);
  const pictures = files.filter((f) => f.type.startsWith("image/"));
  if (pictures.length > 0) void adding.add(pictures);
  const other = files.find((f) => !f.type.startsWith("image/"));
  if (other) adding.trouble.value = `VS Code does not tell where “${other.name}” lies: drag it from its explorer.`;
}

function dragged(event: DragEvent, dragging: { value: boolean }): void {
  if (!event.dataTransfer || !takes(event.dataTransfer)) return;
  event.preventDefault(); // VS Code leaves the drag to us then
  event.dataTransfer.dropEffect = "copy";
  dragging.value = true;
}

/** Puts text at the caret as one step of undo, with blanks around it where words touch. */
function insert(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) return;
  field.focus();
  const before = field.value.slice(0, field.selectionStart);
  const after = field.value.slice(field.selectionEnd);
  const words = (before === "" || /\s$/.test(before) ? "" : " ") + text + (/^\s/.test(after) ? "" : " ");
  if (document.execCommand("insertText", false, words)) return;
  field.setRangeText(words, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// Where the browser does not size fields by their content itself.
function grow(field: HTMLTextAreaElement | null): void {
  if (!field || CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
