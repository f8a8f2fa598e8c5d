import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

describe("what is out of reach of tools", () => {
  test("is the team's state, under the name of the root and under its real name", async () => {
    const real = await mkdtemp(join(tmpdir(), "muster-real-"));
    const link = `${real}-link`;
    await symlink(real, link);
    await using temp = await openTempStore({ root: link });
    await createDemo(temp.store, "alice");
    const { paths } = temp.store;
    expect(paths.outOfReach).toEqual(["teams", "tasks", "muster", "shell-snapshots"].map((name) => join(link, name)));
    for (const root of [link, real]) {
      for (const inside of [
        "teams",
        "teams/demo/config.json",
        "tasks/demo/1.json",
        "muster/settings.json",
        "shell-snapshots/x",
      ]) {
        expect(paths.isOutOfReach(join(root, inside))).toBe(true);
      }
      for (const outside of ["", "plans/a.md", "CLAUDE.md", "teams-notes", "muster.txt"]) {
        expect(paths.isOutOfReach(join(root, outside))).toBe(false);
      }
    }
    await rm(real, { recursive: true });
  });
});
