import { noSuchOption } from "../options.ts";

/** Every `test/bench/NAME.bench.ts`: NAME → what it measures. */
export const MEASUREMENTS: Readonly<Record<string, string>> = {
  panel: "the panel with large teams, and the activation of what was built last (chromium)",
  panelActivation: "the activation in a real VS Code of what was packaged last (chromium)",
  permission: "decisions about tools and shell commands, with 2,000 rules",
  store: "appends, snapshots and notices of the team's files",
  teammates: "start, delivery, idle CPU and memory of teammates, in one process and in tmux (Linux)",
  teammatesInTerminals: "the same in terminals of a real VS Code, of what was packaged last (Linux, chromium)",
};

export const BENCH_HELP = `npm run bench [-- NAME…]

Runs the measurements whose names contain one of those given, or all, and prints what each measured. Nothing is asserted.

${Object.entries(MEASUREMENTS)
  .map(([name, what]) => `  ${name.padEnd(20)}  ${what}`)
  .join("\n")}

  ${"--help".padEnd(20)}  prints this`;

/** The files that the arguments name, each a part of a file's name, or all; or a sentence that says why there are none. */
export function wantedMeasurements(args: readonly string[]): { files: string[] } | { refusal: string } {
  const names = Object.keys(MEASUREMENTS);
  const files = names.map((name) => `${name}.bench.ts`);
  const unknown = args.find((part) => part.startsWith("-") || !files.some((file) => file.includes(part)));
  if (unknown?.startsWith("-")) return { refusal: noSuchOption("npm run bench", unknown) };
  if (unknown !== undefined)
    return { refusal: `there is no measurement ${JSON.stringify(unknown)}: choose from ${names.join(", ")}.` };
  return { files: files.filter((file) => args.length === 0 || args.some((part) => file.includes(part))) };
}
