import path from "node:path";
import { nameIn } from "../../base/pathIn.ts";

/**
 * What a call is about, in one line for a person: the command, the path, the recipient. Empty where nothing tells the
 * call from another one. `width`: the longest result, in characters.
 */
export function toolArgument(tool: string, input: Record<string, unknown>, width = 200): string {
  const text = (ARGUMENTS[tool] ?? json)(input);
  return oneLine(text, width);
}

/** The same, where a path is told from the project's folder (absolute; null: not known) if it lies in it. */
export function namedArgument(tool: string, input: Record<string, unknown>, cwd: string | null): string {
  const argument = toolArgument(tool, input);
  return isPathArgument(tool) ? nameIn(cwd, argument, path) : argument;
}

/** Whether the argument of a tool's calls is a path: its end tells more than its beginning. */
export function isPathArgument(tool: string): boolean {
  return tool === "Read" || tool === "Write" || tool === "Edit";
}

/** Whitespace runs as one blank, cut to `width` characters with an ellipsis. */
export function oneLine(text: string, width: number): string {
  const line = text
    .slice(0, width * 8)
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, Math.max(width - 1, 0)).join("")}…`;
}

type Input = Record<string, unknown>;

const ARGUMENTS: Readonly<Record<string, (input: Input) => string>> = {
  Bash: (input) => text(input, "command"),
  Read: (input) => text(input, "file_path"),
  Write: (input) => text(input, "file_path"),
  Edit: (input) => text(input, "file_path"),
  Glob: (input) => words(text(input, "pattern"), text(input, "path")),
  Grep: (input) => words(text(input, "pattern"), text(input, "path")),
  WebFetch: (input) => text(input, "url"),
  TeamCreate: (input) => text(input, "team_name"),
  TeamDelete: () => "",
  Task: (input) => words(text(input, "name"), text(input, "description")),
  Agent: (input) => words(text(input, "name"), text(input, "description")),
  SendMessage: sentMessage,
  TaskCreate: (input) => text(input, "subject"),
  TaskGet: (input) => taskNumber(input),
  TaskList: () => "",
  TaskUpdate: (input) =>
    words(taskNumber(input), text(input, "status").replaceAll("_", " "), text(input, "owner"), text(input, "subject")),
  EnterPlanMode: () => "",
  ExitPlanMode: () => "",
};

function sentMessage(input: Input): string {
  const to = text(input, "to") || text(input, "recipient") || (input["type"] === "broadcast" ? "*" : "");
  const message =
    typeof input["message"] === "object" && input["message"] !== null ? (input["message"] as Input) : input;
  const kind = text(message, "type");
  const said = text(input, "summary") || text(input, "content") || text(input, "message");
  const what = kind && kind !== "message" && kind !== "broadcast" ? kind.replaceAll("_", " ") : said;
  return to && what ? `${to}: ${what}` : to || what;
}

function taskNumber(input: Input): string {
  const id = text(input, "taskId");
  return id ? `#${id}` : "";
}

function text(input: Input, key: string): string {
  const value = input[key];
  return typeof value === "string" ? value : "";
}

function words(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

function json(input: Input): string {
  return Object.keys(input).length === 0 ? "" : JSON.stringify(input);
}
