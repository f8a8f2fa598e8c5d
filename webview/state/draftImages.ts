/** An image that goes with a draft. `data` is base64. */
export interface DraftImage {
  name: string;
  data: string;
}

/** As many as the host takes with one message. */
export const MOST_IMAGES = 5;

/** Takes up kept images; what does not look right is left out. */
export function keptImages(value: unknown): Record<string, DraftImage[]> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, images]) => (Array.isArray(images) ? [[key, images.filter(isImage)]] : [])),
  );
}

function isImage(value: unknown): value is DraftImage {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "data" in value &&
    typeof value.name === "string" &&
    typeof value.data === "string"
  );
}

/** How large an image is, in bytes. */
export function sizeOf({ data }: DraftImage): number {
  return Math.floor((data.replace(/=+$/, "").length * 3) / 4);
}
