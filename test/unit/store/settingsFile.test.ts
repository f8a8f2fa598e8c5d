import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTempStore } from "../../support/tempStore.ts";

describe("settings", () => {
  test("are empty without a file; saved rules are added once and nothing else changes", async () => {
    await using temp = await openTempStore();
    const { settings, paths } = temp.store;
    expect(await settings.personRules()).toEqual({ allow: [], ask: [], deny: [], additionalDirectories: [] });
    await settings.addPermissions({ allow: ["Bash(npm test)"] });
    const raw = JSON.parse(await readFile(paths.settings, "utf8"));
    await writeFile(
      paths.settings,
      JSON.stringify({ ...raw, theirs: 1, permissions: { ...raw.permissions, deny: ["Read(x)"] } }),
    );
    await settings.addPermissions({ allow: ["Bash(npm test)", "WebFetch", "WebFetch"] });
    expect(JSON.parse(await readFile(paths.settings, "utf8"))).toEqual({
      permissions: { allow: ["Bash(npm test)", "WebFetch"], deny: ["Read(x)"] },
      theirs: 1,
    });
    expect(await settings.personRules()).toMatchObject({ allow: ["Bash(npm test)", "WebFetch"], deny: ["Read(x)"] });
  });

  test("that are damaged are an error and never no rules; the file is left to the person", async () => {
    await using temp = await openTempStore();
    const { settings, paths } = temp.store;
    await mkdir(paths.muster, { recursive: true });
    for (const damaged of ["", "{", '{"permissions": {"deny": "Bash"}}', '{"permissions": {"defaultMode": "yolo"}}']) {
      await writeFile(paths.settings, damaged);
      await expect(settings.personRules()).rejects.toMatchObject({ reason: "corrupt" });
      await expect(settings.addPermissions({ allow: ["WebFetch"] })).rejects.toMatchObject({ reason: "corrupt" });
      expect(await readFile(paths.settings, "utf8")).toBe(damaged);
    }
  });

  test("of a workspace are read beside them", async () => {
    await using temp = await openTempStore();
    const cwd = join(temp.root, "project");
    await mkdir(join(cwd, ".muster"), { recursive: true });
    const file = { permissions: { deny: ["Bash(rm -rf /)"], defaultMode: "plan" }, hooks: { TaskCompleted: [] } };
    await writeFile(join(cwd, ".muster/settings.json"), JSON.stringify(file));
    expect(await temp.store.settings.workspace(cwd)).toMatchObject({
      settings: {
        permissions: { allow: [], deny: ["Bash(rm -rf /)"], defaultMode: "plan" },
        hooks: { TaskCompleted: [] },
      },
      accepted: false,
    });
  });

  test("of a workspace are accepted as they were shown: by the bytes of the file, and at its place", async () => {
    await using temp = await openTempStore();
    const { settings, paths } = temp.store;
    const [cwd, other] = [join(temp.root, "project"), join(temp.root, "other")];
    const write = async (text: string, folder = cwd) => {
      await mkdir(join(folder, ".muster"), { recursive: true });
      await writeFile(join(folder, ".muster/settings.json"), text);
    };
    expect(await settings.workspace(cwd)).toMatchObject({ digest: null, accepted: false });
    const text = '{"permissions": {"allow": ["Bash(npm test)"]}}';
    await write(text);
    const shown = await settings.workspace(cwd);
    await write(`${text} `);
    await expect(settings.acceptWorkspace(cwd, shown.digest ?? "")).rejects.toMatchObject({ reason: "not_ready" });
    expect((await settings.workspace(cwd)).accepted).toBe(false);
    await write(text);
    await settings.addPermissions({ allow: ["Read"] });
    await settings.acceptWorkspace(cwd, shown.digest ?? "");
    expect((await settings.workspace(cwd)).accepted).toBe(true);
    expect(await settings.personRules()).toMatchObject({ allow: ["Read"] });
    await write(text, other); // the same text elsewhere
    expect((await settings.workspace(other)).accepted).toBe(false);
    await write(text.replace("npm test", "npm run x"));
    expect((await settings.workspace(cwd)).accepted).toBe(false);
    await write(text);
    expect((await settings.workspace(cwd)).accepted).toBe(true);
    expect(paths.isOutOfReach(paths.settings)).toBe(true);
  });

  test("of Claude Code are read for their rules alone, and never written", async () => {
    await using temp = await openTempStore();
    const cwd = join(temp.root, "project");
    const text = JSON.stringify({
      permissions: { allow: ["Bash"], deny: ["Read(./.env)"], ask: ["Bash(git push:*)"], defaultMode: "newest" },
      hooks: [{ anything: 1 }],
    });
    await mkdir(join(cwd, ".claude"), { recursive: true });
    const files = temp.store.paths.claudeSettings(cwd);
    for (const file of files) await writeFile(file, text);
    const only = { allow: ["Bash"], ask: ["Bash(git push:*)"], deny: ["Read(./.env)"], additionalDirectories: [] };
    expect(await temp.store.settings.claudeFiles(cwd)).toEqual([only, only, only]);
    for (const file of files) expect(await readFile(file, "utf8")).toBe(text);
    await writeFile(files[1] ?? "", '{"permissions": {"deny": "Bash"}}');
    await expect(temp.store.settings.claudeFiles(cwd)).rejects.toMatchObject({ reason: "corrupt" });
  });
});
