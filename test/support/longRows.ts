import { appendFileSync } from "node:fs";

/**
 * Tests that `npm test` runs up to a fixed count and `npm run test:long` runs on, toward a far larger one or until the
 * time of the row is over.
 */
export interface LongRow {
  /** Also the option of `npm run test:long` that chooses it. */
  name: string;
  what: string;
  /** The project of vitest that runs it, which is its folder below `test/` too; `workbench` needs the package. */
  project: "stress" | "process" | "workbench";
  /** In that folder, without `.test.ts`. */
  file: string;
  /** What the long run goes toward; null: everything there is, in either run. */
  goal: number | null;
  unit: string;
  /** How many tests one after the other share the row's time. */
  tests: number;
}

const ROWS = [
  {
    name: "faults",
    what: "every store operation × fault",
    project: "stress",
    file: "storeFaults",
    goal: null,
    unit: "faults",
    tests: 1,
  },
  {
    name: "kills",
    what: "random kill -9",
    project: "stress",
    file: "storeKills",
    goal: 10_000,
    unit: "kills",
    tests: 1,
  },
  {
    name: "writers",
    what: "64 writers into one inbox",
    project: "stress",
    file: "storeWriters",
    goal: 64_000,
    unit: "messages",
    tests: 1,
  },
  { name: "claims", what: "64 claimers", project: "stress", file: "storeClaims", goal: 2_000, unit: "tasks", tests: 1 },
  {
    name: "locks",
    what: "stale take-over by 16",
    project: "stress",
    file: "storeLocks",
    goal: 20_000,
    unit: "rounds",
    tests: 2,
  },
  {
    name: "torn",
    what: "torn reads",
    project: "stress",
    file: "storeTornReads",
    goal: 10_000_000,
    unit: "reads",
    tests: 4,
  },
  {
    name: "hostile",
    what: "hostile bytes",
    project: "stress",
    file: "storeHostileBytes",
    goal: 1_000_000,
    unit: "cases",
    tests: 1,
  },
  {
    name: "model",
    what: "store against a model",
    project: "stress",
    file: "storeModel",
    goal: 100_000,
    unit: "sequences",
    tests: 1,
  },
  {
    name: "permission",
    what: "mutated shell commands",
    project: "stress",
    file: "permissionMutation",
    goal: 1_000_000,
    unit: "mutants",
    tests: 1,
  },
  {
    name: "cycles",
    what: "spawn and stop of a teammate",
    project: "process",
    file: "spawnCycles",
    goal: 200,
    unit: "cycles",
    tests: 2,
  },
  {
    name: "ends",
    what: "ways out of a team",
    project: "process",
    file: "leftovers",
    goal: 180,
    unit: "ends",
    tests: 9,
  },
  {
    name: "terminal-ends",
    what: "ways out, terminals of VS Code",
    project: "workbench",
    file: "terminalEnds",
    goal: 240,
    unit: "ends",
    tests: 2,
  },
] as const satisfies readonly LongRow[];

export const LONG_ROWS: readonly LongRow[] = ROWS;

/** What `scripts/long.ts` tells the tests: which row is to run on, for how long, and where to write what it reached. */
export const LONG_VARIABLES = {
  row: "MUSTER_LONG_ROW",
  minutes: "MUSTER_LONG_MINUTES",
  report: "MUSTER_LONG_REPORT",
} as const;

/** How far the tests of a row go in this run. */
export interface Reach {
  isLong: boolean;
  /** One of two values. */
  pick<T>(short: T, long: T): T;
  /** The time that vitest gives a test, ms: `short`, or the test's share of the row's time. */
  timeout(short: number): number;
  /** When a test that begins now has to come to its end (ms since the epoch); never in a short run. */
  until(): number;
  /** Says how many were reached, toward the goal; said by several tests it adds up. */
  reached(count: number): void;
}

/** How far the tests of this row are to go. */
export function reachOf(name: (typeof ROWS)[number]["name"]): Reach {
  const isLong = process.env[LONG_VARIABLES.row] === name;
  const tests = LONG_ROWS.find((row) => row.name === name)?.tests ?? 1;
  const shareMs = (Number(process.env[LONG_VARIABLES.minutes] ?? 20) * 60_000) / tests;
  return {
    isLong,
    pick: (short, long) => (isLong ? long : short),
    timeout: (short) => (isLong ? Math.max(short, shareMs) : short),
    // the rest of its time is for looking at what has come of it
    until: () => (isLong ? Date.now() + shareMs * 0.8 : Number.POSITIVE_INFINITY),
    reached(count) {
      const report = process.env[LONG_VARIABLES.report];
      if (isLong && report) appendFileSync(report, `${count}\n`);
    },
  };
}
