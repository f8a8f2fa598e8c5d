import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { SAMPLE_PROJECT, type SampleEdit } from "../../src/demo/sampleProject.ts";

/** Writes the sample project into a folder, as a host does. */
export async function writeSample(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(SAMPLE_PROJECT)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Makes a change as the Edit tool does; throws unless its text stands in the file once. */
export async function applyEdit(folder: string, edit: SampleEdit): Promise<void> {
  const file = path.join(folder, edit.path);
  const parts = (await readFile(file, "utf8")).split(edit.from);
  if (parts.length !== 2) throw new Error(`${edit.from} stands ${parts.length - 1} times in ${edit.path}`);
  await writeFile(file, parts.join(edit.to));
}

/** Runs `npm test` in a folder; both outputs in one text. */
export function runSuite(folder: string, reporter?: "spec" | "tap"): Promise<{ exit: number; output: string }> {
  const args = ["--silent", "test", ...(reporter === undefined ? [] : ["--", `--test-reporter=${reporter}`])];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile("npm", args, { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ exit: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}
