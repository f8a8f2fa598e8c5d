import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { eventually } from "../support/eventually.ts";
import { isAlive } from "../support/traces.ts";

/** A `code` that behaves as VS Code's: it notes its arguments, starts the window as a process of its own, and waits. */
const CODE = `#!/bin/sh
printf '%s\\n' "$CLAUDE_CONFIG_DIR" "$@" > "$NOTES"
while [ "$1" != --user-data-dir ]; do shift; done
mkdir -p "$2"
setsid sleep 600 > /dev/null 2>&1 &
printf %s $! > "$2/code.lock"
if [ -n "$CLOSES" ]; then kill $!; else wait; fi
`;

describe("npm start on a desktop", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "muster-desktop-"));
    for (const name of ["sample", "state", "vscode"]) mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, "code"), CODE);
    chmodSync(path.join(folder, "code"), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const lock = () => path.join(folder, "vscode/user-data/code.lock");

  function start(env: Record<string, string>) {
    const script = path.join(projectRoot, "scripts/start/desktop.ts");
    const folders = { profile: `${folder}/vscode`, stateRoot: `${folder}/state`, sample: `${folder}/sample` };
    const source = `
      const { openOnDesktop } = await import(${JSON.stringify(script)});
      await openOnDesktop(${JSON.stringify(path.join(folder, "code"))}, ${JSON.stringify(folders)});`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      env: { ...process.env, ...env, NOTES: path.join(folder, "notes.txt") },
      stdio: ["ignore", "ignore", "inherit"],
    });
    return { child, ended: new Promise<number | null>((resolve) => child.once("exit", resolve)) };
  }

  it("opens the sample with the extension, in folders of its own, and ends with the window", async () => {
    const { ended } = start({ CLOSES: "1" });
    expect(await ended).toBe(0);
    const [stateRoot, ...args] = readFileSync(path.join(folder, "notes.txt"), "utf8").trimEnd().split("\n");
    expect(stateRoot).toBe(path.join(folder, "state"));
    expect(args).toEqual(expect.arrayContaining([`--extensionDevelopmentPath=${projectRoot}`, "--wait"]));
    expect(args).toEqual(expect.arrayContaining(["--user-data-dir", path.join(folder, "vscode/user-data")]));
    expect(args).toEqual(expect.arrayContaining(["--extensions-dir", path.join(folder, "vscode/extensions")]));
    expect(args.at(-1)).toBe(path.join(folder, "sample"));
  });

  it.each(["SIGINT", "SIGTERM"] as const)("closes the window at %s", async (signal) => {
    const { child, ended } = start({});
    await eventually("the window", () => existsSync(lock()) && readFileSync(lock(), "utf8") !== "");
    const window = Number(readFileSync(lock(), "utf8"));
    expect(isAlive(window)).toBe(true);
    child.kill(signal);
    expect(await ended).toBe(0);
    await eventually("the end of the window", () => !isAlive(window));
  });
});
