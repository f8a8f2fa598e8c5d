import { describe, expect, it } from "vitest";
import { type Entry, wrapForModel } from "../../../../src/protocol/message.ts";
import type { InputOrigin, TranscriptRecord } from "../../../../src/protocol/transcript.ts";
import { addRecord, emptyConversation } from "../../../../src/team/views/conversation.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { toldTo } from "../../../../src/team/views/told.ts";

const at = "2026-11-27T14:10:00.000Z";
const people = peopleOf([
  { name: "team-lead", displayName: "team-lead", color: null },
  { name: "bob", displayName: "Bob", color: "green" },
]);

const end: TranscriptRecord = { kind: "run_end", at, outcome: "completed" };
const input = (origin: InputOrigin, text: string): TranscriptRecord => {
  return { kind: "input", at, origin, content: [{ type: "text", text }] };
};
const mail = (...from: { from: string; verified?: boolean }[]) =>
  input("mail", wrapForModel(from.map((sender) => ({ text: "Mend it.", ...sender }))));

/** By whom the newest run was begun and at which place that message stands, and the person's newest words. */
function ordersAfter(...records: TranscriptRecord[]) {
  const conversation = emptyConversation();
  for (const record of records) addRecord(conversation, record, people);
  const { run, person } = conversation.orders;
  return { run: run && [run.by.name, run.seq, run.at], person: person?.seq ?? null };
}

describe("who told a member what it does", () => {
  const time = Date.parse(at);

  it("is the first sender of what began its run, whatever comes during the run", () => {
    expect(ordersAfter(mail({ from: "team-lead" }, { from: "bob" }), mail({ from: "bob" }))).toEqual({
      run: ["team-lead", 0, time],
      person: null,
    });
    const next = ordersAfter(mail({ from: "team-lead" }), end, mail({ from: "bob" }), input("person", "Stop."));
    expect(next).toEqual({ run: ["bob", 1, time], person: 2 });
  });

  it("is the person where the person began it, and their newest words are known in any run", () => {
    const records = [input("person", "Go."), end, input("digest", "All rest."), mail({ from: "bob" })];
    expect(ordersAfter(...records)).toEqual({ run: ["bob", 2, time], person: 0 });
    expect(ordersAfter(input("person", "Go."))).toEqual({ run: ["user", 0, time], person: 0 });
  });

  it("is nobody where a task began it, and stays who it was where the runtime goes on with it", () => {
    expect(ordersAfter(mail({ from: "bob" }), end, input("task", "Task #3")).run).toBeNull();
    expect(ordersAfter(mail({ from: "bob" }), end, input("system", "Go on.")).run).toEqual(["bob", 0, time]);
  });

  it("is never a sender that this team did not see sending", () => {
    expect(ordersAfter(mail({ from: "team-lead", verified: false })).run).toBeNull();
    const both = mail({ from: "team-lead", verified: false }, { from: "bob" });
    expect(ordersAfter(both).run).toEqual(["bob", 2, time]);
  });

  it("leads to its message in Inboxes where that is among the member's mail, whichever entry of the input it was", () => {
    const conversation = emptyConversation();
    const both = mail({ from: "team-lead", verified: false }, { from: "bob" });
    if (both.kind === "input") addRecord(conversation, { ...both, msgIds: ["m1", "m2"] }, people);
    const { run } = conversation.orders;
    const entry = { from: "bob", text: "Mend it.", timestamp: at, msg_id: "m2" };
    const received = (...entries: Entry[]) =>
      new Map([["alice", { to: "alice", entries, unread: 0, isDead: () => false }]]);
    const message = { thread: '["alice","bob"]', id: "m2" };
    expect(toldTo("alice", run, received(entry))).toEqual({ by: people("bob"), at: time, seq: 2, message });
    expect(toldTo("alice", run, received())).toEqual({ by: people("bob"), at: time, seq: 2 });
    expect(toldTo("alice", null, received(entry))).toBeNull();
  });

  it("is forgotten with the member that had the name before", () => {
    const session: TranscriptRecord = { kind: "session", at, sessionId: "s", agent: "a" };
    expect(ordersAfter(input("person", "Go."), session)).toEqual({ run: null, person: null });
  });
});
