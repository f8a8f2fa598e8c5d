import { expect, it } from "vitest";
import { TreeRows } from "../../../../src/extension/members/treeRows.ts";

const row = (name: string, shown = "Idle") => ({ name, shown });

it("rows stay the same objects, and only those that look different are drawn anew", () => {
  const rows = new TreeRows();
  expect(rows.update([row("team-lead"), row("alice"), row("bob")])).toBe("all");
  const before = rows.all;
  expect(rows.update([row("team-lead"), row("alice", "Working"), row("bob")])).toEqual([{ name: "alice" }]);
  expect(rows.all.map((kept, index) => kept === before[index])).toEqual([true, true, true]);
  expect(rows.update([row("team-lead"), row("alice", "Working"), row("bob")])).toEqual([]);
});

it.each([
  ["comes", [row("team-lead"), row("alice"), row("bob"), row("cleo")]],
  ["goes", [row("team-lead"), row("bob")]],
  ["moves", [row("team-lead"), row("bob"), row("alice")]],
])("where a row %s, all are drawn anew, and those that stay are the same", (_, after) => {
  const rows = new TreeRows();
  rows.update([row("team-lead"), row("alice"), row("bob")]);
  const before = rows.all;
  expect(rows.update(after)).toBe("all");
  expect(rows.all.map(({ name }) => name)).toEqual(after.map(({ name }) => name));
  for (const kept of rows.all) if (kept.name !== "cleo") expect(before).toContain(kept);
});
