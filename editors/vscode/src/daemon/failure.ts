// What kept the daemon from running, in words for the user. Other parts see it as the state `failed` or as a rejected request.

import type { DaemonState } from "./api";

export type Help = Extract<DaemonState, { kind: "failed" }>["help"];

/** The daemon cannot be asked. It has the shape of a ResponseError, so that whoever shows errors shows this one alike. */
export class Failure extends Error {
  /** JSON-RPC: the connection is not there. */
  readonly code: number = -32096;
  readonly data: { hint: string };

  constructor(
    problem: string,
    readonly hint: string,
    readonly help: Help,
  ) {
    super(problem);
    this.name = "Failure";
    this.data = { hint };
  }

  get state(): DaemonState {
    return { kind: "failed", problem: this.message, hint: this.hint, help: this.help };
  }
}

/** How a process ended; `last` is the last line that it wrote to standard error. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  last?: string;
}

function how(exit: Exit): string {
  if (exit.signal !== null) return `it was ended by the signal ${exit.signal}`;
  return exit.code === null ? "it closed its output" : `it ended with the exit code ${exit.code}`;
}

export function crashed(exit: Exit): Failure {
  const said = exit.last === undefined ? "" : `; it said last: ${exit.last}`;
  return new Failure(
    `clined does not run any more: ${how(exit)}`,
    `restart it: what it was doing can be resumed${said}`,
    ["restart", "log"],
  );
}

/** `said` is the beginning of what it wrote to standard output, where that was never of the protocol. */
export function garbled(path: string, said?: string): Failure {
  if (said === undefined) return new Failure("what clined says cannot be understood", "restart it: what it was doing can be resumed", ["restart", "log"]);
  return new Failure(`${path} is no clined: it printed “${said}”`, "empty the setting clined.path, or name another program there", ["settings", "restart"]);
}

export function stopped(): Failure {
  return new Failure("clined was stopped before it answered", "try again", ["restart"]);
}

export function diedStarting(path: string, exit: Exit): Failure {
  const said = exit.last === undefined ? "the log may tell more" : `it said: ${exit.last}`;
  return new Failure(`${path} could not be started: ${how(exit)}`, said, ["restart", "log", "settings"]);
}

export interface ProtocolRange {
  min: number;
  max: number;
}

const words = (r: ProtocolRange): string => (r.min === r.max ? `version ${r.min}` : `versions ${r.min} to ${r.max}`);

/** Extension and program have no version of the protocol in common: says which of the two is the older one. */
export function wrongProtocol(path: string, theirs: ProtocolRange | undefined, ours: ProtocolRange): Failure {
  const programIsOlder = theirs === undefined || theirs.max < ours.min;
  const spoken = theirs === undefined ? "no version of the protocol that editors speak" : words(theirs);
  return new Failure(
    `${path} speaks ${spoken}, this extension ${words(ours)}`,
    programIsOlder ? "update clined, or empty the setting clined.path" : "update the extension",
    programIsOlder ? ["settings", "restart"] : ["restart"],
  );
}
