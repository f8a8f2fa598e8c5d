import { expect, it } from "vitest";
import { KeptTerminals } from "../../../../src/extension/backends/keptTerminals.ts";

const alice = { name: "alice", incarnation: "1" };

function terminals() {
  const closed: string[] = [];
  const make = (name: string) => () => ({ name, dispose: () => void closed.push(name) });
  return { closed, make, kept: new KeptTerminals<ReturnType<ReturnType<typeof make>>>() };
}

it("a member's terminal is found again until it is closed", () => {
  const { make, kept } = terminals();
  const session = { id: "s" };
  const first = kept.of(session, alice, make("first"));
  expect(kept.of(session, alice, make("second"))).toBe(first);
  expect(kept.of(session, { name: "bob", incarnation: "1" }, make("bob's")).name).toBe("bob's");
  kept.forget(first);
  expect(kept.of(session, alice, make("second")).name).toBe("second");
});

it("a terminal that is closed for its member's end makes room for one of the next of that name", () => {
  const { closed, make, kept } = terminals();
  const session = { id: "s" };
  kept.close(kept.of(session, alice, make("first")));
  expect(closed).toEqual(["first"]);
  expect(kept.of(session, alice, make("second")).name).toBe("second");
});

it("the next member of a name gets a terminal of its own, in place of the earlier one's", () => {
  const { closed, make, kept } = terminals();
  const session = { id: "s" };
  kept.of(session, alice, make("first"));
  const second = kept.of(session, { ...alice, incarnation: "2" }, make("second"));
  expect(second.name).toBe("second");
  expect(closed).toEqual(["first"]);
});

it("a session that goes on under its id gets terminals of its own, in place of those of the one that ended", () => {
  const { closed, make, kept } = terminals();
  kept.of({ id: "s" }, alice, make("ended"));
  expect(kept.of({ id: "s" }, alice, make("goes on")).name).toBe("goes on");
  expect(closed).toEqual(["ended"]);
  kept.dispose();
  expect(closed).toEqual(["ended", "goes on"]);
});
