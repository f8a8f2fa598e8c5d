import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DEMO_WAYS, DemoRun, DemoWay } from "./demoRun.ts";
import { goldenTexts } from "./goldenText.ts";

const GOLDEN = path.resolve(import.meta.dirname, "../golden/expected");

/**
 * What is wrong with a demo run, one sentence each: its end, its decisions, what each member was told, said and did, and
 * the files that are left, all against what is kept for this way of deciding. `update` keeps this run's texts instead.
 */
export function checkDemo(run: DemoRun, way: DemoWay, update = false): string[] {
  const { result, events } = run;
  const last = events.at(-1);
  const faults: string[] = [];
  if (result.code !== 0) faults.push(`The exit code is ${result.code}.`);
  if (result.stderr !== "") faults.push(`Standard error says: ${result.stderr.trim()}`);
  if (events[0]?.type !== "run_started") faults.push("The first event is not run_started.");
  if (last?.type !== "run_finished" || last.result !== "completed")
    faults.push(`The last event is ${JSON.stringify(last)}.`);
  const decisions = events.flatMap((event) => (event.type === "decision" ? [event.decision] : []));
  const expected = EXPECTED_DECISIONS[way];
  if (decisions.toSorted().join() !== expected.toSorted().join())
    faults.push(`The decisions were ${decisions.join()}.`);
  return [...faults, ...textFaults(goldenTexts(run), path.join(GOLDEN, way), update)];
}

const EXPECTED_DECISIONS: Readonly<Record<keyof typeof DEMO_WAYS, string[]>> = {
  all: ["approve", "allow", "allow"],
  stdin: ["reject", "approve", "deny", "allow", "allow"],
};

function textFaults(texts: ReadonlyMap<string, string>, dir: string, update: boolean): string[] {
  if (update) {
    mkdirSync(dir, { recursive: true });
    for (const [name, text] of texts) writeFileSync(path.join(dir, name), text);
  }
  const kept = existsSync(dir) ? readdirSync(dir) : [];
  return [...new Set([...kept, ...texts.keys()])].sort().flatMap((name) => {
    const was = kept.includes(name) ? readFileSync(path.join(dir, name), "utf8") : null;
    const is = texts.get(name) ?? null;
    return was === is ? [] : [`${name}: ${difference(was, is)}`];
  });
}

/** Where two texts part, with a few lines of both. */
function difference(was: string | null, is: string | null): string {
  if (was === null) return "nothing is kept for it; look at it and run again with UPDATE_GOLDEN=1.";
  if (is === null) return "it is missing.";
  const [before, after] = [was.split("\n"), is.split("\n")];
  const at = before.findIndex((line, index) => line !== after[index]);
  const from = at < 0 ? before.length : at;
  const some = (lines: readonly string[], mark: string) =>
    lines.slice(from, from + 4).map((line) => `  ${mark} ${line.slice(0, 300)}`);
  return [`line ${from + 1} differs.`, ...some(before, "-"), ...some(after, "+")].join("\n");
}
