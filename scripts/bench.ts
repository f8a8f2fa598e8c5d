import { spawnSync } from "node:child_process";
import { BENCH_HELP, wantedMeasurements } from "./bench/measurements.ts";
import { asksForHelp } from "./options.ts";
import { projectRoot } from "./project.ts";

/** Runs the measurements that are named, or all, one after the other; each prints what it measured. */
function main(args: readonly string[]): void {
  if (asksForHelp(args)) {
    console.log(BENCH_HELP);
    return;
  }
  const wanted = wantedMeasurements(args);
  if ("refusal" in wanted) {
    console.error(`muster: ${wanted.refusal}`);
    process.exitCode = 1;
    return;
  }
  for (const file of wanted.files) {
    const { status } = spawnSync(process.execPath, [`test/bench/${file}`], { cwd: projectRoot, stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}

main(process.argv.slice(2));
