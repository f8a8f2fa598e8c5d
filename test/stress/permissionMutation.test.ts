import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { decide } from "../../src/permission/decide.ts";
import { collectRules } from "../../src/permission/ruleFiles.ts";
import type { DecisionContext } from "../../src/permission/types.ts";
import type { PermissionMode } from "../../src/protocol/mode.ts";
import { openCanary } from "../support/canary.ts";
import { reachOf } from "../support/longRows.ts";
import { DENY_RULES, type Mutant, nextMutant, seeded } from "../support/shellMutants.ts";

/**
 * Random commands that run a denied program in disguise. Not the engine but a canary is the oracle: whatever the engine
 * allows is really run (of what is harmless by construction, one in four), and the denied programs leave a trace.
 * `MUSTER_SEED` chooses others.
 */
const reach = reachOf("permission");
const COUNT = reach.pick(10_000, 1_000_000);
const SEED = Number(process.env["MUSTER_SEED"] ?? reach.pick(20_260_101, Date.now() % 2 ** 31));
const BATCH = 500;

const root = mkdtempSync(path.join(tmpdir(), "muster-mutants-"));
const project = path.join(root, "home", "proj");
mkdirSync(project, { recursive: true });
const canary = openCanary();
afterAll(() => {
  canary.dispose();
  rmSync(root, { recursive: true, force: true });
});

const WIDE = ["Bash(*)"];
const NARROW =
  "echo git npm env timeout nice nohup xargs bash sh eval find trap command cat printf test read let declare sed awk perl python3 flock time"
    .split(" ")
    .map((program) => `Bash(${program}:*)`);

/** Modes and allow rules under which the same mutants are decided; the denied programs are denied in all. */
const SETTINGS: readonly { mode: PermissionMode; allow: string[] }[] = [
  { mode: "default", allow: WIDE },
  { mode: "default", allow: NARROW },
  { mode: "default", allow: [] },
  { mode: "acceptEdits", allow: WIDE },
  { mode: "bypassPermissions", allow: [] },
  { mode: "dontAsk", allow: WIDE },
  { mode: "plan", allow: WIDE },
];
const CONTEXTS = SETTINGS.map(({ mode, allow }): DecisionContext => {
  const permissions = { allow, deny: DENY_RULES };
  const { rules } = collectRules([{ source: "session", root: project, accepted: true, permissions }], mode);
  return {
    mode,
    rules,
    cwd: project,
    projectRoot: project,
    additionalDirectories: [],
    home: path.dirname(project),
    outOfReach: [path.join(root, "state")],
    planFile: undefined,
    platform: "posix",
    fs,
    teamTools: new Set(),
    spawnTools: new Set(),
  };
});

it(
  `allows none of ${COUNT} mutants that runs a denied program, and nearly all that are harmless`,
  async () => {
    const random = seeded(SEED);
    const tally = { harmless: 0, harmlessAllowed: 0, executed: 0 };
    const refused: Mutant[] = [];
    const falseAllows: string[] = [];
    const needless: string[] = [];
    let allowed: string[] = [];
    const check = async () => {
      const touched = await canary.run(allowed);
      falseAllows.push(...touched.map((index) => allowed[index] ?? ""));
      tally.executed += allowed.length;
      allowed = [];
    };
    const until = reach.until();
    let count = 0;
    for (; count < COUNT && Date.now() < until; count += 1) {
      const mutant = nextMutant(random, canary.stubs);
      const context = CONTEXTS[count % CONTEXTS.length] as DecisionContext;
      const { behavior } = await decide({ tool: "Bash", input: { command: mutant.command } }, context);
      tally.harmless += mutant.harmless ? 1 : 0;
      if (behavior === "allow") {
        tally.harmlessAllowed += mutant.harmless ? 1 : 0;
        if (!mutant.harmless || tally.harmlessAllowed % 4 === 0) allowed.push(mutant.command);
      } else if (mutant.harmless) needless.push(mutant.command);
      else if (refused.length < BATCH && random() < 0.1) refused.push(mutant);
      if (allowed.length >= BATCH) await check();
    }
    await check();
    const potent = (await canary.run(refused.map(({ command }) => command))).length / refused.length;
    reach.reached(count);
    console.log(
      `${count} mutants (seed ${SEED}): ${falseAllows.length} false allows among ${tally.executed} allowed and run; ${tally.harmlessAllowed} of ${tally.harmless} harmless ones allowed; of ${refused.length} refused ones ${Math.round(100 * potent)} % run a denied program`,
    );
    expect(falseAllows).toEqual([]);
    expect(tally.harmlessAllowed / tally.harmless, needless.slice(0, 5).join("\n---\n")).toBeGreaterThanOrEqual(0.95);
    expect(potent).toBeGreaterThan(0.5);
  },
  reach.timeout(600_000),
);
