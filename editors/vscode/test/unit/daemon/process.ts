// A real clined for tests: the program, a state of its own, and a model that says what the test lets it say.

import { createServer, type ServerResponse } from "node:http";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { connect } from "../../../src/daemon/client";
import { DaemonHost } from "../../../src/daemon/daemon";
import { openSession } from "../../../src/daemon/session";
import { EventEmitter, LogLevel, Uri, workspace } from "../vscode";

/** The program that the test runner names, or the one that is packed into the extension. */
export const program = process.env["CLINED_PROGRAM"] ?? resolve("bin", "clined");

export interface Log {
  lines: string[];
  channel: never;
}

export function log(): Log {
  const lines: string[] = [];
  const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const levels = { trace: at("trace"), debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), appendLine: at("") };
  return { lines, channel: { ...levels, logLevel: LogLevel.Info, onDidChangeLogLevel: new EventEmitter().event } as never };
}

export interface World {
  folder: string;
  url: string;
  log: Log;
  /** A daemon on this world's state; each is a window of its own. */
  daemon(path?: string, protocol?: { min: number; max: number }): DaemonHost;
  /** Answers the request that the model has, or gets next. */
  reply(chunks: string[], end: boolean): Promise<void>;
  end(): Promise<void>;
}

export async function world(): Promise<World> {
  if (!existsSync(program)) throw new Error(`there is no ${program}: build it, or name another in CLINED_PROGRAM`);
  const folder = mkdtempSync(join(tmpdir(), "clined-unit-"));
  workspace.workspaceFolders = [{ name: "work", index: 0, uri: Uri.file(folder) }];
  const asked: ServerResponse[] = [];
  let wake = () => {};
  const model = createServer((request, response) => {
    request.resume();
    if (request.method !== "POST") return; // the list of models never comes
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    asked.push(response);
    wake();
  });
  await new Promise<void>((done) => model.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  const made: DaemonHost[] = [];
  const lines = log();
  return {
    folder,
    url,
    log: lines,
    daemon: (path = program, protocol = { min: 1, max: 1 }) => {
      const host = new DaemonHost({
        open: (hooks, signal) =>
          openSession(
            {
              path,
              cwd: folder,
              env: { PATH: process.env["PATH"], HOME: folder, CLINED_HOME: join(folder, "state") },
              log: lines.channel,
              clined: { protocol, client: { name: "test" }, caps: { approvals: {}, asks: {}, transcript: {} } },
              edited: () => {},
              settings: () => ({ baseUrl: url, model: "scripted" }),
              client: () => ({ connect }),
            },
            hooks,
            signal,
          ),
        report: (what, error) => lines.lines.push(`report ${what}: ${String(error)}`),
      });
      made.push(host);
      return host;
    },
    reply: async (chunks, end) => {
      while (asked.length === 0) await new Promise<void>((next) => (wake = next));
      const response = asked[0]!;
      for (const content of chunks) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
      if (!end) return;
      asked.shift();
      response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
    },
    end: async () => {
      for (const host of made) await host.stop();
      model.closeAllConnections();
      await new Promise((done) => model.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
