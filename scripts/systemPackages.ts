import { spawnSync } from "node:child_process";
import { findChromium } from "./host/chromium.ts";
import { findProgram } from "./programs.ts";

/** A program of the system that the tests use, and the Debian package that has it. */
interface Needed {
  name: string;
  package: string;
  present: () => boolean;
}

const BROWSER: Needed = { name: "chromium", package: "chromium", present: () => findChromium() !== undefined };
/** Is tried first: it is faster, but not every system has it. */
const BROWSER_WITHOUT_WINDOWS: Needed = { ...BROWSER, package: "chromium-headless-shell" };
const NEEDED: readonly Needed[] = [
  BROWSER,
  ...["tmux", "make", "python3", "g++"].map((name) => ({
    ...{ name, package: name },
    present: () => findProgram(name) !== undefined,
  })),
];

/**
 * Installs the programs that the tests need and the system lacks, where this user may (apt-get, as root).
 * @throws Error with one sentence that names what is missing.
 */
export function installSystemPackages(): void {
  if (process.platform !== "linux") throw new Error("The tests need Linux: they drive a VS Code that is built there.");
  if (process.getuid?.() === 0 && findProgram("apt-get") && missing(NEEDED).length > 0) {
    aptGet("update", "-qq");
    for (const needed of [[BROWSER_WITHOUT_WINDOWS], NEEDED]) install(missing(needed));
  }
  const absent = missing(NEEDED).map(({ name }) => name);
  if (absent.length > 0) throw new Error(`The tests need ${absent.join(", ")} on PATH: install that and try again.`);
}

function missing(needed: readonly Needed[]): Needed[] {
  return needed.filter(({ present }) => !present());
}

function install(needed: readonly Needed[]): void {
  if (needed.length === 0) return;
  const packages = needed.map((one) => one.package);
  console.log(`Installing ${packages.join(", ")} with apt-get …`);
  aptGet("install", "-y", "-qq", "--no-install-recommends", ...packages);
}

function aptGet(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) console.error(stderr);
}
