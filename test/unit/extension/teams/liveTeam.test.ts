import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call } from "../../../../src/demo/script.ts";
import { openShownChanges } from "../../../../src/extension/changes/shownChanges.ts";
import type { LiveTeam } from "../../../../src/extension/teams/liveTeam.ts";
import { onlyAddress } from "../../../../src/extension/teams/rememberedTeam.ts";
import {
  deleteStoredTeam,
  findLiveTeam,
  listTeams,
  openStoredTeam,
} from "../../../../src/extension/teams/storedTeams.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";
import type { TeamHost } from "../../../support/teamHost.ts";
import { agreeable, calls, createTeam, message, script, spawn, task, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

const models = DEFAULT_MODELS;

function until<T>(
  host: TeamHost,
  live: LiveTeam,
  what: string,
  check: (state: ReturnType<LiveTeam["state"]>) => T | undefined,
) {
  return host.until(what, () => check(live.state()) || undefined);
}

describe("a team that this window runs", () => {
  it("shows tasks and messages from the files, whoever wrote them", async () => {
    const { host, live, start } = await windowTeams(
      team({ "team-lead": script(calls(createTeam), calls(task("Mend it"), spawn("alice")), "I wait.") }),
    );
    await using _ = host;
    await start();
    await host.rest();
    await until(host, live, "the files", ({ tasks }) => tasks.total === 1);
    expect(live.state()).toMatchObject({
      title: "demo",
      goal: "Go.",
      members: [{ name: "team-lead" }, { name: "alice" }],
    });
    const file = host.store.paths.team("demo").task("1");
    const foreign = { ...JSON.parse(await readFile(file, "utf8")), subject: "Mend all of it" };
    await writeFile(file, JSON.stringify(foreign));
    await host.until("the foreign change", () => live.tasks().find(({ subject }) => subject === "Mend all of it"));
    await host.store.inboxes.send("demo", { from: "reviewer", to: ["team-lead"], text: "Well done." });
    const thread = await host.until("the message", () => live.threads().find(({ a }) => a.name === "reviewer"));
    expect(thread.messages.map(({ text }) => text)).toEqual(["Well done."]);
    live.dispose();
  });

  it("waits for the person when its lead rests, with what the lead said", async () => {
    const { host, live, start } = await windowTeams(team({ "team-lead": script("Which one do you mean?") }));
    await using _ = host;
    await start();
    await host.rest();
    const { attention, members, tokens, cost } = live.state();
    expect(attention).toEqual([expect.objectContaining({ kind: "answer", text: "Which one do you mean?" })]);
    expect(members).toEqual([
      expect.objectContaining({ name: "team-lead", state: "waiting", detail: "an answer", rests: true }),
    ]);
    expect(tokens).toBeGreaterThan(0);
    expect(cost).toBeGreaterThan(0);
    expect(members[0]?.cost).toBe(cost);
    expect((await live.conversation("team-lead")).items.map(({ type }) => type)).toEqual(["input", "text"]);
    live.dispose();
  });

  it("says which file two members changed, and no more after one of them was undone", async () => {
    const lines = (name: string, old: string) =>
      script(
        calls(call("Read", { file_path: "plan.md" })),
        calls(call("Edit", { file_path: "plan.md", old_string: old, new_string: `${old} ${name}` })),
        "Done.",
      );
    const lead = script(calls(createTeam), calls(spawn("alice")), "I wait.", calls(spawn("bob")), "Both are done.");
    const { host, live, start } = await windowTeams(
      team({ "team-lead": lead, alice: lines("alice", "Plan"), bob: lines("bob", "alice") }),
      {
        permissionMode: "acceptEdits",
      },
    );
    await using _ = host;
    await writeFile(path.join(host.cwd, "plan.md"), "Plan\n");
    await start();
    const shared = await until(host, live, "the shared file", (state) => state.shared);
    expect(shared).toEqual([
      {
        file: "plan.md",
        members: [expect.objectContaining({ name: "alice" }), expect.objectContaining({ name: "bob" })],
      },
    ]);
    await host.rest();
    const address = live.address;
    if (!address) throw new Error("The team is nowhere.");
    const changes = await openShownChanges(address, silentLogger);
    expect((await changes.plan("alice")).refused).toMatchObject([{ why: { kind: "member", by: "bob" } }]);
    await changes.undo(await changes.plan("bob"));
    changes.dispose();
    expect(await readFile(path.join(host.cwd, "plan.md"), "utf8")).toBe("Plan alice\n");
    await live.lookAtChanges();
    expect(live.state().shared).toBeUndefined();
    live.dispose();
  });

  it("says that it is paused, and who stands still in the middle of a run", async () => {
    const sleeping = script(calls(call("Bash", { command: "touch began && sleep 600" })), "Done.");
    const { host, live, start } = await windowTeams(
      team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "I wait."), alice: sleeping }),
      { permissionMode: "bypassPermissions" },
    );
    await using _ = host;
    await start();
    await host.until(
      "the command",
      () => host.events.some((event) => event.type === "tool_start" && event.name === "Bash") || undefined,
    );
    await host.session.pauses.pause();
    const { paused, members } = live.state();
    expect(paused).toMatchObject({ by: "person" });
    expect(members.map(({ name, paused: still = false }) => [name, still])).toEqual([
      ["team-lead", false],
      ["alice", true],
    ]);
    const elsewhere = await openStoredTeam(onlyAddress({ root: host.root, kind: "team", folder: "demo" }), {
      models,
      log: silentLogger,
    });
    expect(elsewhere.state()).toMatchObject({
      paused: { by: "person" },
      members: [{}, { name: "alice", paused: true }],
    });
    elsewhere.dispose();
    await host.session.pauses.resume();
    await until(host, live, "the end of the pause", (state) => !state.paused);
    live.dispose();
  });

  it.each([
    ["with a team", [calls(createTeam)]],
    ["before its team", []],
  ])(
    "waits for the person no more once it was answered, though it is paused and reads nothing (%s)",
    async (_, first) => {
      const { host, live, start } = await windowTeams(
        team({ "team-lead": script(...first, "Which one?", "That one.") }),
      );
      await using _host = host;
      await start();
      await host.rest();
      await host.session.pauses.pause();
      expect(live.state().attention).toMatchObject([{ kind: "answer", text: "Which one?" }]);
      await host.session.say("team-lead", "The second.");
      await until(host, live, "nothing that waits", ({ attention }) => attention.length === 0);
      await host.session.pauses.resume();
      await until(host, live, "the next question", ({ attention }) =>
        attention.some((item) => item.kind === "answer" && item.text === "That one."),
      );
      live.dispose();
    },
  );

  it("asks the person to raise a budget that is used up, and goes on when it is", async () => {
    const { host, live, start } = await windowTeams(team({ "team-lead": script(calls(createTeam), "Made.") }), {
      budget: { team: 1e-9, member: 2 },
    });
    await using _ = host;
    await start();
    const item = await until(host, live, "the request", ({ attention }) => attention[0]);
    expect(item).toMatchObject({ kind: "budget", member: null, limit: 1e-9, title: "Raise the team's budget" });
    expect(item.kind === "budget" && item.next > item.spent).toBe(true);
    expect(live.state()).toMatchObject({
      budget: 1e-9,
      paused: { by: "budget" },
      members: [{ paused: true, budget: 2 }],
    });
    await host.session.budgets.raise(null, 10);
    await host.rest();
    expect(live.state()).toMatchObject({ budget: 10, attention: [{ kind: "answer" }] });
    live.dispose();
  });

  it("shows an edit that waits against the file", async () => {
    const edit = { file_path: "a.txt", old_string: "two", new_string: "2" };
    const { host, live, start } = await windowTeams(
      team({
        "team-lead": script(
          ({ request }) => {
            const folder = /^Folder: (.+)$/m.exec(JSON.stringify(request).replaceAll("\\n", "\n"))?.[1] ?? "";
            return calls(call("Read", { file_path: `${folder}/a.txt` }));
          },
          calls(call("Edit", edit)),
          "Done.",
        ),
      }),
    );
    await using _ = host;
    await writeFile(path.join(host.cwd, "a.txt"), "one\ntwo\nthree\n");
    await start();
    const item = await until(host, live, "the request", ({ attention }) => attention[0]);
    expect(item).toMatchObject({
      kind: "permission",
      title: "Edit a.txt",
      preview: { type: "edit", added: 1, removed: 1 },
      told: { by: { role: "person" }, seq: 0 },
    });
    live.dispose();
  });

  it("says which requests were withdrawn, and why; not those that were decided", async () => {
    const asks = calls(call("Bash", { command: "touch mended" }));
    const { host, live, start } = await windowTeams(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "I wait."),
        alice: script(asks, "Done."),
        bob: script(asks, "Done."),
      }),
    );
    await using _ = host;
    await start();
    const of = (name: string) => live.state().attention.find(({ from }) => from.name === name);
    await host.until("both requests", () => (of("alice") && of("bob")) || undefined);
    const withdrawn = of("alice");
    await host.session.requests.decide(of("bob")?.id ?? "", { kind: "deny" }, "person");
    await host.session.interrupt("alice");
    const expected = [{ id: withdrawn?.id, why: "interrupted" }];
    await until(host, live, "the reason", (state) => state.withdrawn?.[0]?.why === "interrupted");
    expect(live.state().withdrawn).toEqual(expected);
    expect(live.state().attention.filter(({ kind }) => kind === "permission")).toEqual([]);
    live.dispose();
  });

  it("says who told a teammate what it asks for, and where that message stands", async () => {
    const { host, live, start } = await windowTeams(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice")), "I wait."),
        alice: script(calls(call("Bash", { command: "touch mended" })), "Done."),
      }),
    );
    await using _ = host;
    await start();
    const asks = ({ attention }: ReturnType<LiveTeam["state"]>) => attention.find(({ from }) => from.name === "alice");
    const { told } = await until(host, live, "the request", asks);
    expect(told?.by.name).toBe("team-lead");
    const { items } = await live.conversation("alice");
    expect(items[told?.seq ?? -1]).toMatchObject({ type: "input", from: { name: "team-lead" }, at: told?.at });
    live.dispose();
  });
});

describe("a team that ended", () => {
  it("stays on show, from history, when its lead deleted it", async () => {
    const { host, teams, start } = await windowTeams(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("Mend it"), spawn("alice")),
          calls(message("alice", "Begin.")),
          "I wait.",
          calls(call("SendMessage", { type: "shutdown_request", recipient: "alice", content: "Enough." })),
          "I wait for its end.",
          calls(call("TeamDelete")),
          "It is done.",
        ),
        alice: script("I have read it.", agreeable),
      }),
    );
    await using _ = host;
    await start();
    const shown = await host.until("the finished team", () => teams.current?.state().finished ?? undefined);
    expect(shown).toMatchObject({ text: "It is done.", tasks: { completed: 0, total: 1 }, result: "completed" });
    expect(shown.byMember.map(({ member }) => [member.name, member.color])).toEqual([
      ["team-lead", null],
      ["alice", "blue"],
    ]);
    expect(teams.live).toBeNull();
    expect(teams.current?.tasks()).toEqual([expect.objectContaining({ subject: "Mend it" })]);
    expect((await teams.current?.conversation("alice"))?.items.length).toBeGreaterThan(1);

    const address = teams.current?.address;
    expect(address?.kind).toBe("finished");
    const [listed] = await listTeams(host.root, silentLogger);
    expect(listed).toMatchObject({ title: "demo", live: false, address: { kind: "finished" } });
    const again = await openStoredTeam(onlyAddress(listed!.address), { models, log: silentLogger });
    expect(again.state().finished).toMatchObject({ ...shown, durationMs: expect.any(Number) });
    again.dispose();
  });

  it("is shown from its own folder when the person ended it, and was not interrupted at rest", async () => {
    const { host, teams, start } = await windowTeams(team({ "team-lead": script(calls(createTeam), "All is well.") }));
    await using _ = host;
    await start();
    await host.rest();
    await teams.end(1_000);
    expect(teams.current?.address).toMatchObject({ kind: "team", folder: "demo" });
    expect(teams.current?.state().finished).toMatchObject({ result: "completed", text: "All is well." });
    const foreign = await openStoredTeam(onlyAddress(teams.current!.address!), { models, log: silentLogger });
    expect(foreign.state()).toMatchObject({
      readOnly: "This team was shut down. It can be read here, or continued.",
      members: [{ name: "team-lead", state: "dead" }],
    });
    foreign.dispose();
  });

  it("leaves what it said in memory where it never made a team", async () => {
    const { host, teams, start } = await windowTeams(team({ "team-lead": script("Four.") }));
    await using _ = host;
    await start();
    await host.rest();
    await teams.end(1_000);
    expect(teams.current?.address).toBeNull();
    expect(teams.current?.state().finished).toMatchObject({ result: "completed", text: "Four.", tasks: { total: 0 } });
  });
});

describe("a team that another window runs", () => {
  it("is live and only to be read: its members, and its transcripts as they grow", async () => {
    const { host, start } = await windowTeams(
      team({ "team-lead": script(calls(createTeam), "I wait.", "Still here.") }),
    );
    await using _ = host;
    await start();
    await host.rest();
    const [listed] = await listTeams(host.root, silentLogger);
    expect(listed).toMatchObject({ title: "demo", live: true, members: 1 });
    const other = await openStoredTeam(onlyAddress(listed!.address), { models, log: silentLogger });
    expect(other.state().readOnly).toBe(
      `Another window or program (process ${process.pid}) runs this team. It can be read here, and decided there.`,
    );
    const { items } = await other.conversation("team-lead");
    expect(items.at(-1)).toMatchObject({ text: "I wait." });
    await host.session.say("team-lead", "Are you there?");
    await host.until("the new records", () =>
      items.find((item) => item.type === "text" && item.text === "Still here."),
    );
    other.dispose();
  });
});

describe("a team that another window runs in a folder of this one", () => {
  it("is found, also where the folder was opened through a link, and not elsewhere", async () => {
    const { host, live, start } = await windowTeams(team({ "team-lead": script(calls(createTeam), "I wait.") }));
    await using _ = host;
    await start();
    await host.rest();
    const link = path.join(path.dirname(host.cwd), "link");
    await symlink(host.cwd, link, "dir");
    const address = { root: host.root, kind: "team", folder: "demo" };
    expect(await findLiveTeam(host.root, [host.cwd], silentLogger)).toEqual(address);
    expect(await findLiveTeam(host.root, [host.root, link], silentLogger)).toEqual(address);
    expect(await findLiveTeam(host.root, [host.root], silentLogger)).toBeNull();
    live.dispose();
  });
});

describe("a team that nobody runs", () => {
  it("is deleted, and stays to be read; one that somebody runs is left alone", async () => {
    const { host, start } = await windowTeams(
      team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "I wait.") }),
    );
    await using _ = host;
    await start();
    await host.rest();
    const address = { root: host.root, kind: "team", folder: "demo" } as const;
    await expect(deleteStoredTeam(address, { keepHistory: true, log: silentLogger })).rejects.toThrow("is led by");
    expect((await host.store.teams.list()).map(({ name }) => name)).toEqual(["demo"]);
    await host.session.suspend();
    const left = await deleteStoredTeam(address, { keepHistory: true, log: silentLogger });
    expect(left).toMatchObject({ kind: "finished", folder: expect.stringContaining("demo-") });
    expect(await host.store.teams.list()).toEqual([]);
    const shown = await openStoredTeam(onlyAddress(left ?? address), { models, log: silentLogger });
    expect(shown.state().finished).not.toBeNull();
    shown.dispose();
  });
});
