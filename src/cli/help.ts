import type { Command, Option, Options } from "./command.ts";
import { usageLine } from "./parse.ts";

/** The help of all commands; `group` (`task`) leaves only those that begin with this word. */
export function helpOfAll(commands: readonly Command[], common: Options, group: string | null): string {
  const shown = commands.filter((command) => group === null || command.name.startsWith(`${group} `));
  const rows = shown.map((command) => [[command.name, ...command.args].join(" "), command.summary] as const);
  return [
    "muster COMMAND [ARG…] [OPTION…]: teams of coding agents, on the same files as the extension Agent Teams.",
    section("Commands", rows),
    section("Options of every command", Object.entries(common).flatMap(optionRow)),
    GROUND_RULES,
  ].join("\n\n");
}

/** The help of one command. */
export function helpOf(command: Command, common: Options): string {
  const own = Object.entries(command.options).flatMap(optionRow);
  return [
    `${usageLine(command)}\n${command.summary}.`,
    ...(command.notes ? [command.notes] : []),
    ...(own.length > 0 ? [section("Options", own)] : []),
    section("Options of every command", Object.entries(common).flatMap(optionRow)),
  ].join("\n\n");
}

const GROUND_RULES = `TEAM is a folder's name, or a display name that only one team has. AGENT is a name, a display name or name@team.
- as TEXT or GOAL reads standard input. $ANTHROPIC_API_KEY and $ANTHROPIC_BASE_URL say which API \`run\` speaks to.
Exit codes: 0 done, 1 refused, failed or faults found, 2 wrong usage, 3 API unusable, 4 files unusable, 130 interrupted.
\`muster help COMMAND\` and \`muster COMMAND --help\` say more.`;

function optionRow([name, option]: [string, Option]): (readonly [string, string])[] {
  if (option.help === null) return [];
  return [[option.kind === "flag" ? `--${name}` : `--${name} ${option.placeholder}`, option.help]];
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  const lines = rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${" ".repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
  return `${title}:\n${lines.join("\n")}`;
}
