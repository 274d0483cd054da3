// Pictures and files that come into the composer by paste and drop.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asked, until } from "./await";
import { Lab, type View } from "./view";

let lab: Lab;
before(async () => {
  lab = await Lab.open();
});
after(() => lab.close());

const limit = { timeout: 120_000 };
type Picture = { type: string; mimeType: string; data: string };

interface Brought {
  kind: "paste" | "drop";
  /** Random pixels of this size as a PNG. */
  noise?: number;
  file?: { name: string; type: string; text: string };
  data?: Record<string, string>;
}

/** Has the page paste or drop something; resolves to the bytes of the picture. */
function bring(view: View, what: Brought): Promise<number> {
  return view.testId("composer").evaluate(async (el, { kind, noise, file, data }) => {
    const transfer = new DataTransfer();
    let bytes = 0;
    if (noise) {
      const canvas = new OffscreenCanvas(noise, noise);
      const context = canvas.getContext("2d")!;
      const image = context.createImageData(noise, noise);
      for (let i = 0; i < image.data.length; i += 65_536) crypto.getRandomValues(image.data.subarray(i, i + 65_536));
      for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
      context.putImageData(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/png" });
      bytes = blob.size;
      transfer.items.add(new File([blob], "noise.png", { type: "image/png" }));
    }
    if (file) transfer.items.add(new File([file.text], file.name, { type: file.type }));
    for (const [type, value] of Object.entries(data ?? {})) transfer.setData(type, value);
    const init = { bubbles: true, cancelable: true };
    el.dispatchEvent(kind === "paste" ? new ClipboardEvent("paste", { ...init, clipboardData: transfer }) : new DragEvent("drop", { ...init, dataTransfer: transfer }));
    return bytes;
  }, what);
}

const shown = (view: View, n: number) => until(`${n} pictures`, async () => (await view.testId("attachment").count()) === n);

test("a small picture is sent as it is, and can be taken out before", limit, async () => {
  const view = await lab.show({ tasks: [] });
  await view.testId("composer").click();
  const bytes = await bring(view, { kind: "paste", noise: 40 });
  await shown(view, 1);
  await bring(view, { kind: "paste", noise: 20 });
  await shown(view, 2);
  await view.screenshot("composer-pictures-dark-420");
  await view.page.getByLabel("Remove noise.png").last().click();
  await shown(view, 1);
  await view.page.keyboard.press("Tab");
  await view.testId("composer").fill("look");
  await view.page.keyboard.press("Enter");
  await until("a task", () => asked(view, "clined/task/new").length === 1);
  const [text, picture] = asked(view, "clined/task/new")[0]?.prompt as [unknown, Picture];
  assert.deepEqual(text, { type: "text", text: "look" });
  assert.equal(picture.mimeType, "image/png");
  assert.equal(Buffer.from(picture.data, "base64").length, bytes);
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("thirty megabytes are made small enough", limit, async () => {
  const view = await lab.show({ tasks: [] });
  await view.testId("composer").click();
  const bytes = await bring(view, { kind: "paste", noise: 3200 });
  assert.ok(bytes > 29_000_000, `${bytes} bytes`);
  await shown(view, 1);
  await view.page.keyboard.press("Enter");
  await until("a task", () => asked(view, "clined/task/new").length === 1);
  const [picture] = asked(view, "clined/task/new")[0]?.prompt as [Picture];
  const size = Buffer.from(picture.data, "base64").length;
  assert.ok(size > 10_000 && size <= 3_900_000, `${size} bytes`);
  assert.equal(picture.mimeType, "image/jpeg");
  assert.deepEqual(view.faults, []);
  await view.close();
});

test("what is no picture is told, and nothing else is lost", limit, async () => {
  const view = await lab.show({ tasks: [] });
  await view.testId("composer").fill("mine");
  await bring(view, { kind: "paste", file: { name: "broken.png", type: "image/png", text: "no picture" } });
  await view.page.getByText(/“broken.png” cannot be read as a picture/).waitFor();
  await bring(view, { kind: "drop", file: { name: "report.pdf", type: "application/pdf", text: "%PDF" } });
  await view.page.getByText(/does not tell where “report.pdf” lies/).waitFor();
  assert.equal(await view.testId("composer").inputValue(), "mine");
  assert.equal(await view.testId("attachment").count(), 0);
  await view.close();
});

test("files bring their places, and undo takes them back", limit, async () => {
  const view = await lab.show({ tasks: [] });
  const box = view.testId("composer");
  await box.click();
  await view.page.keyboard.type("see");
  await bring(view, { kind: "drop", data: { CodeFiles: '["/home/me/shop/src/cart.ts","/tmp/other notes.txt"]' } });
  await until("paths", async () => (await box.inputValue()) === 'see src/cart.ts "/tmp/other notes.txt" ');
  await view.page.keyboard.press("Control+z");
  await until("undone", async () => !(await box.inputValue()).includes("cart.ts"));
  await view.close();
});

test("text that comes with a picture of itself is text", limit, async () => {
  const view = await lab.show({ tasks: [] });
  await view.testId("composer").click();
  await bring(view, { kind: "paste", noise: 10, data: { "text/plain": "a table" } });
  await bring(view, { kind: "paste", noise: 11 });
  await shown(view, 1);
  await view.close();
});

test("while something is dragged the box says what it takes", limit, async () => {
  const view = await lab.show({ tasks: [] });
  const box = view.testId("composer");
  await box.click();
  const prevented = await box.evaluate((el) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["x"], "x.png", { type: "image/png" }));
    return !el.dispatchEvent(new DragEvent("dragenter", { bubbles: true, cancelable: true, dataTransfer: transfer }));
  });
  assert.ok(prevented);
  await view.page.getByText(/hold Shift/).waitFor();
  await view.screenshot("composer-drag-dark-420");
  await view.close();
});

test("nothing is sent while a picture is read", limit, async () => {
  const view = await lab.show({ tasks: [] });
  await view.testId("composer").click();
  await view.page.keyboard.type("see");
  await view.page.evaluate(() => {
    const read = window.createImageBitmap.bind(window) as (blob: Blob) => Promise<ImageBitmap>;
    const page = window as unknown as { createImageBitmap: unknown; goOn(): void };
    const free = new Promise<void>((done) => (page.goOn = done));
    page.createImageBitmap = (blob: Blob) => free.then(() => read(blob));
  });
  await bring(view, { kind: "paste", noise: 20 });
  await view.page.getByText("Reading pictures").waitFor();
  assert.equal(await view.testId("send").isDisabled(), true);
  assert.match((await view.testId("send").getAttribute("title")) ?? "", /still being read/);
  await view.page.evaluate(() => (window as unknown as { goOn(): void }).goOn());
  await shown(view, 1);
  await view.testId("send").click();
  await until("a task", () => asked(view, "clined/task/new").length === 1);
  await view.close();
});

test("a link that is dropped is written down", limit, async () => {
  const view = await lab.show({ tasks: [] });
  await view.testId("composer").click();
  await bring(view, { kind: "drop", data: { "text/uri-list": "https://example.com/a" } });
  await until("the link", async () => (await view.testId("composer").inputValue()) === "https://example.com/a ");
  await view.close();
});
