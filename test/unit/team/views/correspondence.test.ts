import { expect, it } from "vitest";
import { type Entry, makeEntry } from "../../../../src/protocol/message.ts";
import { createCorrespondence } from "../../../../src/team/views/correspondence.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { mailIn } from "../../../support/mail.ts";

const people = peopleOf([
  { name: "team-lead", displayName: "team-lead", color: null },
  { name: "alice", displayName: "alice", color: "blue" },
]);

let count = 0;
function entry(from: string, minute: number, text: string | object): Entry {
  count += 1;
  const body = typeof text === "string" ? text : JSON.stringify(text);
  return makeEntry({ from, text: body }, `2026-11-27T10:${String(minute).padStart(2, "0")}:00.000Z`, `id-${count}`);
}

it("counts what was written of every pair by its direction, not protocol messages, and knows who left", () => {
  const { people: who, pairs } = createCorrespondence(people)(
    mailIn(
      new Map([
        [
          "team-lead",
          [entry("alice", 1, "a"), entry("alice", 2, { type: "idle_notification" }), entry("user", 3, "b")],
        ],
        ["alice", [entry("team-lead", 4, "c")]],
        ["gone", [entry("alice", 5, "d")]],
        ["quiet", []],
      ]),
    ),
  );
  expect(pairs).toEqual([
    { from: "alice", to: "team-lead", count: 1 },
    { from: "user", to: "team-lead", count: 1 },
    { from: "team-lead", to: "alice", count: 1 },
    { from: "alice", to: "gone", count: 1 },
  ]);
  expect(who.map(({ name, role }) => `${role} ${name}`).sort()).toEqual([
    "lead team-lead",
    "person user",
    "teammate alice",
    "teammate gone",
  ]);
});

it("tells the newest six texts of all inboxes, newest first, cut, and no protocol messages", () => {
  const said = (minute: number) => entry("alice", minute, `${minute} ${"x".repeat(400)}`);
  const { latest } = createCorrespondence(people)(
    mailIn(
      new Map([
        ["team-lead", [said(1), said(3), said(5), said(7), entry("alice", 9, { type: "idle_notification" })]],
        ["alice", [said(2), said(4), said(6), said(8)]],
      ]),
    ),
  );
  expect(latest.map(({ text }) => text.slice(0, 2).trim())).toEqual(["8", "7", "6", "5", "4", "3"]);
  expect(latest[0]).toMatchObject({ from: "alice", to: "alice", at: Date.parse("2026-11-27T10:08:00.000Z") });
  expect(new Set(latest.map(({ text }) => text.length))).toEqual(new Set([300]));
});

it("looks through what a recipient got once, and again when more came", () => {
  let read = 0;
  const counted = (one: Entry): Entry =>
    Object.defineProperty({ ...one }, "text", {
      enumerable: true,
      get: () => {
        read += 1;
        return one.text;
      },
    });
  const entries = Array.from({ length: 200 }, (_, at) =>
    counted(entry("team-lead", at % 60, { type: "idle_notification" })),
  );
  const correspondence = createCorrespondence(people);
  const mail = mailIn(new Map([["alice", entries]]));
  const bob = mailIn(new Map([["bob", [entry("alice", 1, "Hello.")]]]));
  correspondence(mail);
  read = 0;
  expect(correspondence(new Map([...mail, ...bob])).pairs).toEqual([{ from: "alice", to: "bob", count: 1 }]);
  expect(read).toBe(0);
  correspondence(mailIn(new Map([["alice", [...entries, entry("team-lead", 1, "a")]]])));
  expect(read).toBeGreaterThanOrEqual(200);
});
