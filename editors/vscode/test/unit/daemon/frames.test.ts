// What a program prints is of the protocol, or it is told of before it fills memory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames } from "../../../src/daemon/frames";

const frame = (text: string) => Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);

/** What is said of this in pieces of so many bytes. */
function said(all: Buffer, size: number): string | undefined {
  const frames = new Frames();
  for (let at = 0; at < all.length; at += size) {
    const other = frames.follow(all.subarray(at, at + size));
    if (other !== undefined) return other;
  }
  return undefined;
}

const sizes = [1, 2, 3, 7, 16, 64, 5000, 1 << 20];

test("messages of every length, in pieces of every size", () => {
  const typed = Buffer.from("content-length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}");
  const texts = ["{}", "", "\r\n\r\n", "ünï — €", "x".repeat(10_000), "Content-Length: nonsense\r\n\r\n"];
  const all = Buffer.concat([...texts.map(frame), typed, ...texts.map(frame)]);
  for (const size of sizes) assert.equal(said(all, size), undefined, `pieces of ${size}`);
});

const others: [name: string, text: string, told: RegExp][] = [
  ["words", "hello\n", /^h/],
  ["terabytes", "Content-Length: 9999999999999\r\n\r\n", /^Content-Length: 9999999999999$/],
  ["more than can be read", "Content-Length: 999999999\r\n\r\n", /^Content-Length: 999999999$/],
  ["less than nothing", "Content-Length: -1\r\n\r\n", /^Content-Length: -1$/],
  ["no number", "Content-Length: 1e9\r\n\r\n", /^Content-Length: 1e9$/],
  ["a number and more", "Content-Length: 12abc\r\n\r\n", /^Content-Length: 12abc$/],
  ["headers without end", `Content-Length: 2\r\nX: ${"y".repeat(100_000)}`, /^Content-Length: 2$/],
  ["a length without end", `Content-Length: ${"1".repeat(100_000)}`, /^Content-Length: 1+$/],
  ["nothing but zeros", "\0".repeat(10_000), /^$/],
];

test("what is no message is told of, also behind good ones, and never more than a line of it", () => {
  for (const [name, text, told] of others) {
    for (const size of sizes) {
      for (const before of ["", frame("{}").toString()]) {
        const line = said(Buffer.from(before + text), size);
        assert.ok(line !== undefined && line.length <= 80, `${name} in pieces of ${size}`);
        assert.match(line, told, `${name} in pieces of ${size}`);
      }
    }
  }
});
