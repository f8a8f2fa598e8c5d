import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type RunEvent, runEvent } from "./cliContract.ts";
import { type CliHome, type CliResult, type RunningCli, startCli } from "./runCli.ts";

/** How the person of a demo run decides. */
export const DEMO_WAYS = {
  /** Yes to everything, by policy. */
  all: { approve: "all" },
  /** The plan is sent back once, the command denied once. */
  stdin: { approve: "stdin", plans: ["Say which test shows it."], commands: ["Not yet. Look at your change first."] },
} as const satisfies Record<string, { approve: string; plans?: readonly string[]; commands?: readonly string[] }>;
/** The name of one of them. */
export type DemoWay = keyof typeof DEMO_WAYS;

/** What a demo run left. */
export interface DemoRun {
  result: CliResult;
  events: RunEvent[];
  project: string;
  root: string;
  /** Member → lines of its transcript. */
  transcripts: Map<string, string[]>;
  /** Path in the project → text. */
  files: Map<string, string>;
}

/** A demo that has not ended by then never will. */
const TOO_LONG_MS = 90_000;

/** Runs `muster demo` in one of the ways, headless, and reads what it leaves. `teammateMode`: where teammates run. */
export async function demoRun(
  cli: string,
  home: CliHome,
  way: DemoWay,
  teammateMode: "in-process" | "tmux" = "in-process",
): Promise<DemoRun> {
  const project = path.join(home.dir, "bakery");
  const ways = ["--approve", DEMO_WAYS[way].approve, "--teammate-mode", teammateMode];
  const args = ["demo", "--json", "--root", home.root, "--cwd", project, ...ways];
  // `npm test` of the sample shall find the Node that runs this
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${home.env["PATH"]}`;
  const running = startCli(cli, home, args, { env: { PATH, TMUX_TMPDIR: home.dir } });
  const tooLong = setTimeout(() => running.kill("SIGKILL"), TOO_LONG_MS);
  if (way === "stdin") decide(running);
  else running.endInput();
  const result = await running.result();
  clearTimeout(tooLong);
  return {
    result,
    events: result.lines().map((line) => runEvent.parse(line)),
    ...{ project, root: home.root },
    transcripts: readTranscripts(home.root),
    files: readTree(project),
  };
}

/** Answers every request on standard input: each first one with no. */
function decide(running: RunningCli): void {
  const plans: string[] = [...DEMO_WAYS.stdin.plans];
  const commands: string[] = [...DEMO_WAYS.stdin.commands];
  running.onLine((line) => {
    const event = runEvent.parse(JSON.parse(line));
    if (event.type === "run_finished") running.endInput();
    if (event.type !== "request") return;
    const no = (event.kind === "plan" ? plans : commands).shift();
    const [yes, refuse] = event.kind === "plan" ? ["approve", "reject"] : ["allow", "deny"];
    const answer = no === undefined ? { decision: yes } : { decision: refuse, reason: no };
    running.write(`${JSON.stringify({ id: event.id, ...answer })}\n`);
  });
}

function readTranscripts(root: string): Map<string, string[]> {
  const [dir] = globSync(path.join(root, "{muster/history,teams}/*/muster/transcripts"));
  const read = (name: string) =>
    readFileSync(path.join(dir ?? "", name), "utf8")
      .trimEnd()
      .split("\n");
  const names = dir === undefined ? [] : readdirSync(dir).sort();
  return new Map(names.map((name) => [path.basename(name, ".jsonl"), read(name)]));
}

function readTree(dir: string): Map<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name))).sort();
  return new Map(paths.map((file) => [file.split(path.sep).join("/"), readFileSync(path.join(dir, file), "utf8")]));
}
