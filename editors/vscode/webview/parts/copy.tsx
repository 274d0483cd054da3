// A button that copies a text, and says so for a moment.

import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icons";
import { post } from "../store";

export function Copy({ text, what }: { text: string | (() => string); what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    post({ type: "copy", text: typeof text === "string" ? text : text() });
    setCopied(true);
  };
  return (
    <button class="icon-button" title={copied ? "Copied" : "Copy"} aria-label={copied ? "Copied" : `Copy ${what}`} onClick={copy}>
      <Icon name={copied ? "check" : "copy"} />
    </button>
  );
}
