import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { decide } from "../../src/permission/decide.ts";
import { collectRules } from "../../src/permission/ruleFiles.ts";
import type { DecisionContext, PermissionCall } from "../../src/permission/types.ts";

/** How long decisions take with 2,000 rules on the real file system, and how long a command of 1 MB takes. */
const RULES = 2_000;
const ROUNDS = 5;

const root = mkdtempSync(path.join(tmpdir(), "muster-bench-"));
const project = path.join(root, "home", "proj");
for (const folder of [path.join(project, "src"), path.join(root, "state/teams"), path.join(root, "state/tasks")])
  mkdirSync(folder, { recursive: true });
const context = contextWith(RULES);

const cases: { tool: string; input: Record<string, unknown>; group: string }[] = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../fixtures/permission/everyday-commands.json"), "utf8"),
);
const calls: PermissionCall[] = [
  ...cases.map(({ tool, input }) => JSON.parse(JSON.stringify({ tool, input }).replaceAll("{PROJ}", project))),
  ...["src/a.ts", "README.md", "../x", "src/new/deep.ts"].flatMap((file) => [
    { tool: "Read", input: { file_path: path.join(project, file) } },
    { tool: "Edit", input: { file_path: path.join(project, file) } },
  ]),
];
for (const call of calls) await decide(call, context);
const times: number[] = [];
for (let round = 0; round < ROUNDS; round += 1)
  for (const call of calls) times.push(await timed(() => decide(call, context)));
// each call's best round: what a decision takes where nothing else wants the processor
const best = calls.map((_, call) =>
  Math.min(...Array.from({ length: ROUNDS }, (_, round) => times[round * calls.length + call] ?? 0)),
);
tell(`decide with ${RULES} rules, ${times.length} calls`, times);
tell(`decide with ${RULES} rules, best of ${ROUNDS} of ${best.length} calls`, best);

const MEGABYTE = 1_000_000;
const shapes: Readonly<Record<string, string>> = {
  words: "echo ".padEnd(MEGABYTE, "word "),
  parts: "".padEnd(MEGABYTE, "true; "),
  "one quoted word": `echo '${"x".repeat(MEGABYTE)}'`,
  substitutions: "".padEnd(MEGABYTE, "$("),
  backticks: "".padEnd(MEGABYTE, "`"),
  brackets: "".padEnd(MEGABYTE, "[["),
  redirections: "ls ".padEnd(MEGABYTE, ">a "),
  "here-documents": "".padEnd(MEGABYTE, "cat <<A\nx\nA\n"),
};
for (const [name, command] of Object.entries(shapes)) {
  const ms = await timed(() => decide({ tool: "Bash", input: { command } }, context));
  console.log(`decide on 1 MB of ${name}: ${ms.toFixed(0)} ms`);
}
rmSync(root, { recursive: true, force: true });

function tell(what: string, given: readonly number[]): void {
  const sorted = given.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
  console.log(`${what}: median ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function contextWith(count: number): DecisionContext {
  const some = (text: (n: number) => string, share: number) =>
    Array.from({ length: Math.round(count * share) }, (_, n) => text(n));
  const permissions = {
    allow: [...some((n) => `Bash(npm run task${n}:*)`, 0.3), ...some((n) => `Edit(./src/part${n}/**)`, 0.15)],
    ask: [...some((n) => `Bash(tool${n} push:*)`, 0.1)],
    deny: [...some((n) => `Bash(tool${n} drop:*)`, 0.25), ...some((n) => `Read(**/secret${n}/*.pem)`, 0.2)],
  };
  const { rules } = collectRules([{ source: "user", root: project, accepted: true, permissions }], "default");
  return {
    mode: "default",
    rules,
    cwd: project,
    projectRoot: project,
    additionalDirectories: [],
    home: path.dirname(project),
    outOfReach: [path.join(root, "state/teams"), path.join(root, "state/tasks")],
    planFile: undefined,
    platform: "posix",
    fs,
    teamTools: new Set(),
    spawnTools: new Set(),
  };
}
