import { isObject } from "../base/json.ts";
import { jsonFault } from "../base/jsonFault.ts";
import { PERMISSION_MODES } from "../protocol/mode.ts";

const LISTS = new Set(["allow", "ask", "deny", "additionalDirectories"].map((list) => `permissions.${list}`));
const OBJECTS = new Set(["permissions", "accepted"]);

/**
 * Why a text holds no settings, one sentence without a capital: where it is no JSON, or what the wrong key must be. `path`:
 * of the first value that is wrong.
 */
export function settingsReason(text: string, path: readonly PropertyKey[]): string {
  const fault = jsonFault(text);
  if (fault?.comment) return `line ${fault.line}, column ${fault.column} begins a comment, which JSON does not have.`;
  if (fault) return `line ${fault.line}, column ${fault.column} is where it stops being JSON.`;
  if (!isObject(JSON.parse(text)) || path.length === 0) return "it is no JSON object.";
  const key = path.slice(0, 2).join(".");
  if (key === "permissions.defaultMode") return `${key} must be one of ${PERMISSION_MODES.join(", ")}.`;
  if (LISTS.has(key)) return `${key} must be a list of texts.`;
  return OBJECTS.has(key) ? `${key} must be an object.` : `${key} is wrong.`;
}
