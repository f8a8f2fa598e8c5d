import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findBash } from "../../../../src/agent/tools/findBash.ts";
import { toolBench } from "../../../support/toolBench.ts";

/** A program at this path. */
async function program(file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, "");
  await chmod(file, 0o755);
  return file;
}

describe("the bash of a machine", () => {
  it("is the one on PATH, and not one that the project brings along", async () => {
    await using bench = await toolBench();
    const own = await program(path.join(bench.cwd, "bin/bash"));
    const other = await program(path.join(bench.cwd, "../programs/bash"));
    const PATH = [path.dirname(own), path.dirname(other)].join(path.delimiter);
    expect(await findBash({ env: { PATH }, cwd: bench.cwd }, "linux")).toBe(other);
    expect(await findBash({ env: {}, cwd: bench.cwd }, "linux")).toMatch(/^\/(usr\/)?bin\/bash$/);
  });

  it("is that of Git on Windows, whatever case its variables have, and never that of WSL or of the project", async () => {
    await using bench = await toolBench();
    const windows = path.join(bench.cwd, "../windows");
    const forOne = await program(path.join(windows, "local/Programs/Git/bin/bash.exe"));
    const wsl = await program(path.join(windows, "System32/bash.exe"));
    const env = {
      PATH: path.dirname(wsl),
      ProgramFiles: path.join(windows, "programs"),
      LOCALAPPDATA: `${windows}/local`,
    };
    expect(await findBash({ env, cwd: bench.cwd }, "win32")).toBe(forOne);
    const forAll = await program(path.join(windows, "programs/Git/bin/bash.exe"));
    expect(await findBash({ env, cwd: bench.cwd }, "win32")).toBe(forAll);
    expect(await findBash({ env: { PATH: env.PATH }, cwd: bench.cwd }, "win32")).toBeUndefined();
    await program(path.join(bench.cwd, "Git/bin/bash.exe"));
    await symlink(bench.cwd, path.join(windows, "linked"));
    for (const ProgramFiles of [bench.cwd, path.join(windows, "linked")])
      expect(await findBash({ env: { ProgramFiles }, cwd: bench.cwd }, "win32")).toBeUndefined();
  });
});
