import type { DraftImage } from "./draftImages.ts";

/** Models see no more than this; what is larger is made smaller. Pixels of the longer side. */
const MOST_PIXELS = 1_568;
/** Of one image, in bytes: a draft is kept whole. */
const MOST_BYTES = 1_000_000;
const KINDS: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** An image as it goes with a message, made smaller where it is large. Null: it is none that can be read. */
export async function draftImage(file: File): Promise<DraftImage | null> {
  const name = file.name || "image";
  try {
    const bitmap = await createImageBitmap(file);
    try {
      const scale = Math.min(1, MOST_PIXELS / Math.max(bitmap.width, bitmap.height));
      if (scale === 1 && file.size <= MOST_BYTES && KINDS.has(file.type)) return { name, data: await base64(file) };
      const small = await smaller(bitmap, scale);
      return small.size <= MOST_BYTES * 2 ? { name, data: await base64(small) } : null;
    } finally {
      bitmap.close(); // its pixels take 4 bytes each
    }
  } catch {
    return null; // not an image, or one that this browser cannot read
  }
}

/** As PNG, which keeps text sharp; where that is too large, as JPEG. */
async function smaller(bitmap: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const png = await canvas.convertToBlob({ type: "image/png" });
  return png.size <= MOST_BYTES ? png : canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 });
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result.replace(/^[^,]*,/, "") : "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
