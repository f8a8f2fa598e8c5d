import { isoTime } from "../../base/clock.ts";
import { counted } from "../../base/counted.ts";
import type { TeamEvent } from "../../protocol/events.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { CliContext } from "../context.ts";
import { createProgress } from "../render/progress.ts";
import { makeStyle } from "../render/style.ts";
import { usableWidth } from "../render/table.ts";
import { visibleLine } from "../render/visibleText.ts";
import { wrapPainted, wrapProse } from "../render/wrapText.ts";
import { tellSentence } from "../tellSentence.ts";
import type { ToldEnd } from "./toldEnd.ts";

/** Where a run tells what happens. */
export interface RunOutput {
  event(event: TeamEvent): void;
  finished(end: ToldEnd): void;
  /** A sentence of the run's own for a person who reads the progress; a command below it stays whole, to be copied. */
  note(sentence: string, command?: string): void;
  /** Lines wait while a prompt is open; the returned function lets them out. */
  hold(): () => void;
}

/** Names and colours of the members, for lines that a person reads. */
export type MemberLook = (member: string) => { displayName: string; color: string | null };

/** `--json`: every event with its time as one line on standard output. */
export function jsonOutput(context: CliContext, now: () => number): RunOutput {
  const write = (event: TeamEvent) => context.io.stdout.write(`${JSON.stringify({ at: isoTime(now()), ...event })}\n`);
  return {
    event: write,
    finished: (end) => {
      write(end.event);
      reportReason(context, end);
    },
    note() {},
    hold: () => () => {},
  };
}

/**
 * For a person: progress on standard error, the lead's last text on standard output, unless both are the terminal that has
 * just shown it.
 */
export function humanOutput(context: CliContext, cwd: string, look: MemberLook, showRequests: boolean): RunOutput {
  const { stdout, stderr } = context.io;
  const style = makeStyle(stderr.colors);
  const width = () => usableWidth(stderr.columns);
  const who = (member: string) => {
    const { displayName, color } = look(member);
    return style.member(visibleLine(displayName), color);
  };
  const progress = createProgress({ style, width, who, cwd, showRequests });
  let held: string[] | null = null;
  let leadText = "";
  const write = (line: string) => (held ? held.push(line) : stderr.write(`${line}\n`));
  return {
    event: (event) => {
      if (event.type === "text" && event.member === LEAD_NAME) leadText = event.text;
      const line = progress(event);
      if (line !== null) write(line);
    },
    finished: (end) => {
      const { event } = end;
      const { completed, in_progress, pending } = event.tasks;
      const all = completed + in_progress + pending;
      const tasks = all === 0 ? "" : `, ${completed} of ${counted(all, "task")} completed`;
      const sum = `— ${event.result}${tasks}, ${counted(event.usage.output_tokens, "token")} written`;
      write(wrapPainted(style.dim(sum), width()));
      reportReason(context, end);
      const isShown = stdout.isTerminal && stderr.isTerminal && leadText.trim() === event.text.trim();
      if (event.text.trim() !== "" && !isShown)
        stdout.write(`${wrapProse(event.text.trimEnd(), usableWidth(stdout.columns), "")}\n`);
    },
    note: (sentence, command) => {
      const below = command === undefined ? "" : `\n  ${visibleLine(command)}`;
      write(wrapPainted(`muster: ${visibleLine(sentence)}`, width()) + below);
    },
    hold: () => {
      held ??= [];
      return () => {
        const lines = held ?? [];
        held = null;
        for (const line of lines) stderr.write(`${line}\n`);
      };
    },
  };
}

function reportReason(context: CliContext, { event, sentence }: ToldEnd): void {
  if (sentence !== null && event.exit !== 0) tellSentence(context.io, sentence);
}
