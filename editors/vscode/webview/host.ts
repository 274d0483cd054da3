// The webview's end of the line to the extension host: messages out, messages in, requests with their answers. It knows no
// task and draws nothing.

import type { RelayedMethod, SetupAction, SetupResults, ToHost, ToWebview } from "../src/chat/messages";
import type { ApprovalOutcome, AskResult, EditorRequests } from "../src/protocol/generated";

interface VsCodeApi {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

/** What the daemon, or the host before it, says to a request that failed. */
export class RequestError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: RequestError): void;
}

let lastId = 0;
const waiting = new Map<number, Waiting>();
const listeners = new Set<(message: ToWebview) => void>();

export function post(message: ToHost): void {
  api.postMessage(message);
}

/** Asks the daemon; rejects with a RequestError. */
export function request<M extends RelayedMethod>(
  method: M,
  params: EditorRequests[M]["params"],
): Promise<EditorRequests[M]["result"]> {
  return answered((id) => post({ type: "request", id, method, params })) as Promise<EditorRequests[M]["result"]>;
}

/** Asks the host about the choice of a model; rejects with a RequestError. */
export function setup<A extends SetupAction>(action: A): Promise<SetupResults[A["kind"]]> {
  return answered((id) => post({ type: "setup", id, action })) as Promise<SetupResults[A["kind"]]>;
}

/** Answers a question; false when it was too late. Rejects with a RequestError. */
export function answerAsk(askId: string, result: AskResult): Promise<boolean> {
  return answered((id) => post({ type: "answer", id, askId, result })) as Promise<boolean>;
}

/** Decides on an approval; false when that did not count. Rejects with a RequestError. */
export function decide(approvalId: string, outcome: ApprovalOutcome): Promise<boolean> {
  return answered((id) => post({ type: "decide", id, approvalId, outcome })) as Promise<boolean>;
}

function answered(send: (id: number) => void): Promise<unknown> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send(id);
  });
}

/** Hears every message of the host but the answers to requests. Returns what ends that. */
export function listen(listener: (message: ToWebview) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is kept of the view while it is hidden, and over a reload of the window. */
export function remembered<T>(key: string): T | undefined {
  const state = api.getState();
  return state && typeof state === "object" ? ((state as Record<string, unknown>)[key] as T | undefined) : undefined;
}

export function remember(key: string, value: unknown): void {
  const state = api.getState();
  api.setState({ ...(state && typeof state === "object" ? state : {}), [key]: value });
}

window.addEventListener("message", (event: MessageEvent<ToWebview>) => {
  const message = event.data;
  if (message.type !== "response") {
    for (const listener of [...listeners]) listener(message);
    return;
  }
  const asked = waiting.get(message.id);
  waiting.delete(message.id);
  const { error } = message;
  if (error) asked?.reject(new RequestError(error.code, error.message, error.hint));
  else asked?.resolve(message.result);
});
