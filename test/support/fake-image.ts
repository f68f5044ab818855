import { crc32 } from "../../src/platform/lib/crc32.ts";

/** An image of this size as a data URI, declared as `name`. Only its structure is that of the format. */
export function fakeImage(type: "png" | "jpeg" | "gif", bytes = 128, name: string = type): string {
  return toDataUri(imageOf(type, bytes), name);
}

export function toDataUri(image: Uint8Array, name: string): string {
  return `data:image/${name};base64,${btoa(Array.from(image, (byte) => String.fromCharCode(byte)).join(""))}`;
}

/** A text chunk or a comment fills the image up to the size. */
export function imageOf(type: "png" | "jpeg" | "gif", bytes: number): Uint8Array {
  if (type === "gif") return Uint8Array.from(Array.from("GIF89a", (letter) => letter.charCodeAt(0)));
  if (type === "png") {
    const header = chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]);
    const [pixels, end] = [chunk("IDAT", [0x78, 0x9c, 0x63, 0, 0, 0, 2, 0, 1]), chunk("IEND", [])];
    const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
    const used = signature.length + header.length + pixels.length + end.length + chunk("tEXt", []).length;
    const text = chunk(
      "tEXt",
      Array.from({ length: bytes - used }, () => 0xfb),
    );
    return Uint8Array.from([...signature, ...header, ...text, ...pixels, ...end]);
  }
  const frame = [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0];
  const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x7f, 0xff, 0xd9];
  const length = bytes - 4 - frame.length - scan.length;
  const comment = [0xff, 0xfe, length >> 8, length & 255, ...Array.from({ length: length - 2 }, () => 0xfb)];
  return Uint8Array.from([0xff, 0xd8, ...comment, ...frame, ...scan]);
}

function chunk(type: string, body: number[]): number[] {
  const content = Array.from(type, (letter) => letter.charCodeAt(0)).concat(body);
  return [...bigEndian(body.length), ...content, ...bigEndian(crc32(Uint8Array.from(content)))];
}

function bigEndian(number: number): number[] {
  return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255);
}
