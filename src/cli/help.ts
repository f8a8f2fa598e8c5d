import { wrap } from "../team/terminal/cells.ts";
import { type Command, calledAs, commonOptionsOf, type Option, type Options } from "./command.ts";
import { usageLine } from "./parse.ts";
import { wrapPainted } from "./render/wrapText.ts";

/**
 * The help of all commands; `group` (`task`) leaves only those that begin with this word. `width`: of the terminal, in
 * cells; infinite where there is none.
 */
export function helpOfAll(commands: readonly Command[], common: Options, group: string | null, width: number): string {
  const shown = commands.filter((command) => group === null || command.name.startsWith(`${group} `));
  const rows = shown.map((command) => [calledAs(command), command.summary] as const);
  const head =
    group === null
      ? "muster COMMAND [ARG…] [OPTION…]: teams of coding agents, on the same files as the extension Agent Teams."
      : `muster ${group} COMMAND [ARG…] [OPTION…]`;
  return [
    wrapPainted(head, width),
    section("Commands", rows, width),
    section("Options of every command", Object.entries(common).flatMap(optionRow), width),
    wrapPainted(`${GROUND_RULES}\n${sayMore(group === null ? "COMMAND" : `${group} COMMAND`)}`, width),
  ].join("\n\n");
}

/** The help of one command. `width` as above. */
export function helpOf(command: Command, common: Options, width: number): string {
  const own = Object.entries(command.options).flatMap(optionRow);
  return [
    wrapPainted(`${usageLine(command)}\n${command.summary}.`, width),
    ...(command.notes ? [wrapPainted(command.notes, width)] : []),
    ...(own.length > 0 ? [section("Options", own, width)] : []),
    section("Options of every command", Object.entries(commonOptionsOf(command, common)).flatMap(optionRow), width),
  ].join("\n\n");
}

const GROUND_RULES = `TEAM is a folder's name, or a display name that only one team has. AGENT is a name, a display name or name@team.
- as TEXT or GOAL reads standard input. $ANTHROPIC_API_KEY and $ANTHROPIC_BASE_URL say which API \`run\` and \`teammate\` speak to.
Exit codes: 0 done, 1 refused, failed or faults found, 2 wrong usage, 3 API unusable, 4 files unusable, 130 interrupted.`;

function sayMore(command: string): string {
  return `\`muster help ${command}\` and \`muster ${command} --help\` say more.`;
}

function optionRow([name, option]: [string, Option]): (readonly [string, string])[] {
  if (option.help === null) return [];
  return [[option.kind === "flag" ? `--${name}` : `--${name} ${option.placeholder}`, option.help]];
}

/** Where a terminal leaves less beside the names, what they mean stands below them. */
const NARROWEST_COLUMN = 30;
const BELOW = 6;

/** Names, and what they mean beside them in a column of its own: below them where that would be narrow. */
function section(title: string, rows: readonly (readonly [string, string])[], width: number): string {
  const names = Math.min(36, Math.max(...rows.map(([left]) => left.length)));
  const isBeside = width - names - 4 >= NARROWEST_COLUMN;
  const indent = " ".repeat(isBeside ? names + 4 : BELOW);
  const lines = rows.map(([left, right]) => {
    const below = wrapBelow(right, width, indent);
    return isBeside && left.length <= names
      ? `  ${left.padEnd(names)}  ${below}`
      : `  ${wrapChoices(left, width, "    ")}\n${indent}${below}`;
  });
  return `${wrapPainted(`${title}:`, width)}\n${lines.join("\n")}`;
}

/** A name with its values, which is broken behind a `|` too where they are wider than a line. */
function wrapChoices(text: string, width: number, indent: string): string {
  const isLong = text.split(" ").some((word) => word.length > width - indent.length);
  return isLong
    ? wrapBelow(text.replaceAll("|", "| "), width, indent).replaceAll("| ", "|")
    : wrapBelow(text, width, indent);
}

/** A text whose lines after the first stand behind `indent`. */
function wrapBelow(text: string, width: number, indent: string): string {
  if (!Number.isFinite(width)) return text;
  return wrap(text, width - indent.length).replaceAll("\n", `\n${indent}`);
}
