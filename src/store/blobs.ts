import { dirname } from "node:path";
import { sha256Hex } from "../protocol/digest.ts";
import type { Entry } from "../protocol/message.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import { withDir } from "./folders.ts";
import { isMissing } from "./fsErrors.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";

/** A body of more bytes goes to a file of its own for members that run Muster; others get it whole. */
const LARGEST_BODY = 64 * 1024;

const SHOWN = 1_000;

/** The text of an entry whose body lies in `muster/blobs/{sha256}.txt`, and what points there (under `muster`). */
export interface BlobText {
  text: string;
  blob: string;
}

/** Stores a body that is too large for an inbox; undefined where it is not. */
export async function storeLargeBody(
  context: StoreContext,
  paths: TeamPaths,
  text: string,
): Promise<BlobText | undefined> {
  const bytes = Buffer.byteLength(text);
  if (bytes <= LARGEST_BODY) return undefined;
  const blob = sha256Hex(text);
  const path = paths.blob(blob);
  await withDir(context.fs, dirname(path), paths.dir, () => writeFileAtomic(context.fs, path, text));
  const beginning = [...text.slice(0, SHOWN)].slice(0, -1).join(""); // whole code points
  return { text: `${beginning}\n[${bytes} bytes; the whole text is in muster/blobs/${blob}.txt]`, blob };
}

/** The entry with its whole body; undefined where its blob is missing or is not what was sent. */
export async function restoreBody(context: StoreContext, paths: TeamPaths, entry: Entry): Promise<Entry | undefined> {
  const blob = entry.muster?.["blob"];
  if (typeof blob !== "string") return entry;
  try {
    const text = (await context.fs.read(paths.blob(blob))).bytes.toString("utf8");
    return sha256Hex(text) === blob ? { ...entry, text } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
