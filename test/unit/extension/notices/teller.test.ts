import { describe, expect, it } from "vitest";
import { createTeller } from "../../../../src/extension/notices/teller.ts";
import type { AttentionItem, TeamScreen } from "../../../../src/protocol/panel.ts";

const from = { name: "alice", displayName: "Alice", color: "blue", role: "teammate" as const };
const asks = (id: string): AttentionItem => ({
  ...{ kind: "plan", id, from, createdAt: 1, task: null, title: `Plan: ${id}`, said: null },
  ...{ plan: id, version: 1, afterMode: "default", modes: [] },
});

function team(attention: AttentionItem[], finished: TeamScreen["finished"] = null, key = "shop"): TeamScreen {
  return { team: key, title: "shop", attention, finished } as TeamScreen; // nothing else is read
}
const tasks = { completed: 4, total: 5 };
const done = { tasks } as TeamScreen["finished"];

describe("what a notification tells", () => {
  it("is what waits, once; several things at once are one", () => {
    const teller = createTeller();
    const one = { kind: "waits", text: "Alice: Plan: a", count: 1 };
    expect(teller.next(team([asks("a")]), true)).toEqual(one);
    expect(teller.next(team([asks("a")]), true)).toBeNull();
    expect(teller.next(team([asks("a"), asks("b"), asks("c")]), true)).toEqual({
      ...one,
      text: "Alice: Plan: b",
      count: 2,
    });
  });

  it("names nobody twice, nor the lead for what is the team's", () => {
    const base = { ...{ id: "x", from, createdAt: 1, task: null, said: null }, ...{ spent: 2, limit: 1, next: 3 } };
    const items: [AttentionItem, string][] = [
      [{ ...base, kind: "answer", title: "Alice waits for you", text: "" }, "Alice waits for you"],
      [{ ...base, kind: "budget", member: null, title: "Raise the team's budget" }, "Raise the team's budget"],
      [{ ...base, kind: "budget", member: "alice", title: "Raise the budget" }, "Alice: Raise the budget"],
    ];
    for (const [item, text] of items) expect(createTeller().next(team([item]), true)).toMatchObject({ text });
  });

  it("is also the end, where the person does not look at the window", () => {
    const away = createTeller();
    away.next(team([]), false);
    expect(away.next(team([], done), false)).toEqual({ kind: "finished", title: "shop", ...tasks });
    expect(away.next(team([], done), false)).toBeNull();
    const here = createTeller();
    here.next(team([]), true);
    expect(here.next(team([], done), true)).toBeNull();
  });

  it("is not the end of a team that had finished before it was opened, nor of another one, whose title may be the same", () => {
    const teller = createTeller();
    expect(teller.next(team([], done), false)).toBeNull();
    teller.next(team([]), false);
    expect(teller.next(team([], done, "other"), false)).toBeNull();
    expect(teller.next(null, false)).toBeNull();
  });
});
