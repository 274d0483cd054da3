// The history in a browser: a long list that draws little, searching, and what is done to a task in its place.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asked, until } from "./await";
import { history, longHistory, past } from "./scenes-composer";
import { Lab, type View } from "./view";

let lab: Lab;
before(async () => {
  lab = await Lab.open();
});
after(() => lab.close());

const limit = { timeout: 60_000 };

async function shown(view: View): Promise<View> {
  await view.testId("history-item").first().waitFor();
  return view;
}

test("a thousand tasks come page by page, and few are drawn", limit, async () => {
  const view = await shown(await lab.show(longHistory));
  assert.equal(asked(view, "clined/task/list").length, 1);
  const list = view.page.locator(".history-list");
  for (let pages = 2; pages <= 20; pages++) {
    await list.evaluate((el) => (el.scrollTop = el.scrollHeight));
    await until(`page ${pages}`, () => asked(view, "clined/task/list").length >= pages);
  }
  await until("the last", async () => {
    await list.evaluate((el) => (el.scrollTop = el.scrollHeight));
    return (await view.page.getByText("Task number 999", { exact: true }).count()) === 1;
  });
  assert.ok((await view.testId("history-item").count()) < 50);
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("a search waits for a pause in typing and asks once", limit, async () => {
  const view = await shown(await lab.show(history));
  // Letter by letter, with no pause however slow the machine.
  await view.testId("history-search").evaluate((search) => {
    const input = search as HTMLInputElement;
    for (const letter of "sqlite") {
      input.value += letter;
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
  });
  await until("one", async () => (await view.testId("history-item").count()) === 1);
  const searches = asked(view, "clined/task/list").slice(1);
  assert.deepEqual(searches, [{ limit: 50, query: "sqlite", cwds: ["/home/me/shop"] }]);
  await view.testId("history-search").fill("no such words");
  await view.page.getByText("Nothing matches “no such words”").waitFor();
  await view.page.keyboard.press("Escape");
  await until("all", async () => (await view.testId("history-item").count()) === 10);
  await view.close();
});

test("coming back from a task keeps the search, opening afresh shows all", limit, async () => {
  const view = await shown(await lab.show(history));
  const open = () => view.deliver({ type: "show", page: "history" });
  const words = () => view.testId("history-search").inputValue();
  await view.testId("history-search").fill("sqlite");
  await until("one", async () => (await view.testId("history-item").count()) === 1);
  await view.page.locator(".history-item-open").click();
  await view.testId("transcript").waitFor();
  await open();
  await view.testId("history-item").waitFor();
  assert.equal(await words(), "sqlite");
  assert.equal(await view.testId("history-item").count(), 1);
  await view.page.keyboard.type("goats");
  assert.equal(await words(), "goats", "what is typed takes the place of what was searched for");
  await view.page.keyboard.press("Escape");
  await view.page.keyboard.press("Escape");
  await view.deliver({ type: "show", page: "chat", taskId: null });
  await open();
  await until("all", async () => (await view.testId("history-item").count()) === 10);
  assert.equal(await words(), "");
  await view.testId("history-starred").click();
  await until("those with a star", () => asked(view, "clined/task/list").at(-1)?.favorite === true);
  await view.page.keyboard.press("Escape");
  await open();
  await until("all", () => asked(view, "clined/task/list").at(-1)?.favorite === undefined);
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("the workspace is all its folders, those that are added later too", limit, async () => {
  const view = await shown(await lab.show(history));
  await view.deliver({ type: "folders", folders: [{ name: "shop", path: "/home/me/shop" }, { name: "site", path: "/home/me/site" }] });
  await until("both", () => String(asked(view, "clined/task/list").at(-1)?.cwds) === "/home/me/shop,/home/me/site");
  await view.close();
});

test("a tall view is filled", limit, async () => {
  const view = await shown(await lab.show(longHistory, "dark", 420, 2400));
  const filled = () => view.page.locator(".history-list").evaluate((el) => {
    const rows = [...el.querySelectorAll(".history-row")].map((row) => row.getBoundingClientRect().bottom);
    return Math.max(...rows) >= el.getBoundingClientRect().bottom;
  });
  await until("the list is filled", filled);
  await view.close();
});

test("titles are text, whatever they hold", limit, async () => {
  const view = await shown(await lab.show(history));
  await view.page.getByText("<img src=x onerror=alert(1)> & <b>bold</b>").waitFor();
  assert.equal(await view.page.locator(".history img").count(), 0);
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("the keys go through the list, open, rename and delete", limit, async () => {
  const view = await shown(await lab.show(history));
  await view.testId("history-search").press("ArrowDown");
  await view.page.keyboard.press("ArrowDown");
  const focused = () => view.page.evaluate(() => document.activeElement?.getAttribute("title") ?? document.activeElement?.tagName ?? "");
  await until("the second", async () => (await focused()) === "Move the price rules into their own module");

  await view.page.keyboard.press("F2");
  await view.testId("rename-field").waitFor();
  await view.page.keyboard.press("Control+a");
  await view.page.keyboard.type("Price rules");
  await view.page.keyboard.press("Enter");
  await until("a name", () => asked(view, "clined/task/rename").length === 1);
  assert.deepEqual(asked(view, "clined/task/rename")[0], { taskId: "h2", title: "Price rules" });
  await view.page.getByText("Price rules", { exact: true }).waitFor();

  await until("the focus is back", async () => (await focused()) === "Price rules");
  await view.page.keyboard.press("Delete");
  await view.testId("delete-confirm").waitFor();
  await view.page.keyboard.press("Escape");
  await view.testId("delete-confirm").waitFor({ state: "detached" });
  assert.equal(asked(view, "clined/task/delete").length, 0);
  await until("the focus is back", async () => (await focused()) === "Price rules");
  await view.page.keyboard.press("Delete");
  await view.page.keyboard.press("Enter");
  await until("one less", async () => (await view.testId("history-item").count()) === 9);
  assert.deepEqual(asked(view, "clined/task/delete"), [{ taskId: "h2" }]);

  const inList = () => view.page.evaluate(() => document.activeElement?.closest("[data-testid=history-item]") !== null);
  await until("the focus is on another", inList);
  await view.testId("history-search").focus();
  await view.page.keyboard.press("ArrowDown");
  await until("the focus is back in the list", inList);
  await view.page.keyboard.press("Home");
  await view.page.keyboard.press("Enter");
  await until("it is opened", () => asked(view, "clined/task/attach").length === 1);
  assert.equal(asked(view, "clined/task/attach")[0]?.taskId, "h1");
  await view.close();
});

test("a task that cannot be deleted says why and stays", limit, async () => {
  const view = await shown(await lab.show({ ...history, answers: { ...history.answers, "clined/task/delete": () => { throw new Error("the task runs in another process"); } } }));
  await view.testId("history-item").first().hover();
  await view.testId("history-item").first().getByLabel("Delete").click();
  await view.testId("delete-confirm").click();
  await view.page.getByText("the task runs in another process").waitFor();
  assert.equal(await view.testId("history-item").count(), 10);
  await view.close();
});

test("stars, exports, other workspaces", limit, async () => {
  const view = await shown(await lab.show(history));
  const first = view.testId("history-item").first();
  await first.hover();
  await first.getByLabel("Star").click();
  await until("a star", () => asked(view, "clined/task/favorite").length === 1);
  assert.deepEqual(asked(view, "clined/task/favorite")[0], { taskId: "h1", favorite: true });
  await first.getByLabel("Export").click();
  await view.testId("export-json").click();
  await until("an export", () => view.sentOf("export").length === 1);
  assert.deepEqual(view.sentOf("export")[0], { type: "export", taskId: "h1", format: "json" });
  await view.testId("history-all").click();
  await until("all", () => asked(view, "clined/task/list").at(-1)?.cwds === undefined);
  await view.testId("history-starred").click();
  await until("those with a star", () => asked(view, "clined/task/list").at(-1)?.favorite === true);
  await view.page.screenshot();
  await view.close();
});

test("an interrupted task is resumed from the list", limit, async () => {
  const view = await shown(await lab.show(history));
  await view.testId("history-item").nth(2).hover();
  await view.testId("history-item").nth(2).getByLabel("Resume").click();
  await until("a resume", () => asked(view, "clined/task/resume").length === 1);
  assert.deepEqual(asked(view, "clined/task/resume")[0], { taskId: "h3" });
  await view.close();
});

test("a list that fails says why and can be asked again; an empty one says so", limit, async () => {
  let fails = true;
  const view = await lab.show({
    page: "history",
    answers: { "clined/task/list": () => { if (fails) throw new Error("disk I/O error"); return { tasks: [past(1, "One", 1)] }; } },
  });
  await view.page.getByText("Disk I/O error").waitFor();
  fails = false;
  await view.page.getByText("Try again").click();
  await view.testId("history-item").waitFor();
  await view.close();

  const empty = await lab.show({ page: "history", answers: { "clined/task/list": () => ({ tasks: [] }) } });
  await empty.page.getByText("No tasks in this workspace yet").waitFor();
  await empty.close();
});

test("a page that could not be loaded says so, and is tried again", limit, async () => {
  const view = await lab.show({ ...history, page: "chat" });
  const script = /\/history-\w+\.js$/;
  await view.page.route(script, (route) => route.abort());
  await view.deliver({ type: "show", page: "history" });
  await view.page.getByText("This page could not be loaded").waitFor();
  await view.page.unroute(script);
  await view.page.getByRole("button", { name: "Try again" }).click();
  await view.testId("history-item").first().waitFor();
  await view.close();
});
