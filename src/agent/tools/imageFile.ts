import type { ImageBlock } from "../../protocol/transcript.ts";

/** Limits of the Messages API for one image: 5 MB as base64, 8,000 pixels a side. */
const MAX_BYTES = Math.floor((5 * 1024 * 1024 * 3) / 4);
const MAX_SIDE = 8000;

export interface ImageInfo {
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  width: number;
  height: number;
}

/** What kind of image the bytes are, by their header; undefined: none that a model can see. */
export function imageInfo(bytes: Buffer): ImageInfo | undefined {
  if (bytes.length < 30) return undefined;
  const ascii = (from: number, to: number) => bytes.toString("latin1", from, to);
  if (ascii(0, 8) === "\x89PNG\r\n\x1a\n" && ascii(12, 16) === "IHDR")
    return { mediaType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (/^GIF8[79]a$/.test(ascii(0, 6)))
    return { mediaType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") return webpInfo(bytes);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegInfo(bytes) : undefined;
}

/** Why a model cannot be shown this image, as a sentence; undefined where it can. */
export function imageFault({ width, height }: ImageInfo, bytes: Buffer): string | undefined {
  if (bytes.length > MAX_BYTES)
    return `The image has ${bytes.length} bytes; at most ${MAX_BYTES} can be shown. Make it smaller with a command.`;
  if (width === 0 || height === 0) return "The image is damaged: it has no size.";
  if (Math.max(width, height) > MAX_SIDE)
    return `The image is ${width}×${height} pixels; at most ${MAX_SIDE} a side can be shown. Make it smaller with a command.`;
  return undefined;
}

/** The image as a block of a tool's result. Ask `imageFault` first. */
export function imageBlock({ mediaType }: ImageInfo, bytes: Buffer): ImageBlock {
  return { type: "image", source: { type: "base64", media_type: mediaType, data: bytes.toString("base64") } };
}

function webpInfo(bytes: Buffer): ImageInfo | undefined {
  const size = (width: number, height: number) => ({ mediaType: "image/webp" as const, width, height });
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case "VP8 ":
      return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    default:
      return undefined;
  }
}

/** The size is in the first start-of-frame segment. */
function jpegInfo(bytes: Buffer): ImageInfo | undefined {
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { mediaType: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
