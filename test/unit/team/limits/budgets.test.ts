import { describe, expect, it } from "vitest";
import { always, call, type Turn } from "../../../../src/demo/script.ts";
import { totalTokens, ZERO_USAGE } from "../../../../src/protocol/transcript.ts";
import type { SessionContext } from "../../../../src/team/context.ts";
import { DEFAULT_SETTINGS } from "../../../../src/team/defaultSettings.ts";
import { Budgets } from "../../../../src/team/limits/budgets.ts";
import { billsOf, tokensOf } from "../../../../src/team/limits/cost.ts";
import { DEFAULT_MODELS, resolveModel } from "../../../../src/team/limits/models.ts";
import { Member, type MemberSpec } from "../../../../src/team/member.ts";
import { openTeamHost, type TeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";

const lead = script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine.", "Fine.");
const look = call("TaskList", {});
const worker = script(calls(look), calls(look), "Done.");
/** Less than any reply costs, in USD. */
const LITTLE = 1e-9;
const MUCH = 100;

function until(host: TeamHost, what: string, check: () => boolean) {
  return host.until(what, () => check() || undefined);
}

describe("a team's budget", () => {
  it("holds everybody before the next request, until the person raises it", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: worker }), {
      budget: { team: LITTLE, member: null },
    });
    host.session.start("Go.");
    await until(host, "the hold", () => host.session.pauses.team !== null);
    const { budgets, pauses } = host.session;
    expect(pauses.team).toMatchObject({ by: "budget" });
    expect(budgets.used).toEqual([expect.objectContaining({ member: null, limit: LITTLE })]);
    await expect(pauses.resume()).rejects.toMatchObject({ reason: "not_ready" });
    await expect(budgets.raise(null, LITTLE)).rejects.toMatchObject({ reason: "not_allowed" });
    expect(host.count("team-lead")).toBe(1);
    await budgets.raise(null, MUCH);
    await host.rest();
    expect(budgets.used).toEqual([]);
    expect(pauses.team).toBeNull();
    expect(host.count("alice")).toBe(3);
    const spent = host.session.budgets.team?.spent ?? 0;
    expect(spent).toBeGreaterThan(0);
    expect((await host.store.teams.read("demo")).muster?.paused).toBeUndefined();
  });

  it("counts after a reload what was spent before it, and what it was raised to", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: worker }), {
      budget: { team: LITTLE, member: null },
    });
    host.session.start("Go.");
    await until(host, "the hold", () => host.session.pauses.team !== null);
    const before = host.session.budgets.team?.spent ?? 0;
    await host.reload();
    expect(host.session.pauses.team).toMatchObject({ by: "budget" });
    expect(host.session.budgets.team?.spent).toBeCloseTo(before, 12);
    await host.session.budgets.raise(null, MUCH);
    await host.rest();
    await host.reload();
    expect(host.session.budgets.team?.limit).toBe(MUCH);
    await host.rest();
    expect(host.session.budgets.team?.spent).toBeGreaterThan(before);
  });

  it("holds nobody where the price of the model is not known, or where there is none", async () => {
    await using host = await openTeamHost(team({ "team-lead": lead, alice: worker }), {
      ...{ model: "somebody-elses", budget: { team: LITTLE, member: LITTLE } },
    });
    host.session.start("Go.");
    await host.rest();
    expect(host.session.budgets.used).toEqual([]);
    expect(host.session.budgets.team).toEqual({ limit: LITTLE, spent: 0 });
    expect(host.count("alice")).toBe(3);
  });
});

it("what is spent is told where there is no budget, which can be given then", async () => {
  await using host = await openTeamHost(team({ "team-lead": lead, alice: worker }), {
    budget: { team: null, member: null },
  });
  host.session.start("Go.");
  await host.rest();
  const { budgets } = host.session;
  expect([budgets.team, budgets.member("alice")]).toEqual([null, null]);
  expect(budgets.spent("alice")).toBeGreaterThan(0);
  expect(budgets.spent(null)).toBeGreaterThan(budgets.spent("alice"));
  await budgets.raise(null, MUCH);
  expect(budgets.team).toEqual({ limit: MUCH, spent: budgets.spent(null) });
});

it("a budget is used up since the bill that did it, whoever looks, whenever, and after a reload too", async () => {
  await using host = await openTeamHost(team({ "team-lead": script("Which one?", "Fine.") }), {
    budget: { team: LITTLE, member: LITTLE },
  });
  host.session.start("Go.");
  const replied = await host.until("the lead's reply", async () => {
    const records = await host.store.transcripts.read({ leadSession: host.session.id });
    return records.find(({ kind }) => kind === "reply");
  });
  const since = Date.parse(replied.at);
  await until(host, "its cost", () => host.events.some(({ type }) => type === "usage"));
  const times = () => host.session.budgets.used.map((used) => used.since);
  expect(times()).toEqual([since, since]);
  await host.reload();
  expect(times()).toEqual([since, since]);
  expect(host.session.pauses.team).toEqual({ by: "budget", since });
});

it("a reply that was under way when the team's budget was used up does not move since when it is", () => {
  let now = 0;
  const clock = { now: () => now, sleep: async () => {} };
  const spec = { name: "team-lead", model: resolveModel(DEFAULT_SETTINGS.model, DEFAULT_MODELS).id } as MemberSpec; // nothing else is read
  const [ann, bob] = [new Member(spec, clock), new Member({ ...spec, name: "bob" }, clock)];
  const budget = { team: LITTLE, member: null };
  const context = {
    options: { clock, settings: { ...DEFAULT_SETTINGS, budget } },
    ...{ lead: { member: ann }, teammates: new Map([["bob", { member: bob }]]), gone: [] },
  } as unknown as SessionContext;
  const budgets = new Budgets(() => context, []);
  const bill = (member: Member, at: number) => {
    now = at;
    member.addUsage({ usage: { ...ZERO_USAGE, output_tokens: 1_000 }, at: new Date(at).toISOString() });
    budgets.look();
  };
  bill(ann, 1_000);
  bill(bob, 2_000);
  now = 9_000;
  expect(budgets.holdOf(null)).toEqual({ by: "budget", since: 1_000 });
  expect(budgets.used).toMatchObject([{ member: null, since: 1_000 }]);
});

it("a member's budget holds that member alone, and others learn of it", async () => {
  await using host = await openTeamHost(team({ "team-lead": lead, alice: worker }), {
    budget: { team: null, member: LITTLE },
  });
  host.session.start("Go.");
  const holds = () => host.session.budgets.used.map(({ member }) => member);
  await until(host, "the lead's hold", () => holds().includes("team-lead"));
  expect(host.session.pauses.team).toBeNull();
  await host.session.budgets.raise("team-lead", MUCH);
  await until(host, "alice's hold", () => holds().includes("alice"));
  await until(host, "the lead to rest", () =>
    host.session.members().some(({ name, state }) => name === "team-lead" && state === "idle"),
  );
  expect(host.count("alice")).toBe(1);
  expect(holds()).toEqual(["alice"]);
  await host.until("the file", async () => {
    const { muster } = await host.store.teams.read("demo");
    return muster?.paused?.members?.["alice"]?.by === "budget" || undefined;
  });
  await host.session.budgets.raise("alice", MUCH);
  await host.rest();
  expect(host.count("alice")).toBe(3);
});

it("what shortening a conversation cost counts as well, after a reload and in what the team leaves", async () => {
  const replies = [calls(look), calls(look), calls(look)];
  const lead = ({ request: { messages } }: Turn) => {
    const all = JSON.stringify(messages);
    if (all.includes("is about to be shortened")) return "MY NOTES";
    return (all.includes("MY NOTES") ? undefined : replies[(messages.length - 1) / 2]) ?? "Done.";
  };
  await using host = await openTeamHost(team({ "team-lead": always(lead) }), { budget: { team: MUCH, member: null } });
  host.session.start("The goal.");
  await host.until("the lead's rest", () => (host.session.leadWaits ? true : undefined));
  const message = "prompt is too long: 200001 tokens > 200000 maximum";
  host.server.inject({ kind: "status", status: 400, message }, { member: "team-lead" });
  await host.session.say("team-lead", "How far are we?");
  const replied = () => host.events.filter(({ type }) => type === "usage").length;
  await host.until("the answer", () => (host.session.leadWaits && replied() >= 6) || undefined);
  const tokens = () => host.session.spent().reduce((sum, { bills }) => sum + tokensOf(bills), 0);
  const used = host.events.reduce((sum, event) => (event.type === "usage" ? sum + totalTokens(event) : sum), 0);
  const [asked, spent] = [tokens(), host.session.budgets.team?.spent];
  expect(asked).toBe(used);
  const records = await host.store.transcripts.read({ leadSession: host.session.id });
  expect(records.filter(({ kind }) => kind === "summary")).toHaveLength(1);
  expect(tokensOf(billsOf(records))).toBe(asked);
  await host.reload();
  expect(tokens()).toBe(asked);
  expect(host.session.budgets.team?.spent).toBeCloseTo(spent ?? 0, 12);
});
