// Tells from the first bytes of a program what machine it is for. Only asked when a program could not be started.

import { closeSync, openSync, readSync } from "node:fs";

export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
}

const elf = new Map([
  [0x03, "ia32"],
  [0x28, "arm"],
  [0x3e, "x64"],
  [0xb7, "arm64"],
  [0xf3, "riscv64"],
]);
const mach = new Map([
  [0x01000007, "x64"],
  [0x0100000c, "arm64"],
]);
const pe = new Map([
  [0x014c, "ia32"],
  [0x8664, "x64"],
  [0xaa64, "arm64"],
]);

/** The machine of an ELF, Mach-O or PE file; undefined for others and for those of several machines. */
export function machineOf(head: Buffer): Machine | undefined {
  if (head.length < 64) return undefined;
  if (head.readUInt32BE(0) === 0x7f454c46) return named("linux", elf.get(head.readUInt16LE(18)));
  if (head.readUInt32LE(0) === 0xfeedfacf) return named("darwin", mach.get(head.readUInt32LE(4)));
  if (head.readUInt16BE(0) !== 0x4d5a) return undefined;
  const at = head.readUInt32LE(0x3c);
  if (at + 6 > head.length || head.readUInt32BE(at) !== 0x50450000) return undefined;
  return named("win32", pe.get(head.readUInt16LE(at + 4)));
}

function named(platform: NodeJS.Platform, arch: string | undefined): Machine {
  return { platform, arch: arch ?? "an unknown processor" };
}

const names: Partial<Record<NodeJS.Platform, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };

export function machineName(m: Machine): string {
  return `${names[m.platform] ?? m.platform} on ${m.arch}`;
}

/** Reads what a program is for; undefined where that cannot be told. */
export function machineOfFile(path: string): Machine | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(4096);
      return machineOf(head.subarray(0, readSync(file, head)));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
