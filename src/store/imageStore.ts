import { dirname } from "node:path";
import { MusterError } from "../base/errors.ts";
import { sha256Hex } from "../protocol/digest.ts";
import { imageBlockOf, keptImage } from "../protocol/messageImage.ts";
import type { ImageBlock } from "../protocol/transcript.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import { withDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import type { StoreContext } from "./storeContext.ts";

/** Images of messages, each in `muster/blobs/{sha256}.txt` of its team. */
export interface ImageStore {
  /** Keeps an image; gives what is kept of it and the SHA-256 of that. Throws `not_allowed` for what is no image. */
  keep(team: string, image: ImageBlock): Promise<{ kept: string; digest: string }>;
  /** Null where it is missing, or is not what the SHA-256 says. */
  read(team: string, digest: string): Promise<ImageBlock | null>;
}

/** The images of a store's teams. */
export function createImageStore(context: StoreContext): ImageStore {
  return {
    async keep(team, image) {
      const kept = keptImage(image);
      if (!imageBlockOf(kept)) throw new MusterError("not_allowed", "This is no image that a model can be shown.");
      const digest = sha256Hex(kept);
      const paths = context.paths.team(team);
      const path = paths.blob(digest);
      const write = () => writeFileAtomic(context.fs, path, kept);
      await withFileErrors("The image was not kept", path, () => withDir(context.fs, dirname(path), paths.dir, write));
      return { kept, digest };
    },
    async read(team, digest) {
      try {
        const kept = (await context.fs.read(context.paths.team(team).blob(digest))).bytes.toString("utf8");
        return sha256Hex(kept) === digest ? imageBlockOf(kept) : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  };
}
