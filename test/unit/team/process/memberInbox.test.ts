import { expect, it } from "vitest";
import { MusterError } from "../../../../src/base/errors.ts";
import type { Logger } from "../../../../src/base/logger.ts";
import type { Store } from "../../../../src/store/store.ts";
import { startMemberProcess } from "../../../../src/team/process/memberProcess.ts";
import { eventually } from "../../../support/eventually.ts";
import { memberOptions, spawnAlice } from "../../../support/memberProcess.ts";
import { createDemo, openTempStore } from "../../../support/tempStore.ts";

/** A store on whose disk no member's entry can be changed any more. */
function withFullDisk(store: Store): Store {
  const teams = Object.create(store.teams) as Store["teams"];
  teams.updateMember = () => Promise.reject(new MusterError("disk_full", "The disk is full."));
  return { ...store, teams };
}

it("a mode that cannot be written down holds all the same, and is told of", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const told: string[] = [];
  const note = (message: string) => void told.push(message);
  const logger: Logger = { debug() {}, info() {}, warn: note, error: note };
  const spawned = await spawnAlice(temp.store);
  const member = await startMemberProcess({
    ...memberOptions(withFullDisk(temp.store), temp.root),
    ...spawned,
    logger,
  });
  const text = JSON.stringify({ type: "mode_set_request", mode: "acceptEdits", from: "team-lead" });
  await temp.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text });
  await eventually("the warning", async () => told.length > 0);
  expect(told).toEqual([expect.stringContaining("The mode acceptEdits holds, and was not written down")]);
  expect(member.view.mode).toBe("acceptEdits");
  member.end();
  await member.ended;
});
