import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as esbuild from "esbuild";

/** A folder for thousands of small files: in memory, where the platform has such a place. */
export function fastRoot(): Promise<string> {
  return mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "muster-fast-"));
}

/** A real process of one of the scripts under `children/`. */
export interface StoreProcess {
  readonly child: ChildProcess;
  /** What it has said so far, a value a line. */
  readonly said: unknown[];
  /** Its end; rejects never. */
  readonly done: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>;
}

/**
 * Starts `children/{script}.ts`, by way of `wrapper` if given; `input` is its only argument, as JSON. The script runs as
 * it is with Node's own type stripping; here it is bundled first, which makes hundreds of starts five times as fast.
 */
export async function startChild(
  script: string,
  input: object,
  onLine: (value: unknown) => void = () => {},
  wrapper: readonly string[] = [],
): Promise<StoreProcess> {
  const file = await bundled(script);
  const [command, ...args] = [...wrapper, process.execPath, file, JSON.stringify(input)];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const said: unknown[] = [];
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const value: unknown = JSON.parse(line);
    said.push(value);
    onLine(value);
  });
  const done = Promise.all([once(child, "exit"), once(lines, "close")]).then(([[code, signal]]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    errors,
  }));
  return { child, said, done };
}

const bundles = new Map<string, Promise<string>>();

function bundled(script: string): Promise<string> {
  const known = bundles.get(script) ?? bundle(script);
  bundles.set(script, known);
  return known;
}

async function bundle(script: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "muster-child-"));
  removeAtEnd(dir);
  chmodSync(dir, 0o755); // some run as another user
  const outfile = join(dir, `${script}.mjs`);
  await esbuild.build({
    entryPoints: [join(import.meta.dirname, "children", `${script}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "warning",
    banner: { js: 'import { createRequire as of } from "node:module"; const require = of(import.meta.url);' },
  });
  return outfile;
}

/** Also where the test runner ends its worker by a signal. */
function removeAtEnd(dir: string): void {
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  if (process.listenerCount("SIGTERM") === 0) process.once("SIGTERM", () => process.exit(143));
}

/** Waits for a process that must end well; gives what it said. */
export async function finished<T>(started: Promise<StoreProcess>): Promise<T[]> {
  const process = await started;
  const { code, signal, errors } = await process.done;
  if (code !== 0) throw new Error(`The process ended with ${code ?? signal}: ${errors}`);
  return process.said as T[];
}

/** The value at a share of a sorted list, such as 0.99. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
