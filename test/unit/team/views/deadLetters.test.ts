import { expect, it } from "vitest";
import type { Entry } from "../../../../src/protocol/message.ts";
import type { TeamSnapshot } from "../../../../src/store/snapshot.ts";
import { createMailReader } from "../../../../src/team/views/mail.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { createThreads, THREAD_LIMITS } from "../../../../src/team/views/threads.ts";

function entry(text: string, read = false): Entry {
  return { from: "bob", text, timestamp: "2026-11-27T20:00:00.000Z", read, msg_id: text };
}

function snapshotOf(
  inboxes: Record<string, Entry[]>,
  { archives = {}, finishedAt = null }: { archives?: Record<string, Entry[]>; finishedAt?: number | null } = {},
): TeamSnapshot {
  return {
    config: { members: [{ name: "team-lead" }, { name: "ann" }, { name: "dead" }] },
    presence: new Map([["dead", { state: "dead" }]]),
    inboxes: new Map(Object.entries(inboxes).map(([name, entries]) => [name, { entries, faults: [] }])),
    archives: new Map(Object.entries(archives)),
    finishedAt,
  } as unknown as TeamSnapshot;
}

/** Recipient → how each of its messages stands, and how many wait for it; the panel's number of them says the same. */
function shown(snapshot: TeamSnapshot, limits = THREAD_LIMITS) {
  const mail = createMailReader()(snapshot);
  const threads = createThreads(peopleOf([]), limits).all(mail.values());
  for (const { messages, unread } of threads) expect(mail.get(messages[0]?.to ?? "")?.unread).toBe(unread);
  return Object.fromEntries(
    threads.map(({ messages, unread }) => [messages[0]?.to, [...messages.map(({ delivery }) => delivery), unread]]),
  );
}

it("what a member that is gone or dead never read is a dead letter, and does not wait for a reader", () => {
  const mail = { ann: [entry("1")], gone: [entry("2"), entry("3", true)], dead: [entry("4")], user: [entry("5")] };
  expect(shown(snapshotOf(mail))).toEqual({
    ann: ["delivered", 1],
    gone: ["dead", "read", 0],
    dead: ["dead", 0],
    user: ["delivered", 1],
  });
  expect(shown(snapshotOf(mail, { finishedAt: 5 }))).toMatchObject({ ann: ["dead", 0], user: ["delivered", 1] });
});

it("what an earlier member of the name never read is a dead letter; what is in the inbox too is not", () => {
  const [old, both, fresh] = [entry("old"), entry("both"), entry("fresh")];
  const snapshot = snapshotOf({ ann: [both, fresh] }, { archives: { ann: [old, both] } });
  expect(shown(snapshot)).toEqual({ ann: ["dead", "delivered", "delivered", 2] });
});

it("dead letters that are not shown any more do not wait either", () => {
  const mail = { gone: [entry("1"), entry("2"), entry("3")] };
  expect(shown(snapshotOf(mail), { ...THREAD_LIMITS, messages: 1 })).toEqual({ gone: ["dead", 0] });
});

it("a request that is a dead letter takes nothing away from what waits in its thread", () => {
  const request = entry(JSON.stringify({ type: "permission_request", request_id: "r", tool_name: "Bash", input: {} }));
  const mail = { gone: [request], bob: [{ ...entry("waits"), from: "gone" }] };
  const snapshot = snapshotOf(mail);
  snapshot.config.members.push({ name: "bob" } as TeamSnapshot["config"]["members"][number]);
  const [thread] = createThreads(peopleOf([])).all(createMailReader()(snapshot).values());
  expect(thread?.messages.map(({ delivery }) => delivery)).toEqual(["dead", "delivered"]);
  expect(thread?.unread).toBe(1);
});
