import { symlink, utimes } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type ToolBench, toolBench } from "../../../support/toolBench.ts";

const sorted = async (bench: ToolBench, input: Record<string, unknown>) =>
  (await bench.text("Glob", input)).split("\n").toSorted();

async function writeAll(bench: ToolBench, names: readonly string[]): Promise<void> {
  for (const name of names) await bench.write(name, name);
}

describe("Glob", () => {
  it("finds files at the depth that the pattern says, also hidden ones, newest first", async () => {
    await using bench = await toolBench();
    await writeAll(bench, ["a.ts", "src/b.ts", "src/deep/c.tsx", ".github/d.ts", "e.md"]);
    expect(await sorted(bench, { pattern: "*.ts" })).toEqual(["a.ts"]);
    expect(await sorted(bench, { pattern: "./**/*.{ts,tsx}" })).toEqual([
      ".github/d.ts",
      "a.ts",
      "src/b.ts",
      "src/deep/c.tsx",
    ]);
    expect(await sorted(bench, { pattern: "**/*.ts", path: "src" })).toEqual(["src/b.ts"]);
    expect(await sorted(bench, { pattern: `${bench.cwd}/src/*.ts` })).toEqual(["src/b.ts"]);
    expect(await bench.text("Glob", { pattern: "*.rs" })).toBe("No file matches *.rs.");
    const now = Date.now() / 1000;
    await utimes(path.join(bench.cwd, "src/b.ts"), now, now + 50);
    await utimes(path.join(bench.cwd, "a.ts"), now, now - 50);
    expect((await bench.text("Glob", { pattern: "{a.ts,src/b.ts}" })).split("\n")).toEqual(["src/b.ts", "a.ts"]);
  });

  it("leaves out what .gitignore files leave out, nested ones and those above the folder too", async () => {
    await using bench = await toolBench();
    await bench.write(".gitignore", "node_modules/\n*.log\n!keep.log\n/build\n");
    await bench.write("packages/a/.gitignore", "secret*\n!debug.log\n");
    await writeAll(bench, [
      ".git/config.ts",
      "node_modules/x/index.ts",
      "packages/a/node_modules/y.ts",
      "packages/a/secret.ts",
      "packages/a/debug.log",
      "packages/a/main.ts",
      "packages/build/out.ts",
      "build/out.ts",
      "x.log",
      "keep.log",
    ]);
    expect(await sorted(bench, { pattern: "**/*.{ts,log}" })).toEqual([
      "keep.log",
      "packages/a/debug.log",
      "packages/a/main.ts",
      "packages/build/out.ts",
    ]);
    expect(await sorted(bench, { pattern: "**/*.{ts,log}", path: "packages/a" })).toEqual([
      "packages/a/debug.log",
      "packages/a/main.ts",
    ]);
  });

  it("looks into an ignored folder that is named", async () => {
    await using bench = await toolBench();
    await bench.write(".gitignore", "node_modules/\n");
    await writeAll(bench, [".git/HEAD", "node_modules/x/index.ts"]);
    expect(await sorted(bench, { pattern: "**/*.ts", path: "node_modules/x" })).toEqual(["node_modules/x/index.ts"]);
  });

  it("does not leave the folder, does not follow links, and never lists the team's files", async () => {
    await using bench = await toolBench({ isHidden: (file) => /\/state(\/|$)/.test(file) });
    await writeAll(bench, ["state/inbox.json", "project.json", `${bench.outside}/other.json`]);
    await symlink(bench.outside, path.join(bench.cwd, "link"));
    await symlink("state", path.join(bench.cwd, "alias"));
    expect(await sorted(bench, { pattern: "**/*.json" })).toEqual(["project.json"]);
    for (const pattern of ["../**/*.json", "a/../../x", "/etc/*"])
      expect(await bench.text("Glob", { pattern })).toMatch(/^error: The pattern .* leads out of the folder/);
    for (const folder of ["state", "alias"])
      expect(await bench.text("Glob", { pattern: "*", path: folder })).toMatch(/belongs to the team's own files/);
    expect(await bench.text("Glob", { pattern: "*", path: "project.json" })).toMatch(/^error: project\.json is a file/);
    expect(await bench.text("Glob", { pattern: "*", path: "none" })).toBe("error: none does not exist.");
  });

  it("hides the team's files behind another name of the folder", async () => {
    await using bench = await toolBench();
    await bench.write("home/teams/inbox.json", "[]");
    await bench.write("home/own.json", "{}");
    await symlink("home", path.join(bench.cwd, "alias"));
    const hide = (folder: string) =>
      bench.another({ isHidden: (file) => file.startsWith(path.join(bench.cwd, folder, "teams")) });
    for (const member of [hide("home"), hide("alias")])
      for (const tool of ["Glob", "Grep"])
        expect(await member.text(tool, { pattern: tool === "Glob" ? "**/*" : ".", path: "alias" })).toBe(
          "alias/own.json",
        );
  });

  it("gives 200 paths and the number of the others", async () => {
    await using bench = await toolBench();
    await writeAll(
      bench,
      Array.from({ length: 210 }, (_, n) => `f${n}.txt`),
    );
    const rows = (await bench.text("Glob", { pattern: "*.txt" })).split("\n");
    expect(rows).toHaveLength(201);
    expect(rows.at(-1)).toBe("(10 more files match. Narrow the pattern.)");
  });

  it("ends by an abort", async () => {
    await using bench = await toolBench();
    await expect(bench.call("Glob", { pattern: "**/*" }, AbortSignal.abort())).rejects.toMatchObject({
      name: "AbortedError",
    });
  });
});
