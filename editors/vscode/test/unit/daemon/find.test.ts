// Where the program is found, and what is said where it is not.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test, type TestContext } from "node:test";
import { machineName, machineOf } from "../../../src/daemon/binary";
import { daemonEnvironment } from "../../../src/daemon/environment";
import { Failure } from "../../../src/daemon/failure";
import { findProgram, type Surroundings } from "../../../src/daemon/find";
import { logLine } from "../../../src/daemon/process";

/** Folders `extension/bin`, `home` and `path`, with programs where a test puts them. */
function places(t: TestContext): { at: (path: string) => string; put: (path: string, mode?: number) => string; in: (s?: Partial<Surroundings>) => Surroundings } {
  const root = mkdtempSync(join(tmpdir(), "clined-find-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ["extension/bin", "home", "path"]) mkdirSync(join(root, folder), { recursive: true });
  const at = (path: string) => join(root, path);
  return {
    at,
    put: (path, mode = 0o755) => {
      writeFileSync(at(path), "");
      chmodSync(at(path), mode);
      return at(path);
    },
    in: (s = {}) => ({
      setting: "",
      extensionPath: at("extension"),
      home: at("home"),
      path: ["relative", at("nowhere"), at("path")].join(delimiter),
      platform: "linux",
      ...s,
    }),
  };
}

const says = (pattern: RegExp) => (error: unknown) => error instanceof Failure && pattern.test(`${error.message} / ${error.hint}`) && error.help.length > 0;

test("the setting comes first, then what came with the extension, then PATH", (t) => {
  const p = places(t);
  assert.throws(() => findProgram(p.in()), says(/was not found \/ .*PATH.*clined\.path/));
  const onPath = p.put("path/clined");
  assert.equal(findProgram(p.in()), onPath);
  const shipped = p.put("extension/bin/clined");
  assert.equal(findProgram(p.in()), shipped);
  const own = p.put("home/mine");
  assert.equal(findProgram(p.in({ setting: ` ${own} ` })), own);
  assert.equal(findProgram(p.in({ setting: "~/mine" })), own);
  assert.equal(findProgram(p.in({ setting: "clined" })), onPath);
});

test("a program that was named is never replaced by another", (t) => {
  const p = places(t);
  p.put("path/clined");
  p.put("extension/bin/clined");
  assert.throws(() => findProgram(p.in({ setting: p.at("home/none") })), says(/clined\.path names .*none, which does not exist/));
  assert.throws(() => findProgram(p.in({ setting: p.at("home") })), says(/which is a folder/));
  assert.throws(() => findProgram(p.in({ setting: "bin/clined" })), says(/no absolute path \/ give the whole path/));
  assert.throws(() => findProgram(p.in({ setting: "other" })), says(/other, which is not on PATH/));
  assert.throws(() => findProgram(p.in({ setting: p.put("home/locked", 0o644) })), says(/locked is not executable \/ .*chmod \+x/));
});

test("the mode that an archive lost is given back to the program that came with the extension", (t) => {
  const p = places(t);
  const shipped = p.put("extension/bin/clined", 0o644);
  assert.equal(findProgram(p.in()), shipped);
  assert.ok((statSync(shipped).mode & 0o111) !== 0);
});

test("on Windows it is called clined.exe", (t) => {
  const p = places(t);
  p.put("extension/bin/clined");
  assert.throws(() => findProgram(p.in({ platform: "win32" })), says(/was not found/));
  const shipped = p.put("extension/bin/clined.exe");
  assert.equal(findProgram(p.in({ platform: "win32" })), shipped);
});

test("the machine that a program is for is read from its head", () => {
  const head = (fill: (b: Buffer) => void, size = 512) => {
    const b = Buffer.alloc(size);
    fill(b);
    return b;
  };
  const elf = head((b) => b.writeUInt32BE(0x7f454c46, 0) && b.writeUInt16LE(0xb7, 18));
  assert.deepEqual(machineOf(elf), { platform: "linux", arch: "arm64" });
  const mach = head((b) => b.writeUInt32LE(0xfeedfacf, 0) && b.writeUInt32LE(0x0100000c, 4));
  assert.equal(machineName(machineOf(mach)!), "macOS on arm64");
  const pe = head((b) => {
    b.write("MZ");
    b.writeUInt32LE(0x80, 0x3c);
    b.write("PE\0\0", 0x80);
    b.writeUInt16LE(0x8664, 0x84);
  });
  assert.equal(machineName(machineOf(pe)!), "Windows on x64");
  assert.equal(machineOf(head((b) => b.write("MZ") && b.writeUInt32LE(0xfffffff0, 0x3c))), undefined);
  assert.equal(machineOf(head((b) => b.write("#!/bin/sh\n"))), undefined);
  assert.equal(machineOf(Buffer.alloc(3)), undefined);
  assert.equal(machineOf(Buffer.alloc(0)), undefined);
});

test("the daemon's commands get nothing of VS Code's own environment", () => {
  const env = daemonEnvironment({
    PATH: "/bin",
    HOME: "/h",
    ELECTRON_RUN_AS_NODE: "1",
    VSCODE_PID: "1",
    VSCODE_IPC_HOOK_CLI: "/s",
    VSCODE_PORTABLE: "/p",
    VSCODE_ENV_APPEND: "x",
    SNAP: "/snap",
    SNAP_NAME: "code",
    SNAPPY: "stays",
    GDK_PIXBUF_MODULEDIR: "/g",
    OPENAI_API_KEY: "k",
  });
  assert.deepEqual(Object.keys(env), ["PATH", "HOME", "VSCODE_PORTABLE", "VSCODE_ENV_APPEND", "SNAPPY", "OPENAI_API_KEY"]);
});

test("lines of standard error are logged at their level; what went wrong is kept", () => {
  const lines: string[] = [];
  const at = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const kept = [
    'time=2026-05-30T08:00:00.000Z level=DEBUG msg="it was read" took=3ms',
    "level=INFO msg=ready",
    'level=WARN msg="no \\"quota\\" left" task=t1',
    'time=2026-05-30T08:00:00.000Z level=ERROR msg="disk full"',
    "panic: runtime error",
    'level=ERROR+4 msg="\\x00"',
  ].map((line) => logLine(line, log));
  assert.deepEqual(lines, [
    "debug: it was read took=3ms",
    "info: ready",
    'warn: no "quota" left task=t1',
    "error: disk full",
    "warn: panic: runtime error",
    'error: "\\x00"',
  ]);
  assert.deepEqual(kept, [undefined, undefined, 'no "quota" left task=t1', "disk full", "panic: runtime error", '"\\x00"']);
});
