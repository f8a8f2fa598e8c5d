import type { ImageNote } from "./panel.ts";
import type { ImageBlock } from "./transcript.ts";

/**
 * Images of a message of the person. The message's text names each by the SHA-256 of what is kept of it below the team's
 * folder, so whatever gives the text its authority gives it to the images too.
 */

/** Images that one message may have. */
export const MOST_IMAGES = 5;

const LINE = /^\[Image: ([a-z/]+), (\d+) KB, muster\/blobs\/([0-9a-f]{64})\.txt\]$/;
const DATA = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/** The text with one line at its end for each image. `kept`: what is kept of it, by its SHA-256. */
export function withImageLines(text: string, images: readonly { kept: string; digest: string }[]): string {
  const lines = images.map(({ kept, digest }) => {
    const { mediaType, data } = parseImage(kept) ?? { mediaType: "image", data: "" };
    return `[Image: ${mediaType}, ${Math.ceil((data.length * 3) / 4_096)} KB, muster/blobs/${digest}.txt]`;
  });
  return [...(text.trim() === "" ? [] : [text, ""]), ...lines].join("\n");
}

/** The text without the lines of its images, and what these are kept under, in their order; of more than 5 the first. */
export function splitImageLines(text: string): { text: string; digests: string[]; images: ImageNote[] } {
  const lines = text.split("\n");
  const first = lines.findLastIndex((line) => !LINE.test(line)) + 1;
  const named = lines.slice(first, first + MOST_IMAGES).map((line) => LINE.exec(line) ?? []);
  return {
    text: lines.slice(0, first).join("\n").trimEnd(),
    digests: named.map(([, , , digest = ""]) => digest),
    images: named.map(([, mediaType = "image", size]) => ({ mediaType, bytes: Number(size) * 1_024 })),
  };
}

/** What is kept of an image: a `data:` address with its bytes in base64. */
export function keptImage({ source }: ImageBlock): string {
  return `data:${String(source["media_type"])};base64,${String(source["data"])}`;
}

/** The image of what was kept; null where that is none. */
export function imageBlockOf(kept: string): ImageBlock | null {
  const image = parseImage(kept);
  return image && { type: "image", source: { type: "base64", media_type: image.mediaType, data: image.data } };
}

function parseImage(kept: string): { mediaType: string; data: string } | null {
  const [, mediaType, data] = DATA.exec(kept) ?? [];
  return mediaType === undefined || data === undefined ? null : { mediaType, data };
}
