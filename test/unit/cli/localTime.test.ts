import { expect, test } from "vitest";
import { localTime } from "../../../src/cli/render/localTime.ts";
import { commandLine } from "../../support/commandLine.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

test("people read times in one form, in the time zone of this machine, and states in the words of `status`", async () => {
  expect(localTime(new Date(2026, 2, 9, 4, 5, 59).getTime())).toBe("2026-03-09 04:05");
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const before = localTime(Date.now());
  await temp.store.inboxes.send("demo", { from: "user", to: ["alice"], text: "Hello." });
  const shown = async (...argv: string[]) => (await commandLine([...argv, "--root", temp.root])).stdout;
  const since = localTime(Date.UTC(2026, 10, 27, 20, 0, 0));
  expect(await shown("teams")).toMatch(new RegExp(`^demo +not live +2 .*${since}$`, "m"));
  expect([`user ${before} unread`, `user ${localTime(Date.now())} unread`]).toContain(
    (await shown("inbox", "demo", "alice")).split("\n")[0],
  );
  expect(await shown("inbox", "demo", "alice", "--json")).toMatch(/"timestamp":"[^"]+T[^"]+Z"/);
});
