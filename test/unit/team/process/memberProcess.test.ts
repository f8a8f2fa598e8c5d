import { expect, it } from "vitest";
import type { Model } from "../../../../src/agent/types.ts";
import { MusterError } from "../../../../src/base/errors.ts";
import type { Store } from "../../../../src/store/store.ts";
import { startMemberProcess } from "../../../../src/team/process/memberProcess.ts";
import { eventually } from "../../../support/eventually.ts";
import { memberOptions, spawnAlice } from "../../../support/memberProcess.ts";
import { createDemo, openTempStore } from "../../../support/tempStore.ts";

it("what was typed and could not be written is kept for the next process, also where this one fails", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const spawned = await spawnAlice(temp.store);
  let isFull = false;
  let refused = 0;
  const inboxes = Object.create(temp.store.inboxes) as Store["inboxes"];
  inboxes.send = (team, draft) => {
    if (!isFull) return temp.store.inboxes.send(team, draft);
    refused += 1;
    return Promise.reject(new MusterError("disk_full", "The disk is full."));
  };
  const crash = Promise.withResolvers<never>();
  let requests = 0;
  const model: Model = {
    async *stream() {
      requests += 1;
      yield await crash.promise;
    },
  };
  const store = { ...temp.store, inboxes };
  const member = await startMemberProcess({
    ...memberOptions(store, temp.root),
    ...spawned,
    model,
  });
  const ended = member.ended.catch((error: unknown) => error);
  await temp.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "Go." });
  await eventually("her run", () => requests > 0);
  isFull = true;
  member.say("Mind the gap.");
  await eventually("the words to be refused", () => refused > 0);
  isFull = false;
  crash.reject(new Error("Nobody expects this."));
  expect(await ended).toEqual(new Error("Nobody expects this."));
  const { entries } = await temp.store.inboxes.read("demo", "alice");
  expect(entries.filter(({ from }) => from === "user")).toMatchObject([{ text: "Mind the gap.", read: false }]);
});
