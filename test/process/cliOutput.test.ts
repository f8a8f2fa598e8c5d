import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { useBuiltCli } from "../support/buildCli.ts";
import { type CliHome, cliHome } from "../support/runCli.ts";

const cli = useBuiltCli();
let home: CliHome;
beforeEach(() => {
  home = cliHome();
});
afterEach(() => home.remove());

/** Runs `muster ARGS…` in a shell: its exit code, and what it wrote on standard output and error. */
async function inShell(args: string): Promise<{ code: string; stdout: string; stderr: string }> {
  const command = `{ '${process.execPath}' '${cli.file}' ${args.replace("|", `; echo "code $?" >&2; } |`)}`;
  const whole = args.includes("|") ? command : `${command}; echo "code $?" >&2; }`;
  const shell = spawn("bash", ["-c", whole], { cwd: home.project, env: home.env });
  const told = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    shell[name].setEncoding("utf8").on("data", (chunk: string) => {
      told[name] += chunk;
    });
  await once(shell, "close");
  const [, stderr = "", code = ""] = /^([\s\S]*)code (\d+)\n$/.exec(told.stderr) ?? [];
  return { code, stdout: told.stdout, stderr };
}

const FULL = "muster: The output could not be written: the disk is full. Free some space and try again.\n";

describe.skipIf(!existsSync("/dev/full"))("a full disk behind the output is one sentence and exit 4", () => {
  test.each(["teams", "teams --json", "--help", "explain --cases -"])("muster %s", async (args) => {
    const cases = args.startsWith("explain")
      ? `<<< '{"id":"a","mode":"default","rules":{},"cwd":"{PROJ}","tool":"Read","input":{}}'`
      : "";
    expect(await inShell(`${args} ${cases} >/dev/full`)).toEqual({ code: "4", stdout: "", stderr: FULL });
  });

  test("a run ends in order", async () => {
    const { code, stderr } = await inShell("demo --approve all --json --root state --cwd sample >/dev/full");
    expect([code, stderr]).toEqual(["4", FULL]);
  });
});

test("a run whose reader goes away says so in a sentence", async () => {
  const { code, stderr } = await inShell("demo --approve all --json --root state --cwd sample | head -1");
  expect(code).toBe("130");
  expect(stderr).toContain("muster: Ended: nobody reads the output any more.");
});
