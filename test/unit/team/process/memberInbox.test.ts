import { expect, it, onTestFinished } from "vitest";
import { createAnthropicModel } from "../../../../src/agent/anthropicModel.ts";
import { MusterError } from "../../../../src/base/errors.ts";
import type { Logger } from "../../../../src/base/logger.ts";
import { startMessagesServer } from "../../../../src/demo/messagesServer.ts";
import { call } from "../../../../src/demo/script.ts";
import type { Store } from "../../../../src/store/store.ts";
import { startMemberProcess } from "../../../../src/team/process/memberProcess.ts";
import { eventually } from "../../../support/eventually.ts";
import { memberOptions, spawnAlice } from "../../../support/memberProcess.ts";
import { calls, script, team } from "../../../support/teamScripts.ts";
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

it("a request that waits is withdrawn where the person asks for the stop, and stays where the lead's model does", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const asks = script(calls(call("Bash", { command: "touch a" })), "I hear.");
  const server = await startMessagesServer(team({ alice: asks }));
  onTestFinished(() => server.close());
  const member = await startMemberProcess({
    ...memberOptions(temp.store, temp.root),
    ...(await spawnAlice(temp.store)),
    model: createAnthropicModel({ apiKey: async () => "k", baseUrl: server.url }),
  });
  const tell = (body: object) =>
    temp.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: JSON.stringify(body) });
  const unread = async () =>
    (await temp.store.inboxes.read("demo", "team-lead")).entries.filter(
      ({ text, read }) => text.includes("permission_request") && !read,
    );
  await temp.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "Touch it." });
  await eventually("her request", async () => (await unread()).length === 1);
  const asked = { type: "shutdown_request", from: "team-lead", reason: "Done." };
  await tell({ ...asked, requestId: "shutdown-1@alice" });
  await tell({ type: "mode_set_request", mode: "acceptEdits", from: "team-lead" });
  await eventually("what comes after it", () => member.view.mode === "acceptEdits");
  expect([member.view.state, (await unread()).length]).toEqual(["waiting", 1]);
  await tell({ ...asked, requestId: "shutdown-2@alice", muster: { undecided: true } });
  expect(await member.ended).toBe("shutdown");
  expect(await unread()).toEqual([]);
  const told = JSON.stringify(server.requests);
  expect(told).toContain("Nobody decides on this call any more: you are asked to shut down.");
});
