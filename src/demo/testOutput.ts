/** What a run of a test suite says about one test. */
export type TestOutcome = "passed" | "failed" | "not run";

/**
 * Reads the output of `node --test`, as its spec reporter or its TAP reporter (Node 20 and 22 without a terminal)
 * writes it. Undefined: it is not the output of a test run.
 */
export function readTestOutput(output: string): ((test: string) => TestOutcome) | undefined {
  if (!/^(?:ℹ|#) tests \d+/m.test(output)) return undefined;
  return (test) => {
    const name = test.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (new RegExp(`^\\s*(?:✖|not ok \\d+ -) ${name}`, "m").test(output)) return "failed";
    return new RegExp(`^\\s*(?:✔|ok \\d+ -) ${name}`, "m").test(output) ? "passed" : "not run";
  };
}
