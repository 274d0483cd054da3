// How fast the view is: tasks of 5,000 messages and of 14 messages of 1 MB opened and scrolled, a message of 200 kB streamed.
//   node esbuild.mjs && node esbuild.mjs --tests --webview && node dist/test/webview/bench.mjs

import { answer, heavyTask, longTask } from "./long";
import { Lab, type View } from "./view";

interface Frames {
  count: number;
  worst: number;
  /** The 99th of a hundred. */
  late: number;
  /** Tasks of the page that took more than 50 ms. */
  long: number[];
  /** Work of the page's thread for a frame, in ms: all, and of it scripts, layout, styles. */
  task: number;
  script: number;
  layout: number;
  style: number;
}

/** Runs `step` in each frame until it returns false, and tells how long the frames took. */
async function frames(view: View, step: string, args: object): Promise<Frames> {
  const devtools = await view.page.context().newCDPSession(view.page);
  // The thread's own time: other work on the machine does not count.
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (name: string) => 1000 * (metrics.find((m) => m.name === name)?.value ?? 0);
  };
  const before = await spent();
  const result = await timed(view, step, args);
  const after = await spent();
  const each = (name: string) => (after(name) - before(name)) / Math.max(1, result.count);
  await devtools.detach();
  return { ...result, task: each("TaskDuration"), script: each("ScriptDuration"), layout: each("LayoutDuration"), style: each("RecalcStyleDuration") };
}

async function timed(view: View, step: string, args: object): Promise<Pick<Frames, "count" | "worst" | "late" | "long">> {
  return view.page.evaluate(
    async ([source, given]) => {
      const next = new Function("n", "args", "state", source) as (n: number, args: object, state: object) => boolean;
      const long: number[] = [];
      const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((e) => Math.round(e.duration))));
      observer.observe({ entryTypes: ["longtask"] });
      const times: number[] = [];
      const state = {};
      let last = performance.now();
      for (let n = 0; next(n, given, state); n++) {
        const now = await new Promise<number>((frame) => requestAnimationFrame(frame));
        if (n > 0) times.push(now - last);
        last = now;
      }
      observer.disconnect();
      times.sort((a, b) => a - b);
      return { count: times.length, worst: Math.round(times.at(-1) ?? 0), late: Math.round(times[Math.floor(times.length * 0.99)] ?? 0), long };
    },
    [step, args] as const,
  );
}

function say(what: string, f: Frames): void {
  console.log(`${what}: ${f.count} frames, 99 % within ${f.late} ms, worst ${f.worst} ms, tasks over 50 ms: ${f.long.length}`);
  const [task, script, layout, style] = [f.task, f.script, f.layout, f.style].map((ms) => ms.toFixed(1));
  console.log(`  work for a frame: ${task} ms, of it scripts ${script}, layout ${layout}, styles ${style}`);
}

async function opened(view: View, what: string): Promise<void> {
  const { long, took } = await view.page.evaluate(async (taskId) => {
    const long: number[] = [];
    new PerformanceObserver((list) => long.push(...list.getEntries().map((e) => Math.round(e.duration)))).observe({ entryTypes: ["longtask"] });
    const began = performance.now();
    window.postMessage({ type: "show", page: "chat", taskId }, "*");
    while (!document.querySelector("[data-index]")) await new Promise(requestAnimationFrame);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return { took: Math.round(performance.now() - began), long };
  }, view.stage.tasks?.[0]?.info.taskId);
  console.log(`${what} is drawn ${took} ms after it was asked for (of it the fake host's answer), tasks over 50 ms: ${long.join(", ") || "none"}`);
}

const lab = await Lab.open({ unpoliced: true });
try {
  const view = await lab.show({ tasks: [longTask(5000)] }, "dark", 420, 800);
  await opened(view, "a task of 5,000 messages");

  const toTop = `const box = document.querySelector("[data-testid=transcript]"); box.scrollTop -= args.by;
    if (box.scrollTop > 0) state.still = 0; else state.still = (state.still ?? 0) + 1; return state.still < 60;`;
  say("scrolling up through all, loading page by page", await frames(view, toTop, { by: 2000 }));
  console.log("items:", await view.page.evaluate(() => document.querySelector("[data-index]")?.getAttribute("aria-setsize")));
  const down = `const box = document.querySelector("[data-testid=transcript]"); box.scrollTop += args.by; return n < 600;`;
  say("scrolling down", await frames(view, down, { by: 300 }));
  say("scrolling down fast", await frames(view, down, { by: 3000 }));
  await view.close();

  const heavy = await lab.show({ tasks: [heavyTask(14, 1_000_000)] }, "dark", 420, 800);
  await opened(heavy, "a task of 14 messages of 1 MB");
  const up = `const box = document.querySelector("[data-testid=transcript]"); box.scrollTop -= args.by; return n < 120;`;
  for (const by of [300, 3000, 100_000]) say(`scrolling up ${by} pixels a frame`, await frames(heavy, up, { by }));
  await heavy.close();

  const text = Array.from({ length: 3000 }, (_, n) => answer(n)).join("\n\n").slice(0, 200_000);
  for (const [what, whole] of [["Markdown", text], ["one block of code", `\`\`\`ts\n${text.replaceAll("`", "")}`], ["one list", text.replace(/[`|#>]/g, "").replace(/\n+/g, "\n- ")], ["one paragraph", text.replace(/[`|#\n]/g, " ")]] as const) {
    const live = await lab.show({ taskId: "live", tasks: [{ ...longTask(0), info: { ...longTask(0).info, taskId: "live" }, events: [] }] }, "dark", 420, 800);
    const stream = `if (n % 2) return true; const size = args.text.length / 300; const text = args.text.slice((n / 2) * size, (n / 2 + 1) * size);
      if (!text) return false;
      window.postMessage({ type: "event", params: { taskId: "live", seq: 10 + n, turnId: "t", ts: "2026-05-30T08:00:00.000Z", event: { type: "messageDelta", messageId: "m", partIndex: 0, kind: "text", text } } }, "*");
      return true;`;
    say(`200 kB streamed in 10 s as ${what}`, await frames(live, stream, { text: whole }));
    await live.close();
  }
} finally {
  await lab.close();
}
