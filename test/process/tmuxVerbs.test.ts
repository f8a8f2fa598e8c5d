import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { openTmuxServer, type TmuxServer } from "../support/tmuxServer.ts";
import { isAlive } from "../support/traces.ts";

let server: TmuxServer;

beforeEach(async () => {
  server = await openTmuxServer();
});
afterEach(() => server.close());

/** A folder whose `tmux` knows the documented verbs, and the file in which it notes them. */
async function documentedTmux(): Promise<{ bin: string; verbs(): Promise<string[]> }> {
  const bin = path.join(server.folder, "bin");
  const log = path.join(server.folder, "verbs");
  await mkdir(bin);
  const real = execFileSync("sh", ["-c", "command -v tmux"], { encoding: "utf8" }).trim();
  const script = path.join(projectRoot, "test/support/scripts/documentedTmux.mjs");
  const run = `#!/bin/sh\nREAL_TMUX='${real}' TMUX_LOG='${log}' exec '${process.execPath}' '${script}' "$@"\n`;
  await writeFile(path.join(bin, "tmux"), run, { mode: 0o755 });
  return { bin, verbs: async () => (await readFile(log, "utf8")).trim().split("\n") };
}

test("a tmux that knows only the documented verbs is enough, and a pane starts in one step (row 46)", async () => {
  const documented = await documentedTmux();
  const env = { ...server.env, PATH: `${documented.bin}:${server.env["PATH"]}` };
  const bystander = server.tmux("new-session", "-d", "-s", "mine", "-P", "-F", "#{pane_id}", "--", "sleep", "1000");
  for (const lead of [undefined, server.leadIn(bystander)]) {
    const where = lead ? "beside" : "own";
    const starter = server.starter(lead, env);
    const names = ["ada", "bo"].map((name) => `${name}-${where}`);
    const started = [];
    for (const name of names) started.push(await server.start(starter, server.spec(name)));
    for (const [index, name] of names.entries())
      expect(server.panes()).toContainEqual(
        expect.objectContaining({ id: started[index]?.address, pid: (await server.seen(name)).pid, title: name }),
      );
    const [first] = started;
    await first?.reveal({ preserveFocus: true });
    await starter.capturePane(first?.address ?? "");
    const pids = await Promise.all(names.map(async (name) => (await server.seen(name)).pid));
    for (const one of started) await one.kill();
    await Promise.all(started.map(({ exited }) => exited));
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  }
  expect(server.panes()).toMatchObject([{ id: bystander }]);
  const verbs = await documented.verbs();
  // one command made each pane; no key was typed, and no pane got a second program
  expect(verbs.filter((verb) => ["split-window", "new-session"].includes(verb)).length).toBeGreaterThanOrEqual(4);
  expect(verbs.filter((verb) => /send-keys|respawn|paste|pipe-pane/.test(verb))).toEqual([]);
});

test("what it does not know it refuses, so that the test above says something", async () => {
  const { bin } = await documentedTmux();
  for (const [args, said] of [
    [["respawn-pane", "-k"], "unknown command: respawn-pane"],
    [["kill-pane", "-t", "%1", ";", "send-keys", "x"], "unknown command: send-keys"],
    [["split-window", "-dQ"], "command split-window: unknown flag -Q"],
  ] as const)
    expect(() => execFileSync(path.join(bin, "tmux"), args, { stdio: "pipe" })).toThrow(said);
});
