import { expect, it } from "vitest";
import { fitsOneLine, groupedTasks, possibleOwners } from "../../../../src/extension/tasks/taskChoices.ts";
import type { MemberRow, TaskRow } from "../../../../src/protocol/panel.ts";

function task(id: string, status: TaskRow["status"], openBlockers: string[] = []): TaskRow {
  return {
    ...{ id, subject: `Task ${id}`, description: "", owner: null, blockedBy: [], since: null },
    status,
    openBlockers,
  };
}

const member = (name: string, state: MemberRow["state"]) => ({ name, displayName: name, state }) as MemberRow;

it("tasks stand in the panel's groups and order, and a group without tasks is left out", () => {
  const tasks = [
    task("1", "completed"),
    task("2", "pending", ["3"]),
    task("3", "in_progress"),
    task("4", "completed"),
    task("5", "in_progress"),
  ];
  expect(groupedTasks(tasks).map(({ group, tasks: some }) => [group, some.map(({ id }) => id)])).toEqual([
    ["in_progress", ["3", "5"]],
    ["blocked", ["2"]],
    ["done", ["1", "4"]],
  ]);
  expect(groupedTasks([task("6", "pending")]).map(({ group }) => group)).toEqual(["ready"]);
  expect(groupedTasks([])).toEqual([]);
});

it("a task can be given to everybody who goes on, but its owner", () => {
  const members = [member("team-lead", "idle"), member("alice", "working"), member("bob", "dead")];
  const names = (owner: TaskRow["owner"]) => possibleOwners(members, { owner }).map(({ name }) => name);
  expect(names(null)).toEqual(["team-lead", "alice"]);
  expect(names({ name: "alice", displayName: "alice", color: null, role: "teammate" })).toEqual(["team-lead"]);
  expect(possibleOwners([member("carol", "stopping")], { owner: null })).toEqual([]);
});

it("a field of one line takes no description whose end or lines it would lose", () => {
  expect(fitsOneLine("In every greeting.")).toBe(true);
  expect(fitsOneLine("")).toBe(true);
  expect(fitsOneLine("one\ntwo")).toBe(false);
  expect(fitsOneLine("one\ttwo")).toBe(false);
  expect(fitsOneLine(`${"x".repeat(2_000)}…`)).toBe(false);
});
