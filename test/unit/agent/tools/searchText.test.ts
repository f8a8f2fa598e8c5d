import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import { type ToolBench, toolBench } from "../../../support/toolBench.ts";

/** The same scenarios through ripgrep and through the search without it. */
const engines = {
  "with ripgrep": { ripgrepPaths: [rgPath], env: {} },
  "without ripgrep": { ripgrepPaths: ["/nowhere/rg"], env: { PATH: "/nowhere" } },
};

async function project(engine: { ripgrepPaths: string[]; env: Record<string, string> }): Promise<ToolBench> {
  const bench = await toolBench({ ...engine, isHidden: (file) => file.includes("/state/") });
  await bench.write(".gitignore", "ignored/\n*.min.js\n");
  await bench.write("src/a.ts", "import x;\n\nexport function alpha() {\n  return 1;\n}\n\nfunction beta() {}\n");
  await bench.write("src/b.js", "function Alpha() {}\r\nlet alpha;\r\n");
  await bench.write("src/c.min.js", "function alpha() {}\n");
  await bench.write("ignored/d.ts", "function alpha() {}\n");
  await bench.write("state/inbox.ts", "function alpha() {}\n");
  await bench.write(".config/e.ts", "\uFEFFfunction alpha() {}\n");
  await bench.write(".git/f.ts", "function alpha() {}\n");
  await bench.write("g.bin", Buffer.from("function alpha() {}\n\0\0\0"));
  return bench;
}

describe.each(Object.entries(engines))("Grep %s", (name, engine) => {
  it("gives the files that match, not those that are ignored, binary or the team's", async () => {
    await using bench = await project(engine);
    expect(await bench.text("Grep", { pattern: "^function alpha" })).toBe(".config/e.ts");
    expect(await bench.text("Grep", { pattern: "function\\s+alpha" })).toBe(".config/e.ts\nsrc/a.ts");
    expect(await bench.text("Grep", { pattern: "ALPHA", "-i": true, glob: "*.js" })).toBe("src/b.js");
    expect(await bench.text("Grep", { pattern: "(?i)ALPHA", glob: "*.{js,md}" })).toBe("src/b.js");
    expect(await bench.text("Grep", { pattern: "alpha", glob: "src/*.ts" })).toBe("src/a.ts");
    expect(await bench.text("Grep", { pattern: "alpha", glob: "!*.ts" })).toBe("src/b.js");
    expect(await bench.text("Grep", { pattern: "alpha", glob: "*.ts", path: "ignored" })).toBe("ignored/d.ts");
    expect(await bench.text("Grep", { pattern: "gamma" })).toBe("Nothing matches gamma.");
  });

  it("gives lines with their numbers and what is around them", async () => {
    await using bench = await project(engine);
    const content = (more: object) =>
      bench.text("Grep", { pattern: "alpha", output_mode: "content", path: "src", ...more });
    expect(await content({})).toBe("src/a.ts:3:export function alpha() {\nsrc/b.js:2:let alpha;");
    expect(await content({ "-n": false })).toBe("src/a.ts:export function alpha() {\nsrc/b.js:let alpha;");
    expect(await content({ "-B": 1, "-A": 0 })).toBe(
      "src/a.ts-2-\nsrc/a.ts:3:export function alpha() {\n--\nsrc/b.js-1-function Alpha() {}\nsrc/b.js:2:let alpha;",
    );
    expect(await content({ pattern: "function", "-C": 1, glob: "*.ts" })).toBe(
      [
        "src/a.ts-2-",
        "src/a.ts:3:export function alpha() {",
        "src/a.ts-4-  return 1;",
        "--",
        "src/a.ts-6-",
        "src/a.ts:7:function beta() {}",
      ].join("\n"),
    );
    expect(await content({ path: "src/b.js", glob: "*.ts" })).toBe("src/b.js:2:let alpha;");
  });

  it("counts, limits, and cuts long lines", async () => {
    await using bench = await project(engine);
    await bench.write("many.txt", "hit\n".repeat(600));
    await bench.write("wide.txt", `hit ${"x".repeat(600)}\n`);
    expect(await bench.text("Grep", { pattern: "hit", output_mode: "count" })).toBe("many.txt:600\nwide.txt:1");
    const rows = (await bench.text("Grep", { pattern: "hit", output_mode: "content" })).split("\n");
    expect(rows).toHaveLength(251);
    expect(rows.at(-1)).toMatch(/^\(There is more\./);
    expect(await bench.text("Grep", { pattern: "alpha|hit", head_limit: 2 })).toMatch(
      /^.config\/e.ts\nmany.txt\n\(There is more/,
    );
    const wide = await bench.text("Grep", { pattern: "hit", output_mode: "content", path: "wide.txt" });
    expect(wide).toBe(`wide.txt:1:hit ${"x".repeat(496)}…`);
  });

  it("matches over lines where it is asked to", async () => {
    await using bench = await project(engine);
    const input = { pattern: "alpha\\(\\) \\{.*?\\}", output_mode: "content", path: "src/a.ts" };
    expect(await bench.text("Grep", input)).toMatch(/^Nothing matches/);
    expect(await bench.text("Grep", { ...input, multiline: true })).toBe(
      "src/a.ts:3:export function alpha() {\nsrc/a.ts:4:  return 1;\nsrc/a.ts:5:}",
    );
  });

  it("says what is wrong with a pattern or a path", async () => {
    await using bench = await project(engine);
    expect(await bench.text("Grep", { pattern: "a(" })).toMatch(
      name === "with ripgrep" ? /^error: .*regex parse error/s : /^error: The pattern cannot be used/,
    );
    expect(await bench.text("Grep", { pattern: "a", path: "none" })).toBe("error: none does not exist.");
    expect(await bench.text("Grep", { pattern: "a", path: "state/inbox.ts" })).toMatch(
      /belongs to the team's own files/,
    );
  });

  it("ends by an abort", async () => {
    await using bench = await project(engine);
    await expect(bench.call("Grep", { pattern: "a" }, AbortSignal.abort())).rejects.toMatchObject({
      name: "AbortedError",
    });
  });
});

describe("Grep without ripgrep", () => {
  it("gives up a pattern that would never end", async () => {
    await using bench = await toolBench(engines["without ripgrep"]);
    await bench.write("a.txt", `${"a".repeat(60)}!\n`);
    expect(await bench.text("Grep", { pattern: "(a+)+$" })).toMatch(/^error: The pattern takes too long/);
  });

  it("does not run an rg that the project brings along", async () => {
    await using bench = await toolBench();
    await bench.write("bin/rg", "#!/bin/sh\ntouch planted\n");
    await bench.write("a.txt", "hit\n");
    const env = { PATH: `${bench.cwd}/bin:bin:.` };
    const member = bench.another({ env });
    await member.text("Bash", { command: "/bin/chmod +x bin/rg" });
    expect(await member.text("Grep", { pattern: "hit" })).toBe("a.txt");
    await expect(bench.read("planted")).rejects.toThrow("ENOENT");
  });
});
