import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { readWorkspaceRules } from "../../../../src/extension/requests/workspaceRules.ts";
import { createStore } from "../../../../src/store/store.ts";

it("what is accepted is what was shown, for the folder as the sessions know it", async () => {
  const dir = await realpath(await mkdtemp(path.join(tmpdir(), "muster-rules-")));
  const [root, project] = [path.join(dir, "state"), path.join(dir, "project")];
  await mkdir(path.join(project, ".muster"), { recursive: true });
  const write = (permissions: object) =>
    writeFile(path.join(project, ".muster/settings.json"), JSON.stringify({ permissions }));
  const review = () => readWorkspaceRules(`${project}/../project`, root, silentLogger);
  const accepted = async () => {
    const store = createStore({ root });
    const workspace = await store.settings.workspace(project);
    store.dispose();
    return workspace.accepted;
  };

  await write({ deny: ["Bash(rm:*)"], defaultMode: "plan" });
  expect((await review()).loosenings).toEqual([]);
  await write({ allow: ["Bash(npm test)"], additionalDirectories: ["/else"], defaultMode: "delegate" });
  const shown = await review();
  expect(shown.loosenings).toEqual([
    { kind: "rule", what: "Bash(npm test)" },
    { kind: "folder", what: "/else" },
    { kind: "mode", what: "Accept edits" },
  ]);
  await write({ allow: ["Bash"] });
  await expect(shown.accept()).rejects.toMatchObject({ reason: "not_ready" });
  expect(await accepted()).toBe(false);
  await (await review()).accept();
  expect(await accepted()).toBe(true);
  expect((await review()).loosenings).toEqual([]);
  await write({ allow: ["Bash", "WebFetch"] });
  expect((await review()).loosenings.map(({ what }) => what)).toEqual(["Bash", "WebFetch"]);
  await rm(dir, { recursive: true });
});
