import { expect, it } from "vitest";
import { createFind } from "../../../webview/state/find.ts";

const found = (member: string, ...counts: number[]) => ({
  ...{ type: "found" as const, member, text: "mend" },
  matches: counts.map((count, at) => ({ seq: at * 10, count })),
  total: counts.reduce((sum, count) => sum + count, 0),
});

/** Looks for a text in alice's conversation. */
function finding() {
  const find = createFind(
    () => {},
    (member) => member === "alice",
  );
  find.open();
  find.setText("mend");
  return find;
}

it("begins at the newest match and goes round", () => {
  const find = finding();
  find.receive(found("alice", 2, 1));
  expect(find.match.value).toEqual({ seq: 10, nth: 0 });
  find.step(1);
  expect(find.match.value).toEqual({ seq: 0, nth: 0 });
});

it("an answer about another conversation, or to another text, is none", () => {
  const find = finding();
  find.receive(found("bob", 5));
  find.receive({ ...found("alice", 5), text: "men" });
  expect(find.found.value).toBeNull();
  find.receive(found("alice", 2));
  expect(find.index.value).toBe(1);
});

it("stays at a match that is there where fewer are left", () => {
  const find = finding();
  find.receive(found("alice", 3));
  find.receive(found("alice", 1));
  expect([find.index.value, find.match.value]).toEqual([0, { seq: 0, nth: 0 }]);
  find.receive(found("alice"));
  expect([find.index.value, find.match.value]).toEqual([0, null]);
});
