import { describe, expect, it } from "vitest";
import { type Entry, makeEntry } from "../../../../src/protocol/message.ts";
import type { Thread } from "../../../../src/protocol/panel.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { createThreads, THREAD_LIMITS, threadId } from "../../../../src/team/views/threads.ts";
import { mailIn } from "../../../support/mail.ts";

const PAIR = threadId("team-lead", "alice");

function entry(from: string, at: number, { text = `${from} ${at}`, read = false } = {}): Entry {
  return makeEntry({ from, text, read }, new Date(Date.UTC(2026, 10, 27, 10, 0, at)).toISOString(), `${from}-${at}`);
}

const deliveries = (thread: Thread | undefined) => thread?.messages.map(({ id, delivery }) => `${id} ${delivery}`);

describe("what waits for a recipient", () => {
  const mail = mailIn(
    new Map([
      ["alice", [entry("team-lead", 1, { read: true }), entry("team-lead", 3)]],
      ["team-lead", [entry("alice", 2)]],
      ["bob", [entry("carl", 1)]],
    ]),
  );

  it("is queued while the recipient can take nothing, delivered while it can; what was read is read", () => {
    const threads = createThreads(peopleOf([]));
    const shown = (...busy: string[]) =>
      deliveries(threads.all(mail.values(), (name) => busy.includes(name)).find(({ id }) => id === PAIR));
    expect(shown()).toEqual(["team-lead-1 read", "alice-2 delivered", "team-lead-3 delivered"]);
    expect(shown("alice")).toEqual(["team-lead-1 read", "alice-2 delivered", "team-lead-3 queued"]);
    expect(shown("alice", "team-lead")).toEqual(["team-lead-1 read", "alice-2 queued", "team-lead-3 queued"]);
    expect(shown("team-lead")).toEqual(["team-lead-1 read", "alice-2 queued", "team-lead-3 delivered"]);
    expect(deliveries(threads.all(mail.values())[0])).toEqual(shown());
  });

  it("makes no other thread and no other message anew when its recipient begins or ends something", () => {
    const threads = createThreads(peopleOf([]));
    const [before, other] = threads.all(mail.values());
    const same = threads.all(mail.values(), (name) => name === "dora");
    expect(same).toEqual([before, other]);
    expect(same[0]).toBe(before);
    const [now, still] = threads.all(mail.values(), (name) => name === "alice");
    expect(still).toBe(other);
    expect(now).not.toBe(before);
    expect(now?.messages.slice(0, 2)).toEqual(before?.messages.slice(0, 2));
    expect(now?.messages[0]).toBe(before?.messages[0]);
    expect(threads.all(mail.values(), (name) => name === "alice")[0]).toBe(now);
  });
});

describe("what a thread does not show", () => {
  const entries = Array.from({ length: 260 }, (_, at) => entry("team-lead", at, { read: at > 0 }));
  const made = (inbox: Entry[]) => {
    const threads = createThreads(peopleOf([]));
    const [thread] = threads.all(mailIn(new Map([["alice", inbox]])).values(), (name) => name === "alice");
    return { threads, thread };
  };

  it("comes in pages, each before the oldest that is known, until there is none", () => {
    const { threads, thread } = made(entries);
    expect(thread).toMatchObject({ omitted: 160 });
    const first = threads.before(PAIR, thread?.messages[0]?.id ?? "");
    expect(first?.messages.map(({ id }) => id)).toEqual(entries.slice(60, 160).map(({ msg_id }) => msg_id));
    expect(first?.earlier).toBe(60);
    const second = threads.before(PAIR, "team-lead-60");
    expect(second).toMatchObject({ earlier: 0 });
    expect(second?.messages).toHaveLength(60);
    expect(second?.messages[0]).toMatchObject({ id: "team-lead-0", delivery: "queued" });
    expect(threads.before(PAIR, "team-lead-0")).toEqual({ messages: [], earlier: 0 });
    expect(threads.before(PAIR, "gone")).toBeNull();
    expect(threads.before("gone", "team-lead-0")).toBeNull();
    expect(threads.some(PAIR, new Set(["team-lead-0", "gone"]))).toMatchObject([{ id: "team-lead-0" }]);
  });

  it("comes in pages that one message to the panel holds, whatever the script", () => {
    const { threads } = made(entries.map((one) => ({ ...one, text: "说".repeat(20_000) })));
    let before = "team-lead-259";
    let pages = 0;
    for (let left = 259; left > 0; pages += 1) {
      const page = threads.before(PAIR, before);
      expect(page?.messages.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(256 * 1024);
      left = page?.earlier ?? 0;
      before = page?.messages[0]?.id ?? "";
    }
    expect(pages).toBeLessThan(60);
  });

  it("says of a message that it is cut, and gives the whole of it: a text, or the JSON of a protocol message", () => {
    const text = "x".repeat(THREAD_LIMITS.characters + 1);
    const body = { type: "shutdown_request", requestId: "r", reason: text };
    const { threads, thread } = made([
      entry("team-lead", 1, { text }),
      entry("team-lead", 2, { text: JSON.stringify(body) }),
      entry("team-lead", 3),
    ]);
    expect(thread?.messages.map(({ cut }) => cut)).toEqual([true, true, undefined]);
    expect(threads.whole(PAIR, "team-lead-1")).toEqual({ text, isJson: false });
    const whole = threads.whole(PAIR, "team-lead-2");
    expect([whole?.isJson, JSON.parse(whole?.text ?? "")]).toEqual([true, body]);
    expect(threads.whole(PAIR, "gone")).toBeNull();
  });
});
