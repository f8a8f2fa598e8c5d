import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { LONG_ROWS, type LongRow } from "../../test/support/longRows.ts";
import { noSuchOption } from "../options.ts";

/** For each row: unless said otherwise, and at most. */
const MINUTES = 20;
const MOST_MINUTES = 60;

/** What `npm run test:long` is asked to run, or a sentence that says why it does not. */
type Wanted = { chosen: readonly LongRow[]; minutes: number } | { refusal: string };

export const LONG_HELP = `npm run test:long [-- --ROW… --minutes N]

Runs the rows that are named, or all, far longer than \`npm test\` does: each until its goal, for N minutes at most. Prints
how far each came.

${LONG_ROWS.map(helpLine).join("\n")}

  ${"--minutes N".padEnd(16)}  for each row; ${MINUTES} unless said otherwise, up to ${MOST_MINUTES}
  ${"--help".padEnd(16)}  prints this`;

/** The rows that the arguments name, or all, and for how long each runs at most. */
export function wantedRows(args: readonly string[]): Wanted {
  const options: ParseArgsOptionsConfig = { minutes: { type: "string" } };
  for (const row of LONG_ROWS) options[row.name] = { type: "boolean" };
  const parsed = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const unknown = parsed.tokens.find((token) => token.kind === "option" && !Object.hasOwn(options, token.name));
  const extra = unknown?.kind === "option" ? unknown.rawName : parsed.positionals[0];
  if (extra !== undefined) return { refusal: noSuchOption("npm run test:long", extra) };
  const given = parsed.values["minutes"] ?? MINUTES;
  const minutes = given === true ? Number.NaN : Number(given); // true: nothing was given after it
  if (!(minutes > 0 && minutes <= MOST_MINUTES))
    return { refusal: `give --minutes a number above 0 and up to ${MOST_MINUTES}.` };
  const named = LONG_ROWS.filter((row) => parsed.values[row.name] !== undefined);
  return { chosen: named.length > 0 ? named : LONG_ROWS, minutes };
}

/** How far a row goes, for people. */
export function goalOf({ goal }: LongRow): string {
  return goal === null ? "all" : goal.toLocaleString("en");
}

function helpLine(row: LongRow): string {
  return `  ${`--${row.name}`.padEnd(16)}  ${row.what.padEnd(32)} toward ${goalOf(row)} ${row.unit}`;
}
