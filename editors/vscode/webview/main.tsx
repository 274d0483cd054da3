// Starts the chat's webview: draws the view, listens to the host, and tells it once there is something to see. All that it
// shows is in the store; all that it can do goes through the host.

import { effect } from "@preact/signals";
import { render } from "preact";
import { App } from "./frame/app";
import { post, ready, start, taskId, task } from "./store";

const root = document.createElement("div");
root.className = "root";
document.body.append(root);

render(<App />, root);
start();

const stop = effect(() => {
  if (!ready.value || (taskId.value && !task.value)) return;
  // Two frames: the one that draws it has ended by then.
  requestAnimationFrame(() => requestAnimationFrame(() => post({ type: "painted", ms: Math.round(performance.now()) })));
  queueMicrotask(() => stop());
});
