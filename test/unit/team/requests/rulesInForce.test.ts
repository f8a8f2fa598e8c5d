import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { call, type ScriptedCall } from "../../../../src/demo/script.ts";
import { loosenings, looseningText, modeOfFiles } from "../../../../src/team/requests/rulesInForce.ts";
import { openTeamHost, type TeamHost } from "../../../support/teamHost.ts";
import { calls, script, team } from "../../../support/teamScripts.ts";

const touch = (name: string) => call("Bash", { command: `touch ${name}` });

/** A lead that makes one call after the other, each in a run of its own reply. */
async function openLead(steps: ScriptedCall[], before?: (host: TeamHost) => Promise<void>) {
  const host = await openTeamHost(team({ "team-lead": script(...steps.map((step) => calls(step)), "Done.") }));
  await before?.(host);
  host.session.start("Go.");
  return host;
}

async function writeWorkspace({ cwd }: TeamHost, settings: unknown): Promise<void> {
  await mkdir(path.join(cwd, ".muster"), { recursive: true });
  await writeFile(path.join(cwd, ".muster/settings.json"), JSON.stringify(settings));
}

const made = (host: TeamHost, name: string) => readFile(path.join(host.cwd, name), "utf8").catch(() => null);

describe("a workspace's settings", () => {
  const loose = {
    permissions: { allow: ["Bash(touch:*)"], additionalDirectories: [".."], defaultMode: "bypassPermissions" },
  };

  it("loosen nothing before the person accepts them, everything they say afterwards, and nothing once they change", async () => {
    await using host = await openLead([touch("a"), touch("b"), touch("c")], (fresh) => writeWorkspace(fresh, loose));
    const { settings } = host.store;
    const first = await host.request();
    expect(first.kind === "permission" && first.input).toEqual({ command: "touch a" });
    expect(await modeOfFiles(host.store, host.cwd, host.cwd)).toBe("default");
    const shown = await settings.workspace(host.cwd);
    expect(loosenings(shown).map(looseningText)).toEqual([
      "allows Bash(touch:*)",
      "adds the folder ..",
      "sets the mode to Allow everything",
    ]);
    await settings.acceptWorkspace(host.cwd, shown.digest ?? "");
    expect(loosenings(await settings.workspace(host.cwd))).toEqual([]);
    expect(await modeOfFiles(host.store, host.cwd, host.cwd)).toBe("bypassPermissions");
    await host.decide(first, { kind: "allow", scope: "once" });
    await host.rest();
    expect([await made(host, "a"), await made(host, "b"), await made(host, "c")]).toEqual(["", "", ""]);
    await writeWorkspace(host, { permissions: { ...loose.permissions, allow: ["Bash"] } });
    expect(loosenings(await settings.workspace(host.cwd))[0]).toEqual({ kind: "rule", what: "Bash" });
    expect(await modeOfFiles(host.store, host.cwd, host.cwd)).toBe("default");
  });

  it("tighten at once: rules that deny or ask, and a stricter mode", async () => {
    const tight = { permissions: { deny: ["Bash(touch b)"], ask: ["Bash(ls:*)"], defaultMode: "plan" } };
    await using host = await openLead([touch("b"), call("Bash", { command: "ls" })], (fresh) =>
      writeWorkspace(fresh, tight),
    );
    expect(loosenings(await host.store.settings.workspace(host.cwd))).toEqual([]);
    expect(await modeOfFiles(host.store, host.cwd, host.cwd)).toBe("plan");
    const request = await host.request();
    expect(request).toMatchObject({ input: { command: "ls" }, reason: expect.stringContaining("Bash(ls:*)") });
    expect(host.lastSent("team-lead")).toContain("Bash(touch b)");
    await host.decide(request, { kind: "deny" });
    await host.rest();
    expect(await made(host, "b")).toBeNull();
  });

  it("that hold a text which is no rule stop every call and say which", async () => {
    await using host = await openLead([touch("a")], (fresh) =>
      writeWorkspace(fresh, { permissions: { deny: ["Bash touch"] } }),
    );
    await host.rest();
    expect(host.lastSent("team-lead")).toContain("is not a permission rule");
    expect(await made(host, "a")).toBeNull();
  });
});

it("what Claude Code's settings deny is denied, what they allow is not allowed", async () => {
  await using host = await openLead([touch("a"), touch("b")], async ({ cwd }) => {
    await mkdir(path.join(cwd, ".claude"));
    const permissions = { allow: ["Bash"], deny: ["Bash(touch a)"], defaultMode: "bypassPermissions" };
    await writeFile(path.join(cwd, ".claude/settings.json"), JSON.stringify({ permissions }));
  });
  const request = await host.request();
  expect(request).toMatchObject({ input: { command: "touch b" } });
  expect(host.lastSent("team-lead")).toContain("Bash(touch a)");
  await host.decide(request, { kind: "allow", scope: "once" });
  await host.rest();
  expect([await made(host, "a"), await made(host, "b")]).toEqual([null, ""]);
});

it("what the person's own settings of Claude Code allow counts where the person says so, a project's never", async () => {
  const permissions = { allow: ["Bash(touch a)"], defaultMode: "bypassPermissions" };
  for (const readClaudeSettings of [false, true]) {
    const scripts = team({ "team-lead": script(calls(touch("a")), calls(touch("b")), "Done.") });
    await using host = await openTeamHost(scripts, { readClaudeSettings });
    await mkdir(path.join(host.cwd, ".claude"));
    await mkdir(host.root, { recursive: true });
    await writeFile(path.join(host.root, "settings.json"), JSON.stringify({ permissions }));
    await writeFile(path.join(host.cwd, ".claude/settings.json"), JSON.stringify({ permissions: { allow: ["Bash"] } }));
    host.session.start("Go.");
    const first = await host.request();
    expect(first).toMatchObject({ input: { command: readClaudeSettings ? "touch b" : "touch a" } });
    await host.decide(first, { kind: "deny" });
    if (!readClaudeSettings) await host.decide(await host.request(({ id }) => id !== first.id), { kind: "deny" });
    await host.rest();
    expect([await made(host, "a"), await made(host, "b")]).toEqual([readClaudeSettings ? "" : null, null]);
  }
});

describe("what the person allows for longer", () => {
  const write = (file: string) => call("Write", { file_path: file, content: "x" });

  it("for the session: a folder is added and the mode changes, in memory alone", async () => {
    await using host = await openLead([write("../else/a.txt"), write("../else/b.txt"), write("c.txt")], ({ cwd }) =>
      mkdir(path.join(cwd, "../else")).then(() => {}),
    );
    const request = await host.request();
    expect(request).toMatchObject({ suggestions: [{ type: "addDirectories" }, { type: "setMode" }] });
    await host.decide(request, { kind: "allow", scope: "session" });
    await host.rest();
    expect([await made(host, "../else/b.txt"), await made(host, "c.txt")]).toEqual(["x", "x"]);
    expect(host.session.members()[0]?.mode).toBe("acceptEdits");
    expect(await host.store.settings.personRules()).toMatchObject({ allow: [], additionalDirectories: [] });
  });

  it("for good: the same is written into the person's own settings", async () => {
    await using host = await openLead([write("../else/a.txt")], ({ cwd }) =>
      mkdir(path.join(cwd, "../else")).then(() => {}),
    );
    await host.decide(await host.request(), { kind: "allow", scope: "always" });
    await host.rest();
    expect(await host.store.settings.personRules()).toEqual({
      allow: [],
      ask: [],
      deny: [],
      additionalDirectories: [path.join(host.cwd, "../else")],
      defaultMode: "acceptEdits",
    });
  });

  it("a rule that the person wrote instead is the one that is kept, also by the next process", async () => {
    const touch = (file: string) => call("Bash", { command: `touch ${file}` });
    await using host = await openLead([touch("a"), touch("b"), touch("c")]);
    const first = await host.request();
    await host.decide(first, { kind: "allow", scope: "session", rules: ["Bash(touch b)"] });
    const second = await host.request(({ id }) => id !== first.id);
    expect(second).toMatchObject({ input: { command: "touch c" } });
    await host.reload();
    const again = await host.request();
    expect(again).toMatchObject({ input: { command: "touch c" } });
    await host.decide(again, { kind: "allow", scope: "always", rules: ["Bash(touch:*)"] });
    await host.rest();
    expect([await made(host, "a"), await made(host, "b"), await made(host, "c")]).toEqual(["", "", ""]);
    expect(await host.store.settings.personRules()).toMatchObject({ allow: ["Bash(touch:*)"] });
  });
});
