// Pictures for a prompt: read from what was pasted, dropped or chosen, and made small enough for every provider.

import type { ContentBlock } from "../../src/protocol/generated";
import type { Picture } from "./drafts";

/** What vision models take at most: bytes of the file (5 MiB as base64), and pixels of a side. */
export const maxBytes = 3_900_000;
const maxSide = 2000;
/** Above this nobody waits for it to be read. */
const maxRead = 200 << 20;
export const maxPictures = 20;

const magic: [string, (b: Uint8Array) => boolean][] = [
  ["image/png", (b) => starts(b, 0x89, 0x50, 0x4e, 0x47)],
  ["image/jpeg", (b) => starts(b, 0xff, 0xd8, 0xff)],
  ["image/gif", (b) => starts(b, 0x47, 0x49, 0x46, 0x38)],
  ["image/webp", (b) => starts(b, 0x52, 0x49, 0x46, 0x46) && b[8] === 0x57 && b[9] === 0x45 && b[10] === 0x42 && b[11] === 0x50],
];

/** The type that the bytes tell, whatever the file is called; undefined for others than providers take. */
export function typeOf(head: Uint8Array): string | undefined {
  return magic.find(([, is]) => is(head))?.[0];
}

function starts(bytes: Uint8Array, ...with_: number[]): boolean {
  return with_.every((b, i) => bytes[i] === b);
}

let counter = 0;

/** Reads a picture. Rejects with words for the user. */
export async function readPicture(blob: Blob, name: string): Promise<Picture> {
  if (blob.size > maxRead) throw new Error(`“${name}” has ${Math.round(blob.size / (1 << 20))} MB, too many for a picture.`);
  const type = typeOf(new Uint8Array(await blob.slice(0, 16).arrayBuffer()));
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(blob);
  } catch {
    throw new Error(`“${name}” cannot be read as a picture; PNG, JPEG, GIF and WebP can.`);
  }
  try {
    const fits = blob.size <= maxBytes && Math.max(bitmap.width, bitmap.height) <= maxSide;
    const small = type && fits ? new Blob([blob], { type }) : await scaled(bitmap, type === "image/jpeg");
    if (!small) throw new Error(`“${name}” could not be made smaller.`);
    return { id: `p${Date.now()}-${++counter}`, name, mimeType: small.type, data: await base64(small) };
  } finally {
    bitmap.close();
  }
}

// Sharp pictures stay PNG as long as that is small enough; photos are JPEG.
async function scaled(bitmap: ImageBitmap, photo: boolean): Promise<Blob | undefined> {
  let factor = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  for (let tries = 0; tries < 8; tries++, factor *= 0.7) {
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * factor)), Math.max(1, Math.round(bitmap.height * factor)));
    const context = canvas.getContext("2d");
    if (!context) return undefined;
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    for (const type of photo ? ["image/jpeg"] : ["image/png", "image/jpeg"]) {
      const made = await canvas.convertToBlob({ type, quality: 0.88 });
      if (made.size <= maxBytes) return made;
    }
  }
  return undefined;
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("The picture could not be read."));
    reader.readAsDataURL(blob);
  });
}

export function source(p: Pick<Picture, "mimeType" | "data">): string {
  return `data:${p.mimeType};base64,${p.data}`;
}

/** What is sent: the text first, then the pictures. */
export function blocks(text: string, pictures: readonly Picture[]): ContentBlock[] {
  const said: ContentBlock[] = text.trim() === "" ? [] : [{ type: "text", text }];
  return [...said, ...pictures.map(({ mimeType, data }) => ({ type: "image", mimeType, data }))];
}

/** The pictures among what was said, to be said again. */
export function picturesOf(content: readonly { type: string; mimeType?: string; data?: string }[]): Picture[] {
  return content.flatMap((c, i) =>
    c.type === "image" && c.data ? [{ id: `s${++counter}`, name: `picture ${i + 1}`, mimeType: c.mimeType ?? "image/png", data: c.data }] : [],
  );
}

export function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.flatMap((c) => (c.type === "text" && c.text ? [c.text] : [])).join("\n");
}
