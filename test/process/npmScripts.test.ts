import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/project.ts";

/** A copy of the project as a fresh clone has it, without packages, and with an npm that only notes how it was called. */
describe("an npm script in a clone without packages", () => {
  let clone: string;
  beforeEach(() => {
    clone = mkdtempSync(path.join(tmpdir(), "muster-clone-"));
    for (const name of ["package.json", "package-lock.json", "scripts"])
      cpSync(path.join(projectRoot, name), path.join(clone, name), { recursive: true });
    const note = [
      'import { writeFileSync } from "node:fs";',
      'writeFileSync("npm-args.json", JSON.stringify(process.argv.slice(2)));',
      "process.exitCode = 1;",
    ].join("\n");
    writeFileSync(path.join(clone, "npm.js"), note);
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  function run(...args: string[]) {
    const env = { ...process.env, npm_execpath: path.join(clone, "npm.js") };
    return spawnSync(process.execPath, ["scripts/run.mjs", ...args], { cwd: clone, env, encoding: "utf8" });
  }

  it.each(["check", "build", "package", "bench", "long", "vitest"])(
    "%s says what is missing and what to do",
    (task) => {
      const { status, stderr } = run(task);
      expect(stderr).toBe("muster: Node 24 is missing: run `npm ci`, which installs it as a package, and try again.\n");
      expect(status).toBe(1);
    },
  );

  it.each(["start", "test"])("%s installs the packages by itself, and says so when that fails", (task) => {
    const { status, stdout, stderr } = run(task);
    expect(stdout).toContain("Installing the project's packages");
    expect(JSON.parse(readFileSync(path.join(clone, "npm-args.json"), "utf8"))[0]).toBe("ci");
    expect(stderr).toContain("`npm ci` failed");
    expect(status).toBe(1);
  });

  it("names the tasks there are when asked for another", () => {
    const { status, stderr } = run("deploy");
    expect(stderr).toMatch(/^muster: there is no task "deploy"; choose one of start, test, check/);
    expect(status).toBe(1);
  });
});
