import { createHash } from "node:crypto";

/**
 * The signature of a thinking block of the scripted server. It depends on the text alone, so that a server that was
 * started anew accepts the blocks of an earlier one, and a changed block is found.
 */
export function thinkingSignature(thinking: string): string {
  return createHash("sha256").update(`scripted thinking\0${thinking}`).digest("base64");
}
