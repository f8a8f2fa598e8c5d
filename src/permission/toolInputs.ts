import type { FileAccess } from "./fileAccess.ts";
import { expandBraces } from "./globs.ts";
import type { DecisionContext, PermissionCall } from "./types.ts";

/** The accesses that a file tool's input asks for, or a sentence that says why they cannot be told. */
export function fileAccessesOf({ tool, input }: PermissionCall, context: DecisionContext): FileAccess[] | string {
  const { cwd } = context;
  switch (tool) {
    case "Glob":
      return globAccesses(text(input["pattern"]) ?? "", text(input["path"]) ?? ".", cwd);
    case "Grep":
      return grepAccesses(text(input["path"]) ?? ".", text(input["glob"]), context);
    case "Read":
    case "NotebookRead":
    case "LS":
      return oneAccess("read", input, cwd);
    default:
      return oneAccess("write", input, cwd);
  }
}

/** Every field that a tool might take for its file counts. */
function oneAccess(kind: "read" | "write", input: Record<string, unknown>, base: string): FileAccess[] | string {
  const targets = ["file_path", "notebook_path", "path"].flatMap((key) => text(input[key]) || []);
  return targets.length === 0 ? "The call names no file." : targets.map((target) => ({ kind, target, base }));
}

function grepAccesses(target: string, glob: string | undefined, { cwd }: DecisionContext): FileAccess[] | string {
  if (glob?.startsWith("-")) return "The filter looks like an option of the search program.";
  return [{ kind: "read", target, base: cwd, recursive: { hidden: true } }];
}

/** Every alternative of a glob starts a search of its own: it must not climb out of the folder it is given. */
function globAccesses(pattern: string, path: string, base: string): FileAccess[] | string {
  const alternatives = expandBraces(pattern);
  if (!alternatives) return "The pattern stands for too many paths.";
  const accesses: FileAccess[] = [{ kind: "read", target: path, base }];
  for (const alternative of alternatives) {
    const parts = alternative.split(/[/\\]/);
    const wild = parts.findIndex((part) => /[*?[\](){}!+@]/.test(part));
    const fixed = wild < 0 ? parts : parts.slice(0, wild);
    if (wild >= 0 && parts.slice(wild).includes(".."))
      return "The pattern climbs out of a folder that it only describes.";
    const start = fixed.join("/") || (alternative.startsWith("/") ? "/" : ".");
    const target = /^(?:[/\\~]|[A-Za-z]:)/.test(start) ? start : `${path}/${start}`;
    accesses.push({ kind: "read", target, base });
  }
  return accesses;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
