import { structuredPatch } from "diff";
import { applyEdit } from "../../agent/tools/applyEdit.ts";
import { lineEndOf, withLineEnds } from "../../agent/tools/textFile.ts";
import { codePointName, hiddenCharacters } from "../../base/hiddenCharacters.ts";
import type { DiffLine, FileDiff, RequestPreview } from "../../protocol/panel.ts";
import type { CommandPart, PermissionRequest } from "../../protocol/request.ts";
import { oneLine, toolArgument } from "./toolArgument.ts";

/** Lines of a diff, bytes of them as JSON, and characters of a JSON text that are sent to the panel. */
const LINE_LIMIT = 2_000;
const DIFF_BYTES = 192 * 1024;
const JSON_LIMIT = 100_000;

/** An edit's file before and after it. */
export interface EditTexts {
  path: string;
  before: string;
  after: string;
}

/** The file that a request would change, as its input names it; null for every other call. */
export function editedPath(request: Pick<PermissionRequest, "tool" | "input">): string | null {
  const path = request.input["file_path"];
  return (request.tool === "Edit" || request.tool === "Write") && typeof path === "string" ? path : null;
}

/**
 * The file of an edit before and after it, as the tool will make it: line ends too. Null where the request edits nothing.
 * `current`: the file's text, null where there is none; then, and where the tool will refuse the edit, only the replaced
 * part is shown.
 */
export function editTexts(
  request: Pick<PermissionRequest, "tool" | "input">,
  current: string | null,
): EditTexts | null {
  const path = editedPath(request);
  if (path === null) return null;
  const { content, old_string, new_string, replace_all } = request.input;
  if (request.tool === "Write") {
    if (typeof content !== "string") return null;
    if (current === null) return { path, before: "", after: content };
    return { path, before: current, after: withLineEnds(content, lineEndOf(current)) };
  }
  if (typeof old_string !== "string" || typeof new_string !== "string") return null;
  const part = { path, before: old_string, after: new_string };
  if (current === null) return part;
  const edited = applyEdit(current, { old_string, new_string, replace_all: replace_all === true });
  return edited.ok ? { path, before: current, after: edited.text } : part;
}

/** What a call will do. `current` as for `editTexts`. */
export function previewOf(
  request: Pick<PermissionRequest, "tool" | "input" | "cwd" | "parts">,
  current: string | null,
): RequestPreview {
  const { tool, input, cwd, parts } = request;
  if (tool === "Bash" && typeof input["command"] === "string")
    return { type: "command", cwd, text: input["command"], parts };
  const texts = editTexts(request, current);
  if (texts) return { type: "edit", ...fileDiff(texts, LINE_LIMIT) };
  const text = inputText(input);
  if (text.length <= JSON_LIMIT) return { type: "json", text };
  return { type: "json", text: text.slice(0, JSON_LIMIT), omitted: text.length - JSON_LIMIT };
}

/** A tool's input as a person reads it, whole. */
export function inputText(input: PermissionRequest["input"]): string {
  return JSON.stringify(input, null, 2);
}

/** The one thing that asks: *Run psql*, *Edit retry.ts*, *Fetch https://example.com*. */
export function requestTitle(request: Pick<PermissionRequest, "tool" | "input" | "parts">): string {
  const { tool, input, parts } = request;
  const path = editedPath(request);
  if (path !== null) return `${tool} ${oneLine(baseName(path), 60)}`;
  if (tool === "Task" || tool === "Agent") return oneLine(`Spawn ${toolArgument(tool, { name: input["name"] })}`, 60);
  if (tool === "WebFetch") return oneLine(`Fetch ${toolArgument(tool, input, 60)}`, 60);
  if (tool !== "Bash") return oneLine(`Use ${tool} ${toolArgument(tool, input, 60)}`, 60);
  return typeof input["command"] === "string" ? `Run ${commandTitle(input["command"], parts)}` : "Run a command";
}

/** What a person could overlook in a call's input, one sentence each. */
export function requestWarnings(request: Pick<PermissionRequest, "tool" | "input">): string[] {
  const text = textsIn(request.input).join("\n");
  const found = hiddenCharacters(text).map(codePointName);
  if (found.length === 0) return [];
  const names = [...new Set(found)].slice(0, 5).map((name) => `⟨${name}⟩`);
  const count = found.length === 1 ? "1 invisible character" : `${found.length} invisible characters`;
  return [`Contains ${count}: ${names.join(", ")}.`];
}

/** That a request would change a file which others changed; `others` as they are shown, in order of their first change. */
export function sharedEditWarnings(others: readonly string[]): string[] {
  const [first, second] = others;
  if (first === undefined) return [];
  if (second === undefined) return [`${first} has changed this file too.`];
  if (others.length === 2) return [`${first} and ${second} have changed this file too.`];
  return [`${first} and ${others.length - 1} other members have changed this file too.`];
}

/** Every text of an input, however deep, names of fields too. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

/** How a file changes; at most `limit` lines of it, and of long ones only as many as one message to the panel can hold. */
export function fileDiff({ path, before, after }: EditTexts, limit: number): FileDiff {
  const lines = diffLines(before, after);
  const added = lines.filter((line) => line.kind === "added").length;
  const removed = lines.filter((line) => line.kind === "removed").length;
  const shown = limit === Number.POSITIVE_INFINITY ? lines : lines.slice(0, limit).slice(0, fitting(lines));
  return { path, lines: shown, added, removed, omitted: lines.length - shown.length };
}

/** How many of these lines, from the first on, have room. */
function fitting(lines: readonly DiffLine[]): number {
  let room = DIFF_BYTES;
  const tooMuch = lines.findIndex((line) => {
    room -= Buffer.byteLength(JSON.stringify(line)) + 1;
    return room < 0;
  });
  return tooMuch === -1 ? lines.length : tooMuch;
}

function diffLines(before: string, after: string): DiffLine[] {
  if (before === "") return wholeText(after, "added");
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, timeout: 200 });
  const ends = { "+": lineEndOf(after), " ": lineEndOf(after), "-": lineEndOf(before) };
  if (!patch) return [...wholeText(before, "removed"), ...wholeText(after, "added")]; // too different to compare in time
  return patch.hunks.flatMap((hunk) => {
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    return hunk.lines.flatMap((line): DiffLine[] => {
      const text = withoutEnd(line.slice(1), ends[line[0] as keyof typeof ends]);
      if (line.startsWith("+")) return [{ kind: "added", line: newLine++, text }];
      if (line.startsWith("-")) return [{ kind: "removed", line: oldLine++, text }];
      if (!line.startsWith(" ")) return []; // `\ No newline at end of file`
      oldLine += 1;
      return [{ kind: "context", line: newLine++, text }];
    });
  });
}

function wholeText(text: string, kind: "added" | "removed"): DiffLine[] {
  if (text === "") return [];
  const end = lineEndOf(text);
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, index) => ({ kind, line: index + 1, text: withoutEnd(line, end) }));
}

/** A line that ends as most of its file do: what is left of its end, of `\r\n`, is nothing to see. */
function withoutEnd(line: string, end: "\r\n" | "\n" | undefined): string {
  return end === "\r\n" ? line.replace(/\r$/, "") : line;
}

/** The first part that no rule covers, whole where it is short, else its program. */
function commandTitle(command: string, parts: readonly CommandPart[] | null): string {
  const asks = parts?.find((part) => !part.covered)?.text ?? command;
  const line = oneLine(asks, 400);
  if ([...line].length <= 40) return line;
  return oneLine(line.split(" ").find((word) => !/^\w+=/.test(word)) ?? line, 40);
}

function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
