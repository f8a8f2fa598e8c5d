import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, type TestContext } from "vitest";
import { createDemoScript, DEMO_GOAL, type DemoScriptOptions } from "../../../src/demo/demoTeam.ts";
import { type MessagesServer, startMessagesServer } from "../../../src/demo/messagesServer.ts";
import { SAMPLE_EDITS } from "../../../src/demo/sampleProject.ts";
import { runSuite, writeSample } from "../../support/sampleFolder.ts";
import { type Tabletop, type TabletopRules, tabletop } from "../../support/tabletopTeam.ts";

/** A table with the demo's script, a sample project, and how the person decides. */
interface Play {
  team: Tabletop;
  folder: string;
  server: MessagesServer;
  restart(): Promise<void>;
}

const AT_ONCE = { firstByteMs: 0, pieceMs: 0 };

/** Tests run beside each other, so each cleans up by its own context. */
async function setUp(
  { onTestFinished }: TestContext,
  rules: Partial<TabletopRules> = {},
  script: DemoScriptOptions = { quick: true },
): Promise<Play> {
  const base = await mkdtemp(path.join(tmpdir(), "demo team-"));
  const folder = path.join(base, "sample");
  await writeSample(folder);
  const play: Play = {
    folder,
    server: await startMessagesServer(createDemoScript(script), { pace: AT_ONCE }),
    team: undefined as unknown as Tabletop,
    restart: async () => {
      const { port } = play.server;
      await play.server.close();
      play.server = await startMessagesServer(createDemoScript(script), { pace: AT_ONCE, port });
    },
  };
  play.team = tabletop(play.server.url, folder, { plan: async () => null, command: async () => null, ...rules });
  onTestFinished(async () => {
    await play.server.close();
    await rm(base, { recursive: true });
  });
  return play;
}

/** Texts of a member's replies. */
function said({ team }: Play, member: string): string {
  const replies = team.members.get(member)!.messages.filter((message) => message.role === "assistant");
  return replies
    .flatMap(({ content }) => content.map((block) => (block.type === "text" ? String(block["text"]) : "")))
    .join("\n");
}

async function expectFinished(play: Play): Promise<void> {
  expect(play.server.failures).toEqual([]);
  expect(play.team.tasks.map((task) => task.status)).toEqual(["completed", "completed", "completed"]);
  expect(["nora", "theo"].map((name) => play.team.members.get(name)!.gone)).toEqual([true, true]);
  expect(said(play, "team-lead")).toMatch(
    /The till is mended, and its whole test suite passes\.[\s\S]*Nothing is left open\.$/,
  );
}

/** What happened between two lines of the log. */
function between({ team }: Play, from: RegExp, to: RegExp): string[] {
  const start = team.log.findIndex((line) => from.test(line));
  const end = team.log.findIndex((line, at) => at > start && to.test(line));
  expect(start >= 0 && end > start, team.log.join("\n")).toBe(true);
  return team.log.slice(start + 1, end);
}

/** All conversations, without ids, folders and times. */
function shape({ team, folder }: Play): string[] {
  return [...team.members.values()].map(({ messages }) =>
    JSON.stringify(messages, (key, value: unknown) => (key === "id" || key === "tool_use_id" ? "ID" : value), 1)
      .replaceAll(path.dirname(folder), "BASE")
      .replaceAll(pathToFileURL(path.dirname(folder)).href, "file://BASE")
      .replace(/duration_ms [\d.]+|\([\d.]+ms\)/g, "TIME"),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe.concurrent("the demo team", { timeout: 120_000 }, () => {
  it("finishes its job, in the same order whoever is faster; the idle one claims the last task", async (test) => {
    const [slowCommand, slowPlan] = await Promise.all([
      setUp(test, { command: () => pause(900).then(() => null) }),
      setUp(test, { plan: () => pause(900).then(() => null) }),
    ]);
    await Promise.all([slowCommand.team.play(DEMO_GOAL), slowPlan.team.play(DEMO_GOAL)]);
    await expectFinished(slowCommand);
    await expectFinished(slowPlan);
    expect(await runSuite(slowPlan.folder)).toMatchObject({ exit: 0 });
    expect(shape(slowPlan)).toEqual(shape(slowCommand));
    for (const play of [slowCommand, slowPlan]) {
      expect(between(play, /^task #1 completed/, /^theo claimed #3/)).toEqual([]);
      expect(said(play, "team-lead")).toContain("I am a scripted model");
    }
  });

  it("revises a plan as often as it is sent back, and asks once more for a denied command, with reasons", async (test) => {
    const plans: string[] = [];
    const play = await setUp(test, {
      plan: async (version, plan) => {
        plans.push(plan);
        return version <= 2 ? `Comment ${version}: think of 0 pieces.` : null;
      },
      command: async (_member, times) => (times === 1 ? "Not yet." : null),
    });
    await play.team.play(DEMO_GOAL);
    await expectFinished(play);

    expect(plans).toHaveLength(3);
    expect(plans[0]).not.toContain("Comment");
    expect(plans[1]).toContain("> Comment 1: think of 0 pieces.");
    expect(plans[2]).toMatch(
      /Version 3[\s\S]*> Comment 1[\s\S]*> Comment 2[\s\S]*3\. .*Comment 1[\s\S]*4\. .*Comment 2/,
    );
    expect(said(play, "nora")).toContain("“Comment 1: think of 0 pieces.” I work it in.");

    expect(said(play, "theo")).toMatch(/I was told: “Not yet\.”[\s\S]*I need `npm test`[\s\S]*I ask once more\./);
    expect(between(play, /^theo Bash/, /^theo Bash/)).toContainEqual(
      expect.stringMatching(/^theo Read .*table\.test\.js/),
    );
  });

  it("stops asking after three denials, tells the lead, and goes on when the person writes to the lead", async (test) => {
    let allowed = false;
    const play = await setUp(test, { command: async () => (allowed ? null : "No.") }, {});
    await play.team.play(DEMO_GOAL);
    expect(said(play, "team-lead")).toMatch(
      /theo is stuck and needs you[\s\S]*The team rests, and 2 tasks are open\. theo needs a permission that was denied\./,
    );
    expect(play.team.tasks[1]).toMatchObject({ status: "in_progress", owner: "theo" });

    allowed = true;
    await play.team.play("You may run the tests.");
    await expectFinished(play);
    expect(said(play, "team-lead")).toContain("You wrote “You may run the tests.”");
  });

  it("lets nora claim the last task when theo is the second one to finish", async (test) => {
    const gate = Promise.withResolvers<null>();
    const play = await setUp(test, { command: () => gate.promise }, {});
    const { team } = play;
    const playing = team.play(DEMO_GOAL);
    await expect.poll(() => team.log.includes("task #1 completed nora"), { timeout: 60_000 }).toBe(true);
    await expect.poll(() => team.members.get("nora")!.working, { timeout: 60_000 }).toBe(false);
    gate.resolve(null);
    await playing;
    await expectFinished(play);
    expect(between(play, /^task #2 completed/, /^nora claimed #3/)).toEqual([]);
  });

  it("answers the person in the middle of everything, takes an interrupted run up again, and goes on", async (test) => {
    let interrupted = false;
    const play = await setUp(test, {
      plan: async () => {
        play.team.say("nora", "Mind the rolls.");
        play.team.say("team-lead", "How is it going?");
        return null;
      },
      command: (member) => {
        if (interrupted) return Promise.resolve(null);
        interrupted = true;
        play.team.interrupt(member);
        setTimeout(() => play.team.say(member, "Go on."), 50);
        return new Promise(() => undefined);
      },
    });
    await play.team.play(DEMO_GOAL);
    await expectFinished(play);
    expect(said(play, "nora")).toContain("You wrote “Mind the rolls.”");
    expect(said(play, "team-lead")).toContain("You wrote “How is it going?”");
    expect(said(play, "theo")).toContain("You wrote “Go on.”");
    expect(said(play, "team-lead")).toContain("theo was interrupted. Write to theo, and it goes on.");
  });

  it("gives the last task away where members do not claim by themselves", async (test) => {
    const play = await setUp(test, { autoClaim: false }, { quick: true, patienceMs: 1_000 });
    await play.team.play(DEMO_GOAL);
    await expectFinished(play);
    expect(said(play, "team-lead")).toContain("Nobody has claimed task #3 by itself, so I give it to nora.");
  });

  it("goes on with a server that is started anew at a decision", async (test) => {
    const restarts: string[] = [];
    const play = await setUp(test, {
      command: async (member, times) => {
        // nora waits for theo's tests meanwhile: its request breaks with the server, and is made again.
        restarts.push(`${member} ${times}`);
        await play.restart();
        return null;
      },
    });
    await play.team.play(DEMO_GOAL);
    await expectFinished(play);
    expect(restarts).toEqual(["theo 1", "theo 2"]);
  });

  describe("fails with a sentence", () => {
    it("when an edit writes nothing", async (test) => {
      const { team } = await setUp(test, { edit: async () => undefined });
      await expect(team.play(DEMO_GOAL)).rejects.toThrow(
        /^Script of "theo", step \d+, after or in "check src\/table\.js": expected src\/table\.js to hold .* after the edit/,
      );
    });

    it.for([
      ["theo", "nora"],
      ["nora", "theo"],
      ["nora", "team-lead"],
    ] as const)("when a message from %s to %s is lost", async ([from, to], test) => {
      const drop = (sender: string, recipient: string) => sender === from && recipient === to;
      const { team } = await setUp(test, { drop }, { quick: true, patienceMs: 1_500 });
      await expect(team.play(DEMO_GOAL)).rejects.toThrow(
        new RegExp(
          `^Script of "${to}", step \\d+.*: expected a message from ${from} to ${to}: ".*", came none of it\\.$`,
        ),
      );
    });

    it("when the tests do not pass after the command was allowed", async (test) => {
      const [{ from, to }] = SAMPLE_EDITS.table;
      const { team, folder } = await setUp(test, {
        command: async () => {
          const file = path.join(folder, "src/table.js");
          await writeFile(file, (await readFile(file, "utf8")).replace(to, from));
          return null;
        },
      });
      await expect(team.play(DEMO_GOAL)).rejects.toThrow(
        /expected these tests to pass: .*, came "a column is as wide as its longest cell" failed; .*/,
      );
    });
  });
});
