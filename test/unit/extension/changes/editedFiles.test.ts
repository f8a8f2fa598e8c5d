import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../../../scripts/project.ts";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call } from "../../../../src/demo/script.ts";
import { createSay } from "../../../../src/extension/displayLanguage.ts";
import { createLiveTeam, type LiveTeam } from "../../../../src/extension/teams/liveTeam.ts";
import type { PendingRequest } from "../../../../src/protocol/request.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";
import { sharedEditWarnings } from "../../../../src/team/views/previews.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

const ALLOW = { kind: "allow", scope: "once" } as const;

/** Reads the file by this name, and asks to add to its line `one` or `two`. */
const edits = (file: string, line: string, name: string) =>
  script(
    calls(call("Read", { file_path: file })),
    calls(call("Edit", { file_path: file, old_string: line, new_string: `${line} ${name}` })),
    "Done.",
  );

/** A team in which alice and bob ask to edit one file, which bob knows by a link. */
async function editors() {
  const lead = script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "I wait.");
  const bench = await windowTeams(
    team({ "team-lead": lead, alice: edits("plan.md", "one", "alice"), bob: edits("link.md", "two", "bob") }),
  );
  await writeFile(path.join(bench.host.cwd, "plan.md"), "one\ntwo\n");
  await symlink("plan.md", path.join(bench.host.cwd, "link.md"));
  await bench.start();
  const asks = (name: string) => bench.host.request(({ kind, from }) => kind === "permission" && from === name);
  return { ...bench, alice: await asks("alice"), bob: await asks("bob") };
}

function warningsOf(live: LiveTeam, { id }: PendingRequest): string[] | undefined {
  const item = live.state().attention.find((one) => one.id === id);
  return item?.kind === "permission" ? item.warnings : undefined;
}

it("a request that waits says so once another member has changed its file, also by another name", async () => {
  const { host, live, alice, bob } = await editors();
  await using _ = host;
  expect([warningsOf(live, alice), warningsOf(live, bob)]).toEqual([[], []]);
  await host.decide(alice, ALLOW);
  const told = await host.until("the line", () => warningsOf(live, bob)?.at(0));
  expect(told).toBe("alice has changed this file too.");
  live.dispose();
});

it("a window that takes the team over says it of a request that waits since before", async () => {
  const { host, live, alice, bob } = await editors();
  await using _ = host;
  await host.decide(alice, ALLOW);
  await host.until("the line", () => warningsOf(live, bob)?.at(0));
  live.dispose();
  await host.reload();
  const again = await host.request(({ from }) => from === "bob");
  const { session, store } = host;
  const parts = { goal: "Go.", past: null, models: DEFAULT_MODELS, readFile: async () => null, log: silentLogger };
  const after = createLiveTeam({ ...parts, session, store });
  const told = await host.until("the line", () => warningsOf(after, again)?.at(0));
  expect(told).toBe("alice has changed this file too.");
  after.dispose();
});

it.each([
  [["ann"], "ann 也更改了这个文件。"],
  [["ann", "bob"], "ann 和 bob 也更改了这个文件。"],
  [["ann", "bob", "cleo"], "ann 和另外 2 名成员也更改了这个文件。"],
])("the line is said in Chinese for %j", async (others, line) => {
  const bundle: unknown = JSON.parse(await readFile(path.join(projectRoot, "l10n/bundle.l10n.zh-cn.json"), "utf8"));
  const say = createSay(bundle as Record<string, string>);
  expect(sharedEditWarnings(others).map(say)).toEqual([line]);
});
