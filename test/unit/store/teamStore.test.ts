import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acceptMemberName, acceptTeamName } from "../../../src/protocol/names.ts";
import { addMember, createDemo, LEAD_SESSION, openTempStore } from "./tempStore.ts";

test("a new team has the files, keys and modes that others expect", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice");
  const config = JSON.parse(await readFile(join(root, "teams/demo/config.json"), "utf8"));
  expect(Object.keys(config)).toEqual(["name", "createdAt", "leadAgentId", "leadSessionId", "members", "muster"]);
  expect(Object.keys(config.members[0])).toEqual([
    "agentId",
    "name",
    "agentType",
    "model",
    "joinedAt",
    "tmuxPaneId",
    "cwd",
    "subscriptions",
    "muster",
  ]);
  expect(Object.keys(config.members[1])).toEqual([
    "agentId",
    "name",
    "agentType",
    "model",
    "prompt",
    "color",
    "planModeRequired",
    "joinedAt",
    "tmuxPaneId",
    "cwd",
    "subscriptions",
    "backendType",
    "muster",
  ]);
  expect(config.members[1]).toMatchObject({ agentId: "alice@demo", color: "blue", planModeRequired: false });
  expect((await stat(join(root, "teams/demo"))).mode & 0o777).toBe(0o700);
  expect((await stat(join(root, "teams/demo/config.json"))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(root, "tasks/demo"))).toEqual([".lock"]);
  expect((await readdir(join(root, "teams/demo"))).sort()).toEqual(["config.json", "inboxes", "muster"]);
});
