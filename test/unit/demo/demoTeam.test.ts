import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { createDemoScript, DEMO_GOAL, DEMO_SETTINGS } from "../../../src/demo/demoTeam.ts";
import { SAMPLE_EDITS } from "../../../src/demo/sampleProject.ts";
import type { ScriptedTeam } from "../../../src/demo/script.ts";
import type { TeamEvent } from "../../../src/protocol/events.ts";
import type { Decision, PendingRequest } from "../../../src/protocol/request.ts";
import type { Store } from "../../../src/store/store.ts";
import type { TeamSettings } from "../../../src/team/types.ts";
import { goldenTexts } from "../../support/goldenText.ts";
import { runSuite, writeSample } from "../../support/sampleFolder.ts";
import { openTeamHost, type TeamHost } from "../../support/teamHost.ts";

/** How the person of a play decides; by default it agrees. */
interface Person {
  plan?(version: number, text: string): Decision | Promise<Decision>;
  /** Null: it is not decided here. */
  command?(member: string, times: number): Decision | null | Promise<Decision | null>;
}

interface PlayOptions {
  script?: () => ScriptedTeam;
  settings?: Partial<TeamSettings>;
  throughStore?: (store: Store) => Store;
}

interface Play {
  host: TeamHost;
  /** Member → lines of its transcript. */
  transcripts: Map<string, string[]>;
}

const APPROVE: Decision = { kind: "approve", mode: "acceptEdits" };
const ALLOW: Decision = { kind: "allow", scope: "once" };
const NOT_YET: Decision = { kind: "deny", reason: "Not yet." };
const LONG_MS = 100_000;

/** Opens a host with the demo and decides as `person` does. Tests run beside each other, so each cleans up by its own context. */
async function setUp({ onTestFinished }: TestContext, person: Person = {}, options: PlayOptions = {}): Promise<Play> {
  const { script = () => createDemoScript({ quick: true }), settings, throughStore } = options;
  const host = await openTeamHost(
    script(),
    { ...DEMO_SETTINGS, ...settings },
    { folderName: "demo team-", ...(throughStore ? { throughStore } : {}) },
  );
  onTestFinished(() => host[Symbol.asyncDispose]());
  await writeSample(host.cwd);
  const transcripts: Play["transcripts"] = new Map();
  host.session.onRecord(({ member, record }) => {
    transcripts.set(member, [...(transcripts.get(member) ?? []), JSON.stringify(record)]);
  });
  decideAs(host, person);
  return { host, transcripts };
}

function decideAs({ session }: TeamHost, { plan, command }: Person): void {
  const seen = new Set<string>();
  const times = new Map<string, number>();
  const decisionOn = (request: PendingRequest) => {
    if (request.kind === "plan") return plan?.(request.version, request.planContent) ?? APPROVE;
    times.set(request.from, (times.get(request.from) ?? 0) + 1);
    return command ? command(request.from, times.get(request.from)!) : ALLOW;
  };
  const decide = async (request: PendingRequest) => {
    const decision = await decisionOn(request);
    if (decision) await session.requests.decide(request.id, decision, "person");
  };
  session.requests.onDidChange(() => {
    for (const request of session.requests.pending) {
      if (seen.has(request.id)) continue;
      seen.add(request.id);
      void decide(request);
    }
  });
}

/** Plays until the team is deleted, and looks at what is left. */
async function playToTheEnd(play: Play): Promise<void> {
  play.host.session.start(DEMO_GOAL);
  await expectFinished(play);
}

async function expectFinished({ host }: Play): Promise<void> {
  await host.until(
    "the end of the team",
    () => host.session.summary(false).then(({ history }) => history !== null),
    LONG_MS,
  );
  const ended = async () => (await host.session.waitForRest(AbortSignal.timeout(LONG_MS))).kind === "deleted";
  await host.until("the lead's last word", ended, LONG_MS);
  expect(host.server.failures).toEqual([]);
  expect((await host.session.summary(false)).tasks).toMatchObject({ completed: 3, pending: 0, in_progress: 0 });
  expect(
    host.events.flatMap((event) => (event.type === "member_left" ? [`${event.member} ${event.reason}`] : [])).sort(),
  ).toEqual(["nora shutdown", "theo shutdown"]);
  expect(said(host, "team-lead")).toMatch(
    /The till is mended, and its whole test suite passes\.[\s\S]*Nothing is left open\.$/,
  );
}

/** Texts of a member's replies. */
function said({ events }: TeamHost, member: string): string {
  return events.flatMap((event) => (event.type === "text" && event.member === member ? [event.text] : [])).join("\n");
}

const isTask = (id: string, wanted: { status?: string; owner?: string }) => (event: TeamEvent) =>
  event.type === "task" &&
  event.task.id === id &&
  (wanted.status === undefined || event.task.status === wanted.status) &&
  (wanted.owner === undefined || event.task.owner === wanted.owner);

const isState = (member: string, state: string) => (event: TeamEvent) =>
  event.type === "member_state" && event.member === member && event.state === state;

/** The idle member took the last task when its last blocker was completed, without mail and without a request to the model. */
function expectClaimed({ events }: TeamHost, last: string, member: string): void {
  const freed = events.findIndex(isTask(last, { status: "completed" }));
  const claimed = events.findIndex(isTask("3", { owner: member }));
  expect([freed > 0, claimed > freed]).toEqual([true, true]);
  const before = events.slice(0, freed).findLast((event) => event.type === "member_state" && event.member === member);
  expect(before).toMatchObject({ state: "idle" });
  const meanwhile = events.slice(freed, claimed);
  expect(meanwhile.filter((event) => event.type === "message" && event.to === member)).toEqual([]);
  expect(meanwhile.filter((event) => event.type === "usage" && event.member === member)).toEqual([]);
}

/** All conversations, without ids, folders and times. */
function shape({ host, transcripts }: Play): Record<string, string> {
  const run = { transcripts, files: new Map<string, string>(), project: host.cwd, root: host.root };
  return Object.fromEntries(goldenTexts(run));
}

describe.concurrent("the demo team", { timeout: 120_000 }, () => {
  it("finishes its job, in the same order whoever is faster; the idle one claims the last task", async (test) => {
    const tableDone = Promise.withResolvers<void>();
    const offersPlanned = Promise.withResolvers<void>();
    const slowPlan = await setUp(test, { plan: () => tableDone.promise.then(() => APPROVE) });
    const slowCommand = await setUp(test, { command: () => offersPlanned.promise.then(() => ALLOW) });
    slowPlan.host.session.events((event) => {
      if (isTask("2", { status: "completed" })(event)) tableDone.resolve();
    });
    slowCommand.host.session.events((event) => {
      if (event.type === "decision" && event.decision === "approve") offersPlanned.resolve();
    });
    await Promise.all([playToTheEnd(slowPlan), playToTheEnd(slowCommand)]);
    expect(await runSuite(slowPlan.host.cwd)).toMatchObject({ exit: 0 });
    expect(shape(slowPlan)).toEqual(shape(slowCommand));
    for (const { host } of [slowCommand, slowPlan]) {
      expectClaimed(host, "1", "theo");
      expect(said(host, "team-lead")).toContain("I am a scripted model");
    }
  });

  it("revises a plan as often as it is sent back, and asks once more for a denied command, with reasons", async (test) => {
    const plans: string[] = [];
    const play = await setUp(test, {
      plan(version, text) {
        plans.push(text);
        const feedback = version === 1 ? "Comment 1: think of\n0 pieces." : "Comment 2: and of 1.";
        return version <= 2 ? { kind: "reject", feedback } : APPROVE;
      },
      command: (_member, times) => (times === 1 ? NOT_YET : ALLOW),
    });
    await playToTheEnd(play);

    expect(plans).toHaveLength(3);
    expect(plans[0]).not.toContain("Comment");
    expect(plans[1]).toContain("> Comment 1: think of\n> 0 pieces.\n\nWorked in");
    expect(plans[2]).toMatch(
      /Version 3[\s\S]*> Comment 1[\s\S]*> Comment 2[\s\S]*3\. .*Comment 1[\s\S]*4\. .*Comment 2/,
    );
    const { host } = play;
    expect(said(host, "nora")).toContain("“Comment 1: think of\n0 pieces.” I work it in.");

    expect(said(host, "theo")).toMatch(/I was told: “Not yet\.”[\s\S]*I need `npm test`[\s\S]*I ask once more\./);
    const { events } = host;
    const denied = events.findIndex((event) => event.type === "decision" && event.decision === "deny");
    const again = events.findIndex((event, at) => at > denied && event.type === "request" && event.from === "theo");
    expect(events.slice(denied, again)).toContainEqual(
      expect.objectContaining({
        ...{ type: "tool_start", member: "theo", name: "Read" },
        input: { file_path: path.join(host.cwd, "test/table.test.js") },
      }),
    );
  });

  it("stops asking after three denials, tells the lead, and goes on when the person writes to the lead", async (test) => {
    let allowed = false;
    const play = await setUp(test, { command: () => (allowed ? ALLOW : { kind: "deny", reason: "No." }) });
    const { host } = play;
    host.session.start(DEMO_GOAL);
    // nora goes on without theo's tests at once: its wait for them alone is longer than this one
    expect((await host.rest()).kind).toBe("at_rest");
    expect(said(host, "team-lead")).toMatch(
      /theo is stuck and needs you[\s\S]*The team rests, and 2 tasks are open\. theo needs a permission that was denied\./,
    );
    expect(host.events.findLast(isTask("2", {}))).toMatchObject({ task: { status: "in_progress", owner: "theo" } });

    allowed = true;
    await host.session.say("team-lead", "You may run the tests.");
    await expectFinished(play);
    expect(said(host, "team-lead")).toContain("You wrote “You may run the tests.”");
  });

  it("lets nora claim the last task when theo is the second one to finish", async (test) => {
    const gate = Promise.withResolvers<Decision>();
    const script = () => ({ ...createDemoScript(), pace: { firstByteMs: 0, pieceMs: 0 } });
    const play = await setUp(test, { command: (member) => (member === "theo" ? gate.promise : ALLOW) }, { script });
    const { events } = play.host;
    play.host.session.start(DEMO_GOAL);
    await play.host.until("nora's rest after its own task", () => {
      const done = events.findIndex(isTask("1", { status: "completed" }));
      return done > 0 && events.slice(done).some(isState("nora", "idle"));
    });
    gate.resolve(ALLOW);
    await expectFinished(play);
    expectClaimed(play.host, "2", "nora");
  });

  it("answers the person in the middle of everything, takes an interrupted run up again, and goes on", async (test) => {
    let interrupted = false;
    const play = await setUp(test, {
      async plan() {
        await host.session.say("nora", "Mind the rolls.");
        await host.session.say("team-lead", "How is it going?");
        return APPROVE;
      },
      async command(member) {
        if (interrupted) return ALLOW;
        interrupted = true;
        void host.session.interrupt(member);
        await host.until("its end", () => said(host, "team-lead").includes("theo was interrupted"));
        await host.session.say(member, "Go on.");
        return null;
      },
    });
    const { host } = play;
    await playToTheEnd(play);
    expect(said(host, "nora")).toContain("You wrote “Mind the rolls.”");
    expect(said(host, "team-lead")).toContain("You wrote “How is it going?”");
    expect(said(host, "theo")).toContain("You wrote “Go on.”");
    expect(said(host, "team-lead")).toContain("theo was interrupted. Write to theo, and it goes on.");
  });

  it("asks nobody to write where the session ends when the team rests", async (test) => {
    const script = () => createDemoScript({ quick: true, patienceMs: 1_000, endsAtRest: true });
    const { host } = await setUp(test, { command: () => NOT_YET }, { script });
    host.session.start(DEMO_GOAL);
    await host.until("the lead's last word", () => said(host, "team-lead").includes("The team rests"), LONG_MS);
    expect(said(host, "theo")).toContain("I wait. I need `npm test`");
    for (const name of ["team-lead", "nora", "theo"])
      expect(said(host, name)).not.toMatch(/write to me|and it goes on|ask(s)? again/i);
  });

  it.for(["theo", "nora"] as const)("takes it in its stride that the person ends %s", async (gone, test) => {
    const script = () => createDemoScript({ quick: true, patienceMs: 1_000, endsAtRest: true });
    const end = async (member: string) => {
      if (member !== gone) return;
      await host.session.endMember(gone, "ended by the person");
    };
    const { host } = await setUp(
      test,
      {
        async plan() {
          await end("nora");
          return APPROVE;
        },
        async command(member) {
          await end(member);
          return ALLOW;
        },
      },
      { script },
    );
    host.session.start(DEMO_GOAL);
    await host.until("the lead's last word", () => said(host, "team-lead").includes("The team rests"), LONG_MS);
    await host.rest();
    expect(host.server.failures).toEqual([]);
    expect(said(host, "team-lead")).toContain(`${gone} was ended (ended by the person)`);
    const other = gone === "theo" ? "nora" : "theo";
    expect(said(host, other)).toMatch(
      /is not in my script, and a scripted model can do nothing else\. I leave it as it is/,
    );
    expect(said(host, other)).not.toMatch(/please/i); // nobody can answer
    expect(host.session.members().map(({ name, state }) => `${name} ${state}`)).toEqual([
      "team-lead idle",
      `${other} idle`,
    ]);
  });

  it("has the other one finish the last task where the person ends a member in the middle of it", async (test) => {
    const script = () => createDemoScript({ quick: true, patienceMs: 1_000, endsAtRest: true });
    let gone = "";
    const { host } = await setUp(
      test,
      {
        command(member) {
          if (gone !== "" || !host.events.some(isTask("3", { status: "in_progress", owner: member }))) return ALLOW;
          gone = member; // its edits are made, it has yet to run the tests
          void host.session.endMember(member, "ended by the person");
          return null;
        },
      },
      { script },
    );
    host.session.start(DEMO_GOAL);
    const isOver = () => host.server.failures.length > 0 || host.events.some(isTask("3", { status: "completed" }));
    await host.until("the end of the last task", isOver, LONG_MS);
    expect(host.server.failures).toEqual([]);
    const other = gone === "theo" ? "nora" : "theo";
    expect(host.events.findLast(isTask("3", {}))).toMatchObject({ task: { status: "completed", owner: other } });
    for (const { path: file, to } of SAMPLE_EDITS.receipt)
      expect(readFileSync(path.join(host.cwd, file), "utf8").split(to)).toHaveLength(2);
  });

  it("gives the last task away where members do not claim by themselves", async (test) => {
    const script = () => createDemoScript({ quick: true, patienceMs: 1_000 });
    const play = await setUp(test, {}, { settings: { autoClaim: false }, script });
    await playToTheEnd(play);
    expect(said(play.host, "team-lead")).toContain("Nobody has claimed task #3 by itself, so I give it to nora.");
  });

  it("goes on with a server that is started anew at a decision", async (test) => {
    const restarts: string[] = [];
    const play = await setUp(test, {
      async command(member, times) {
        // nora waits for theo's tests meanwhile: its request breaks with the server, and is made again.
        restarts.push(`${member} ${times}`);
        await play.host.restartServer(createDemoScript({ quick: true }));
        return ALLOW;
      },
    });
    await playToTheEnd(play);
    expect(restarts).toEqual(["theo 1", "theo 2"]);
  });

  describe("fails with a sentence", () => {
    const firstFailure = (host: TeamHost) => host.until("a sentence", () => host.server.failures[0], LONG_MS);

    it("when a file does not hold what was edited", async (test) => {
      const { host } = await setUp(test);
      const file = path.join(host.cwd, SAMPLE_EDITS.table[0].path);
      const before = readFileSync(file, "utf8");
      host.session.events((event) => {
        if (event.type === "tool_end" && event.member === "theo") writeFileSync(file, before);
      });
      host.session.start(DEMO_GOAL);
      expect(await firstFailure(host)).toMatch(
        /^Script of "theo", step \d+, after or in "check src\/table\.js": expected src\/table\.js to hold .* after the edit/,
      );
    });

    it.for([
      ["theo", "nora"],
      ["nora", "theo"],
      ["nora", "team-lead"],
    ] as const)("when a message from %s to %s is lost", async ([from, to], test) => {
      const throughStore = (store: Store): Store => ({
        ...store,
        inboxes: {
          ...store.inboxes,
          async send(team, draft) {
            const lost = draft.from === from && draft.to.includes(to) && draft.summary !== undefined;
            return lost ? [] : store.inboxes.send(team, draft);
          },
        },
      });
      const script = () => createDemoScript({ quick: true, patienceMs: 1_500 });
      const { host } = await setUp(test, {}, { script, throughStore });
      host.session.start(DEMO_GOAL);
      expect(await firstFailure(host)).toMatch(
        new RegExp(
          `^Script of "${to}", step \\d+.*: expected a message from ${from} to ${to}: ".*", came none of it\\.$`,
        ),
      );
    });

    it("when the tests do not pass after the command was allowed", async (test) => {
      const [{ from, to, path: changed }] = SAMPLE_EDITS.table;
      const { host } = await setUp(test, {
        command() {
          const file = path.join(host.cwd, changed);
          writeFileSync(file, readFileSync(file, "utf8").replace(to, from));
          return ALLOW;
        },
      });
      host.session.start(DEMO_GOAL);
      expect(await firstFailure(host)).toMatch(
        /expected these tests to pass: .*, came "a column is as wide as its longest cell" failed; .*/,
      );
    });
  });
});
