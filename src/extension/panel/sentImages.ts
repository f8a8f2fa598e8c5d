import { imageBlock, imageFault, imageInfo } from "../../agent/tools/imageFile.ts";
import { MusterError } from "../../base/errors.ts";
import type { ImageBlock } from "../../protocol/transcript.ts";

/**
 * The images that the view sent, each in base64, as blocks for a model. What they are is read from their bytes. Throws
 * `not_allowed` for what a model cannot be shown.
 */
export function sentImages(images: readonly string[]): ImageBlock[] {
  return images.map((data, index) => {
    const bytes = Buffer.from(data, "base64");
    const info = imageInfo(bytes);
    if (!info)
      throw new MusterError("not_allowed", `Image ${index + 1} is no PNG, JPEG, GIF or WebP: send it as one of these.`);
    const fault = imageFault(info, bytes);
    if (fault !== undefined) throw new MusterError("not_allowed", fault);
    return imageBlock(info, bytes);
  });
}
