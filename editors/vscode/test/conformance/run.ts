// Runs the conformance program against VS Code: `run.mjs PROGRAM ARGS…` starts one VS Code for all of its drivers, and ends with
// its exit code and all that ran.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { Stage } from "./stage";
import { serve } from "./serve";

const [program = "", ...args] = process.argv.slice(2);
const stage = await Stage.start();
let code = 1;
try {
  // One window after the other: they share the settings of a server.
  let before = Promise.resolve();
  let broken = false;
  // The end of the lines is that of the window, and its end that of the driver.
  const hub = createServer({ allowHalfOpen: true }, (driver) => {
    driver.on("error", () => {});
    before = before
      .then(() => serve(stage, driver, driver))
      .catch((error: unknown) => {
        broken = true;
        console.error(error);
      })
      .finally(() => driver.end());
  });
  const socket = join(stage.root, "hub.sock");
  hub.listen(socket);
  await once(hub, "listening");
  const env = { ...process.env, CLINED_CONFORMANCE_VSCODE: socket };
  const child = spawn(program, [...args, "--", resolve("test", "conformance", "vscode")], { env, stdio: ["ignore", "inherit", "inherit"] });
  process.once("exit", () => child.kill());
  const [exit] = (await once(child, "close")) as [number | null];
  hub.close();
  await before;
  code = broken ? 1 : (exit ?? 1);
} finally {
  await stage.end();
}
process.exitCode = code;
