// A driver of the conformance program: answers each line with one. In a run of run.ts the work is done there, and this passes the
// lines on; by itself it starts a VS Code for its one window.

import { connect } from "node:net";
import { finished } from "node:stream/promises";

const there = process.env["CLINED_CONFORMANCE_VSCODE"];
if (there) {
  const hub = connect(there);
  process.stdin.pipe(hub);
  hub.pipe(process.stdout);
  await finished(hub);
} else {
  const [{ Stage }, { serve }] = await Promise.all([import("./stage"), import("./serve")]);
  const stage = await Stage.start();
  await serve(stage, process.stdin, process.stdout).finally(() => stage.end());
}
