import { counted } from "../../base/counted.ts";
import type { DiffLine } from "../../protocol/panel.ts";
import type { PendingRequest, PermissionRequest } from "../../protocol/request.ts";
import { editTexts, fileDiff, inputText, previewOf, requestWarnings } from "../../team/views/previews.ts";
import type { Style } from "../render/style.ts";
import { visibleLine } from "../render/visibleText.ts";
import { wrapPainted, wrapProse, wrapText } from "../render/wrapText.ts";

/**
 * Everything that a person needs for a decision: who asks, for what, and the whole of what will happen. `others`: how many
 * more requests wait.
 */
export function requestText(request: PendingRequest, who: string, width: number, style: Style, others = 0): string {
  const task = request.task === null ? "" : style.dim(` (task #${visibleLine(request.task)})`);
  const more = others === 0 ? "" : style.warn(` · ${others} more ${others === 1 ? "waits" : "wait"}`);
  if (request.kind === "plan") {
    const version = request.version > 1 ? `, version ${request.version}` : "";
    return [
      wrapPainted(`${who} asks to approve a plan${version}${task}${more}`, width),
      wrapProse(request.planContent.trimEnd(), width, "  │ "),
    ].join("\n");
  }
  return [
    wrapPainted(`${who} asks to use ${style.bold(visibleLine(request.tool))}${task}${more}`, width),
    callText(request, width, style),
    wrapText(request.reason, width, "  "),
    ...requestWarnings(request).map((warning) => style.warn(wrapText(warning, width, "  "))),
  ].join("\n");
}

/** What `requestText` leaves out of a call. */
export interface RestOfRequest {
  /** What a choice says that shows it: *show the other 212 lines*. */
  label: string;
  text: string;
}

/** What `requestText` leaves out, to be shown before it can be allowed; null where it leaves out nothing. */
export function restOfRequest(request: PendingRequest, width: number, style: Style): RestOfRequest | null {
  if (request.kind === "plan") return null;
  const preview = previewOf(request, null);
  if (preview.type === "command" || !preview.omitted) return null;
  const [unit, text] = preview.type === "edit" ? ["lines", restOfEdit] : ["characters", restOfInput];
  return { label: `show the other ${preview.omitted} ${unit}`, text: text(request, width, style) };
}

function restOfEdit(request: PermissionRequest, width: number, style: Style): string {
  const texts = editTexts(request, null);
  const shown = previewOf(request, null);
  if (!texts || shown.type !== "edit") return "";
  const { lines } = fileDiff(texts, Number.POSITIVE_INFINITY);
  return lines
    .slice(shown.lines.length)
    .map((line) => diffLine(line, width, style))
    .join("\n");
}

function restOfInput(request: PermissionRequest, width: number): string {
  const shown = previewOf(request, null);
  return shown.type === "json" ? wrapText(inputText(request.input).slice(shown.text.length), width, "  ") : "";
}

function callText(request: PermissionRequest, width: number, style: Style): string {
  const preview = previewOf(request, null);
  switch (preview.type) {
    case "command":
      return [
        style.dim(wrapPainted(`  in ${visibleLine(preview.cwd)}`, width)),
        style.bold(commandText(preview.text, width)),
      ].join("\n");
    case "edit": {
      const more = preview.omitted > 0 ? [style.dim(`  … ${counted(preview.omitted, "more line")}`)] : [];
      const path = wrapPainted(`  ${visibleLine(preview.path)}`, width);
      return [path, ...preview.lines.map((line) => diffLine(line, width, style)), ...more].join("\n");
    }
    case "json": {
      const more = preview.omitted ? [style.dim(`  … ${counted(preview.omitted, "more character")}`)] : [];
      return [wrapText(preview.text, width, "  "), ...more].join("\n");
    }
  }
}

/** `$` stands before the first line only, so that a wrapped command does not read as several. */
function commandText(command: string, width: number): string {
  return wrapText(command, width, "    ").replace(/^ {4}/, "  $ ");
}

const MARKS: Readonly<Record<DiffLine["kind"], string>> = { context: " ", added: "+", removed: "-" };
const MARGIN = "    ";

/** The mark stands before the first row only, so that what goes on of a line does not read as another. */
function diffLine(line: DiffLine, width: number, style: Style): string {
  const [first = "", ...others] = wrapText(line.text, width - MARGIN.length, "").split("\n");
  const text = [`  ${MARKS[line.kind]} ${first}`, ...others.map((row) => MARGIN + row)].join("\n");
  if (line.kind === "context") return text;
  return line.kind === "added" ? style.good(text) : style.bad(text);
}
