import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { errorMessage } from "../../../../src/base/errors.ts";
import { silentLogger } from "../../../../src/base/logger.ts";
import { PanelFeed } from "../../../../src/extension/panel/panelFeed.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";
import type { ActivityFact } from "../../../../src/team/views/activity/facts.ts";
import { shownTeam as team } from "../../../support/shownTeam.ts";

let posted: HostMessage[];
let logged: string[];
let feed: PanelFeed;

beforeEach(() => {
  vi.useFakeTimers();
  posted = [];
  logged = [];
  feed = new PanelFeed(
    (message) => posted.push(message),
    () => ({ screen: "loading" }),
    { ...silentLogger, warn: (message, detail) => void logged.push(`${message} ${errorMessage(detail)}`) },
  );
});

afterEach(() => {
  feed.dispose();
  vi.useRealTimers();
});

/** What was posted since the last call, shortly. */
async function news(ms = 200): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(ms);
  return posted.splice(0).map((message) => {
    if (message.type === "state")
      return `state ${message.state.screen === "team" ? message.state.unread : message.state.screen}`;
    if (message.type === "conversation")
      return `${message.reset ? "new " : ""}conversation ${message.member} ${message.items.map(({ seq }) => seq).join()}`.trim();
    if (message.type === "streaming") return `streaming ${message.member} ${message.text}`.trim();
    if (message.type === "queued") return `queued ${message.member} ${message.messages.map(({ id }) => id).join()}`;
    return message.type;
  });
}

describe("the panel's feed", () => {
  it("sends nothing before the view is ready, then all that it shows", async () => {
    const shown = team();
    shown.say("team-lead", "hello");
    feed.show(shown);
    expect(await news()).toEqual([]);
    feed.setView({ tab: "conversation", member: null });
    expect(await news()).toEqual(["state 0", "new conversation team-lead 0", "streaming team-lead"]);
  });

  it("sends only what changed, and only of what is on show", async () => {
    const shown = team();
    feed.show(shown);
    feed.setView({ tab: "conversation", member: "alice" });
    await news();
    shown.change(1);
    shown.say("bob", "not on show");
    shown.stream("bob", "neither");
    expect(await news()).toEqual(["state 1"]);
    shown.say("alice", "one");
    shown.say("alice", "two");
    expect(await news()).toEqual(["conversation alice 0,1"]);
    feed.setView({ tab: "tasks", member: "alice" });
    expect(await news()).toEqual(["tasks"]);
    shown.say("alice", "three");
    expect(await news()).toEqual([]);
    feed.setView({ tab: "inboxes", member: "alice" });
    expect(await news()).toEqual(["threads"]);
    feed.setView({ tab: "conversation", member: "alice" });
    expect(await news()).toEqual(["new conversation alice 0,1,2", "streaming alice"]);
  });

  it("sends what is queued for the member on show, again with its conversation, and that it is gone", async () => {
    const shown = team();
    feed.show(shown);
    feed.setView({ tab: "conversation", member: "alice" });
    await news();
    for (const name of ["alice", "bob"]) shown.unheard.set(name, [{ id: `to ${name}`, at: 1, text: "Wait." }]);
    shown.change(1);
    expect(await news()).toEqual(["state 1", "queued alice to alice"]);
    shown.change(2);
    expect(await news()).toEqual(["state 2"]);
    feed.setView({ tab: "conversation", member: "bob" });
    expect(await news()).toEqual(["new conversation bob", "streaming bob", "queued bob to bob"]);
    feed.setView({ tab: "conversation", member: "alice" });
    expect(await news()).toEqual(["new conversation alice", "streaming alice", "queued alice to alice"]);
    shown.unheard.clear();
    shown.change(3);
    expect(await news()).toEqual(["state 3", "queued alice "]);
  });

  it("sends at most ten times a second, and always the newest", async () => {
    const shown = team();
    feed.show(shown);
    feed.setView({ tab: "conversation", member: "alice" });
    await news();
    const seen: string[] = [];
    for (let n = 1; n <= 100; n += 1) {
      shown.change(n);
      shown.stream("alice", `text ${n}`);
      seen.push(...(await news(10)));
    }
    seen.push(...(await news()));
    const states = seen.filter((text) => text.startsWith("state"));
    expect(states.length).toBeGreaterThanOrEqual(9);
    expect(states.length).toBeLessThanOrEqual(11);
    expect(states.at(-1)).toBe("state 100");
    expect(seen.at(-1)).toBe("streaming alice text 100");
  });

  it("sends a change at once after a quiet time", async () => {
    const shown = team();
    feed.show(shown);
    feed.setView({ tab: "tasks", member: null });
    await news(1_000);
    shown.change(5);
    expect(await news(1)).toEqual(["state 5"]);
  });

  it("sends all anew to a document that begins, though the view was never hidden", async () => {
    const shown = team();
    feed.show(shown);
    feed.startOver({ tab: "tasks", member: null });
    expect(await news()).toEqual(["state 0", "tasks"]);
    feed.startOver({ tab: "tasks", member: null });
    expect(await news()).toEqual(["state 0", "tasks"]);
    feed.startOver({ tab: "conversation", member: "alice" });
    expect(await news()).toEqual(["state 0", "new conversation alice", "streaming alice"]);
  });

  it("is silent while the view is hidden, and sends all anew when it is back", async () => {
    const shown = team();
    feed.show(shown);
    feed.setView({ tab: "tasks", member: null });
    await news();
    feed.setView(null);
    shown.change(7);
    expect(await news()).toEqual([]);
    feed.setView({ tab: "tasks", member: null });
    expect(await news()).toEqual(["state 7", "tasks"]);
  });

  it("starts over with another team", async () => {
    const first = team();
    const second = team();
    second.unread = 9;
    feed.show(first);
    feed.setView({ tab: "conversation", member: "alice" });
    await news();
    feed.show(second);
    first.change(3);
    expect(await news()).toEqual(["state 9", "new conversation alice", "streaming alice"]);
    feed.show(null);
    expect(await news()).toEqual(["state loading"]);
  });

  it("sends what is earlier when it is asked, and all of it up to a place, in messages of bounded size", async () => {
    const shown = team();
    for (let n = 0; n < 2_000; n += 1) shown.say("alice", `${n} ${"x".repeat(500)}`);
    feed.show(shown);
    feed.setView({ tab: "conversation", member: "alice" });
    await vi.advanceTimersByTimeAsync(200);
    const parts = () => posted.splice(0).flatMap((message) => (message.type === "conversation" ? [message] : []));
    const [start] = parts();
    const first = start?.items[0]?.seq ?? 0;
    expect(start).toMatchObject({ reset: true, earlier: first });
    feed.conversation.showEarlier(first + 1); // asked before the last part came
    expect(parts()).toEqual([]);
    feed.conversation.showEarlier(first);
    const [next] = parts();
    expect(next?.items.at(-1)?.seq).toBe(first - 1);
    feed.conversation.showEarlier(next?.earlier ?? 0, 3);
    const rest = parts();
    expect(rest.flatMap(({ items }) => items.map(({ seq }) => seq)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: next?.earlier ?? 0 }, (_, seq) => seq),
    );
    expect(rest.at(-1)?.earlier).toBe(0);
    for (const message of [start, next, ...rest]) expect(JSON.stringify(message).length).toBeLessThan(256_000);
  });

  it("tells where a text is in all of the conversation, again whenever that may have changed", async () => {
    const shown = team();
    for (let n = 0; n < 1_000; n += 1) shown.say("alice", n % 100 === 0 ? "**Ledger** and\nledger" : "other");
    feed.show(shown);
    feed.setView({ tab: "conversation", member: "alice" });
    await vi.advanceTimersByTimeAsync(200);
    posted.splice(0);
    feed.conversation.find("LEDGER");
    const found = posted.splice(0).find(({ type }) => type === "found");
    expect(found).toMatchObject({ member: "alice", text: "LEDGER", total: 20 });
    expect(found?.type === "found" && found.matches[1]).toEqual({ seq: 100, count: 2 });
    shown.say("alice", "a ledger more");
    expect(await news()).toEqual(["conversation alice 1000", "found"]);
    shown.change(1);
    expect(await news()).toEqual(["state 1"]);
    feed.conversation.find("");
    shown.say("alice", "ledger");
    expect(await news()).toEqual(["conversation alice 1001"]);
  });

  it("logs an activity that cannot be read, once while the fault stays, and sends it when it can be read", async () => {
    const shown = team();
    const faulty = { ...shown, activity: shown.activity };
    faulty.activity = () => Promise.reject(new Error("EACCES: audit.jsonl"));
    feed.show(faulty);
    feed.setView({ tab: "activity", member: null });
    expect(await news()).toEqual(["state 0"]);
    shown.change(1);
    expect(await news()).toEqual(["state 1"]);
    expect(logged).toEqual(["The team's activity could not be read. EACCES: audit.jsonl"]);
    faulty.activity = shown.activity;
    shown.change(2);
    expect(await news()).toEqual(["state 2", "activity"]);
    faulty.activity = () => Promise.reject(new Error("EACCES: audit.jsonl"));
    shown.change(3);
    await news();
    expect(logged).toHaveLength(2);
  });

  it("tells that older rows of the activity have come, and sends them when they are asked for", async () => {
    const shown = team();
    const fact = (at: number): ActivityFact => ({
      ...{ id: `t:${at}`, at, kind: "task", who: "alice", to: [] },
      event: { what: "created", task: "1", subject: "Mend it" },
    });
    shown.facts = [fact(9), fact(8)];
    feed.show(shown);
    feed.setView({ tab: "activity", member: null });
    await news();
    const sent = async () => {
      await vi.advanceTimersByTimeAsync(200);
      const all = posted.splice(0).flatMap((message) => (message.type === "activity" ? [message] : []));
      return all.map(({ reset, rows, earlier }) => ({ reset, at: rows.map(({ at }) => at), earlier }));
    };
    shown.facts = [fact(9), fact(8), fact(2), fact(1)];
    shown.change(1);
    expect(await sent()).toEqual([{ reset: false, at: [], earlier: 2 }]);
    shown.change(2);
    expect(await sent()).toEqual([]);
    feed.activity.more();
    expect(await sent()).toEqual([{ reset: false, at: [2, 1], earlier: 0 }]);
  });

  it("bounds what it sends of a reply that is being written", async () => {
    const shown = team();
    feed.show(shown);
    feed.setView({ tab: "conversation", member: "alice" });
    await news();
    shown.stream("alice", "x".repeat(10_000));
    await vi.advanceTimersByTimeAsync(200);
    expect(posted).toEqual([{ type: "streaming", member: "alice", text: "x".repeat(4_096) }]);
  });
});
