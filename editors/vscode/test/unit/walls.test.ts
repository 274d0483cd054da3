// Which room may import which: the tables of docs/architecture.md, held to the code. A room is a folder of src or webview; the
// files beside the folders are a room of their own, "." of each.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

const rooms: Record<string, string> = {
  "src/protocol": "",
  "src/model": "src/protocol",
  "src/daemon": "src/protocol",
  "src/chat": "src/daemon src/model src/protocol",
  "src/decisions": "src/chat src/daemon src/model src/protocol",
  "src/diff": "src/chat src/daemon src/decisions src/protocol",
  "src/editor": "src/chat src/daemon src/protocol",
  "src/setup": "src/chat src/daemon src/protocol",
  "src/.": "src/chat src/daemon src/diff src/editor src/setup",
  "webview/.": "src/chat src/daemon src/model src/protocol webview/frame",
  "webview/parts": "src/daemon src/protocol webview/.",
  "webview/models": "src/chat src/protocol webview/. webview/parts",
  "webview/calls": "src/model webview/. webview/parts",
  "webview/checklist": "src/protocol webview/. webview/parts",
  "webview/composer": "src/model src/protocol webview/. webview/models webview/parts",
  "webview/decisions": "src/chat src/model src/protocol webview/. webview/calls webview/parts webview/transcript",
  "webview/history": "src/protocol webview/. webview/parts",
  "webview/setup": "src/chat src/protocol src/setup webview/. webview/models webview/parts",
  "webview/transcript": "src/model src/protocol webview/. webview/calls webview/composer webview/parts",
  "webview/frame":
    "src/model src/protocol webview/. webview/calls webview/checklist webview/composer webview/decisions webview/history " +
    "webview/parts webview/setup webview/transcript",
};

const room = (file: string): string => {
  const [side, folder, ...rest] = file.split("/");
  return rest.length > 0 ? `${side}/${folder}` : `${side}/.`;
};

function imports(): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const side of ["src", "webview"]) {
    for (const name of readdirSync(side, { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name)) continue;
      const file = join(side, name);
      const own = found.get(room(file)) ?? new Map<string, string>();
      found.set(room(file), own);
      for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]*)"/g)) {
        const target = room(normalize(join(dirname(file), path ?? "")));
        if (target !== room(file)) own.set(target, file);
      }
    }
  }
  return found;
}

test("rooms import what their row allows, and no row allows more", () => {
  const found = imports();
  assert.deepEqual([...found.keys()].sort(), Object.keys(rooms).sort());
  for (const [from, targets] of found) {
    const allowed = new Set(rooms[from]?.split(" ").filter((r) => r !== ""));
    for (const [target, file] of targets) assert.ok(allowed.delete(target), `${file} imports ${target}`);
    assert.deepEqual([...allowed], [], `${from} does not import it any more`);
  }
});

test("docs/architecture.md has each room", () => {
  const text = readFileSync("../../docs/architecture.md", "utf8");
  for (const name of Object.keys(rooms)) assert.ok(text.includes(`| \`${name}\` |`), `${name} has no row`);
});
