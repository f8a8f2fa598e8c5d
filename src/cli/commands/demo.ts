import * as z from "zod";
import { defineCommand, value } from "../command.ts";
import { APPROVE_OPTION, approveMode, TEAMMATE_MODE_OPTION } from "./run.ts";

/** `muster demo`. */
export const demoCommand = defineCommand({
  name: "demo",
  args: [],
  summary: "Run a team of scripted models on a sample project (no API key)",
  notes:
    "Only the models are scripted: the files, the tools, the tests that they run and your decisions are real. It works on a fresh copy of the sample, and with a state root of its own unless --root names one.",
  options: {
    root: value("DIR", "state root (default: one of its own in a temporary folder)", z.string()),
    cwd: value("DIR", "where the sample is copied to: absent or empty (default: a temporary folder)", z.string()),
    approve: APPROVE_OPTION,
    "teammate-mode": TEAMMATE_MODE_OPTION,
  },
  async run({ options }, context) {
    const approve = approveMode(options.approve, context);
    const { runDemo } = await import("../run/runDemo.ts"); // the agents' code is loaded only where it runs
    return runDemo(
      { cwd: options.cwd, approve, teammates: { mode: options["teammate-mode"], command: undefined } },
      context,
    );
  },
});
