import { defineConfig } from "vitest/config";

/** Waits of a suite, in milliseconds. Tests themselves never assert on them. */
const timeouts = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

/**
 * Files run side by side: of those that start processes and wait for them four at a time, those of golden one, else two:
 * what keeps a core busy of itself (stress) takes far longer beside more of its kind.
 * Nothing of the product is kept in a module, so files of many suites may share theirs (`isolate`): that takes a third off
 * the time of the unit tests.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.{ts,tsx}"],
          isolate: false,
          maxWorkers: 2,
          ...timeouts(60_000),
        },
      },
      {
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts"],
          isolate: false,
          globalSetup: "test/support/cliSetup.ts",
          maxWorkers: 4,
          ...timeouts(240_000),
        },
      },
      {
        test: {
          name: "stress",
          include: ["test/stress/**/*.test.ts"],
          isolate: false,
          maxWorkers: 2,
          ...timeouts(240_000),
        },
      },
      {
        test: {
          name: "golden",
          include: ["test/golden/**/*.test.ts"],
          globalSetup: "test/support/cliSetup.ts",
          fileParallelism: false,
          ...timeouts(120_000),
        },
      },
      {
        test: {
          name: "webview",
          include: ["test/webview/**/*.test.ts"],
          isolate: false,
          globalSetup: "test/webview/support/buildSetup.ts",
          maxWorkers: 2,
          ...timeouts(60_000),
        },
      },
      {
        test: {
          name: "workbench",
          include: ["test/workbench/**/*.test.ts"],
          globalSetup: "test/support/workbenchSetup.ts",
          maxWorkers: 2,
          ...timeouts(240_000),
        },
      },
    ],
  },
});
