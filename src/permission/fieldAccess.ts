import type { FileAccess } from "./fileAccess.ts";
import { compileGlob, type Glob } from "./globs.ts";
import { foldCase } from "./paths.ts";
import { type Field, textOf } from "./shell/fields.ts";

/** Where a command runs: every folder that is possible, or unknown. */
export type Folders = readonly string[] | undefined;

/**
 * The accesses that an argument stands for, one for each folder the shell may stand in; none for a process substitution.
 * Undefined where the path cannot be told.
 */
export function fieldAccesses(
  field: Field,
  kind: "read" | "write",
  folders: Folders,
  recursive?: { hidden: boolean },
): FileAccess[] | undefined {
  const { pieces } = field;
  if (field.many || pieces.some((piece) => piece.kind === "any")) return undefined;
  if (pieces.some((piece) => piece.kind === "descriptor")) return pieces.length === 1 ? [] : undefined;
  const firstWild = pieces.findIndex((piece) => piece.kind !== "text");
  if (firstWild < 0) return pathAccesses(textOf(pieces) ?? "", kind, folders, { ...(recursive ? { recursive } : {}) });
  const start = textOf(pieces.slice(0, firstWild)) ?? "";
  const slash = start.lastIndexOf("/") + 1;
  const pattern = start.slice(slash) + pieces.slice(firstWild).map(patternOf).join("");
  const levels = pattern.split("/").filter((level) => level !== "" && level !== ".");
  if (levels.includes("..")) return undefined;
  const below: Glob[] = levels.map((level) => compileGlob(foldCase(level)));
  return pathAccesses(start.slice(0, slash) || ".", kind, folders, { below, ...(recursive ? { recursive } : {}) });
}

function pathAccesses(
  text: string,
  kind: "read" | "write",
  folders: Folders,
  more: Pick<FileAccess, "below" | "recursive">,
): FileAccess[] | undefined {
  const target = text.startsWith("~") ? `./${text}` : text;
  if (target.startsWith("/")) return [{ kind, target, base: "/", ...more }];
  return folders?.map((base) => ({ kind, target: target === "" ? "." : target, base, ...more }));
}

function patternOf(piece: Field["pieces"][number]): string {
  switch (piece.kind) {
    case "text":
      return piece.text.replace(/[*?[\]\\]/g, "\\$&");
    case "wild":
      return piece.pattern;
    default:
      return "*";
  }
}
