import { spawnSync } from "node:child_process";
import { findChromium } from "./host/chromium.ts";
import { findProgram } from "./programs.ts";

/** Programs of the system that the tests use, and the Debian package that has each. */
const NEEDED: readonly { name: string; package: string; present: () => boolean }[] = [
  { name: "chromium", package: "chromium", present: () => findChromium() !== undefined },
  ...["tmux", "make", "python3"].map((name) => ({
    name,
    package: name,
    present: () => findProgram(name) !== undefined,
  })),
  { name: "g++", package: "g++", present: () => findProgram("g++") !== undefined },
];

/**
 * Installs the programs that the tests need and the system lacks, where this user may (apt-get, as root).
 * @throws Error with one sentence that names what is missing.
 */
export function installSystemPackages(): void {
  if (process.platform !== "linux") throw new Error("The tests need Linux: they drive a VS Code that is built there.");
  const missing = NEEDED.filter(({ present }) => !present());
  if (missing.length === 0) return;
  const packages = missing.map((entry) => entry.package);
  if (process.getuid?.() === 0 && findProgram("apt-get")) {
    console.log(`Installing ${packages.join(", ")} with apt-get …`);
    aptGet("update", "-qq");
    aptGet("install", "-y", "-qq", "--no-install-recommends", ...packages);
  }
  const absent = NEEDED.filter(({ present }) => !present()).map(({ name }) => name);
  if (absent.length > 0) throw new Error(`The tests need ${absent.join(", ")} on PATH: install that and try again.`);
}

function aptGet(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) console.error(stderr);
}
