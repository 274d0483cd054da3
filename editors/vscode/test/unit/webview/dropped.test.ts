// What drags bring, as VS Code's explorer and systems tell it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asText, linksOf, pathOf, pathsOf, promptPath, takes } from "../../../webview/composer/dropped";

const drag = (data: Record<string, string>) => ({ types: Object.keys(data), files: [], getData: (type: string) => data[type] ?? "" });

test("places are read from every form there is, each once", () => {
  assert.deepEqual(
    pathsOf(drag({ CodeFiles: '["/w/a.ts"]', ResourceURLs: '["file:///w/a.ts","file:///w/b%20c.ts"]', "text/uri-list": "# a comment\r\nfile:///w/d.ts" })),
    ["/w/a.ts", "/w/b c.ts", "/w/d.ts"],
  );
  assert.deepEqual(pathsOf(drag({ "application/vnd.code.uri-list": "vscode-remote://ssh-remote%2Bbox/home/me/x.go" })), ["/home/me/x.go"]);
  assert.deepEqual(pathsOf(drag({ ResourceURLs: "{", CodeFiles: "3" })), []);
  assert.deepEqual(pathsOf(drag({ "text/uri-list": "https://example.com/a.png" })), []);
});

test("links of the web are links", () => {
  assert.deepEqual(linksOf(drag({ "text/uri-list": "# a comment\r\nhttps://example.com/a?b#c\r\nfile:///w/a.ts\r\njavascript:alert(1)" })), ["https://example.com/a?b#c"]);
  assert.deepEqual(linksOf(drag({ "text/plain": "https://example.com" })), []);
});

test("paths of every system", () => {
  assert.equal(pathOf("file:///c%3A/Users/me/a.ts"), "c:\\Users\\me\\a.ts");
  assert.equal(pathOf("file://server/share/a.ts"), "\\\\server\\share\\a.ts");
  assert.equal(pathOf("file:///bad%"), undefined);
  assert.equal(pathOf("untitled:Untitled-1"), undefined);
});

test("paths are said from their folder, and quoted where they must be", () => {
  const shop = [{ name: "shop", path: "/home/me/shop" }];
  assert.equal(promptPath("/home/me/shop/src/a.ts", shop), "src/a.ts");
  assert.equal(promptPath("/home/me/shopping/a.ts", shop), "/home/me/shopping/a.ts");
  assert.equal(promptPath("c:\\w\\src\\a.ts", [{ name: "w", path: "c:\\w" }]), "src/a.ts");
  assert.equal(promptPath("/b/x.ts", [{ name: "a", path: "/a" }, { name: "b", path: "/b" }]), "/b/x.ts");
  assert.equal(asText(["/home/me/shop/a.ts", "/home/me/shop/my notes.md"], shop), 'a.ts "my notes.md"');
});

test("only drags that bring files are taken", () => {
  assert.ok(takes({ types: ["Files"] }));
  assert.ok(takes({ types: ["text/plain", "codefiles"] }));
  assert.ok(!takes({ types: ["text/plain", "text/html"] }));
});
