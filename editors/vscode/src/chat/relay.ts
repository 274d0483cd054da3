// Passes the webview's requests on to the daemon, those alone that a view has a use for, and their answers back in the order
// that they came in. A view that is gone is answered nothing.

import { CancellationTokenSource } from "vscode";
import type { Daemon } from "../daemon/api";
import type { EditorRequests } from "../protocol/generated";
import { relayed, type RelayedMethod, type ToWebview } from "./messages";

export type ResponseError = NonNullable<Extract<ToWebview, { type: "response" }>["error"]>;

/** Requests that only ask: they are given up with the view that asked. All others are carried out, whoever still looks. */
const reading: ReadonlySet<string> = new Set<RelayedMethod>([
  "clined/config/get",
  "clined/model/list",
  "clined/task/attach",
  "clined/task/list",
  "clined/task/read",
]);

const saying: ReadonlySet<string> = new Set<RelayedMethod>([
  "clined/task/editMessage",
  "clined/task/new",
  "clined/task/prompt",
  "clined/task/resume",
  "clined/task/steer",
]);

export class Relay {
  private view = new CancellationTokenSource();

  constructor(
    private readonly daemon: Pick<Daemon, "request">,
    private readonly post: (message: ToWebview) => void,
    private readonly hooks: {
      /** Something is about to be said in a task. */
      saying(): void;
      /** Hears what the daemon answered. */
      seen<M extends RelayedMethod>(method: M, params: EditorRequests[M]["params"], result: EditorRequests[M]["result"]): void;
    },
  ) {}

  request(id: number, method: string, params: unknown): Promise<void> {
    if (!isRelayed(method)) {
      const error = { code: -32601, message: `the view may not ask for ${method}` };
      this.post({ type: "response", id, error });
      return Promise.resolve();
    }
    const { token } = this.view;
    if (saying.has(method)) this.hooks.saying();
    return this.answer(id, async () => {
      const result = await this.daemon.request(method, params as never, reading.has(method) ? token : undefined);
      this.hooks.seen(method, params as never, result);
      return result;
    });
  }

  /** Answers with what `work` resolves to or rejects with. */
  async answer(id: number, work: () => Promise<unknown>): Promise<void> {
    const { token } = this.view;
    let message: ToWebview;
    try {
      message = { type: "response", id, result: await work() };
    } catch (error) {
      message = { type: "response", id, error: responseError(error) };
    }
    if (!token.isCancellationRequested) this.post(message);
  }

  /** The view that asked is gone. */
  forget(): void {
    this.view.cancel();
    this.view.dispose();
    this.view = new CancellationTokenSource();
  }
}

export function isRelayed(method: string): method is RelayedMethod {
  return (relayed as readonly string[]).includes(method);
}

/** An error in plain data. What is no error of the daemon's is one of ours. */
export function responseError(error: unknown): ResponseError {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: { hint?: unknown } };
  return {
    code: typeof code === "number" ? code : -32603,
    message: typeof message === "string" && message !== "" ? message : String(error),
    ...(typeof data?.hint === "string" ? { hint: data.hint } : {}),
  };
}
