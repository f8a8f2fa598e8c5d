import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

  it.each(["SIGTERM", "SIGKILL"] as const)("ends with npm when that gets %s, and leaves nothing", async (signal) => {
    mkdirSync(path.join(clone, "node_modules/node/bin"), { recursive: true });
    symlinkSync(process.execPath, path.join(clone, "node_modules/node/bin/node"));
    writeFileSync(path.join(clone, "scripts/check.ts"), 'console.log("begun"); setTimeout(() => {}, 300_000);');
    // the shell that npm starts a script with gets the signal, and nobody else does
    const shell = spawn("sh", ["-c", `"${process.execPath}" scripts/run.mjs check; exit $?`], {
      cwd: clone,
      env: { ...process.env, npm_lifecycle_event: "check" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    // every process of the script holds this pipe: its end is the end of them all
    const ended = new Promise((resolve) => shell.stdout.once("end", resolve));
    await new Promise((resolve) => shell.stdout.once("data", resolve));
    shell.kill(signal);
    await ended;
  });
});
