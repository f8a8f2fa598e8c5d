import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isObject } from "../base/json.ts";

/** Hex SHA-256 of a text's UTF-8 form. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** `planDigest` of a `plan_approval_response`: hex SHA-256 of the plan's text (verified against 2.1.332). */
export function planDigest(planContent: string): string {
  return sha256Hex(planContent);
}

/** `input_digest` of an `approved_request`: hex SHA-256 of tool name, NUL, JSON of the input with sorted keys (verified against 2.1.332). */
export function inputDigest(toolName: string, input: Record<string, unknown>): string {
  return sha256Hex(`${toolName}\0${sortedJson(input)}`);
}

/** JSON with the keys of every object sorted. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
