import { expect, it } from "vitest";
import { Emitter } from "../../../src/base/emitter.ts";
import type { CliIo } from "../../../src/cli/cliIo.ts";
import type { CliContext } from "../../../src/cli/context.ts";
import { attachMember } from "../../../src/cli/teammate/attachMember.ts";
import type { TranscriptRecord } from "../../../src/protocol/transcript.ts";
import type { Store } from "../../../src/store/store.ts";
import { eventually } from "../../support/eventually.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

/** Shows alice of demo where there is no terminal. `shown` and `told`: what came on standard output and error. */
function attach(store: Store) {
  const stream = { isTerminal: false, columns: undefined, colors: false };
  const written = { shown: "", told: "" };
  const into = (where: keyof typeof written) => ({
    ...stream,
    write(text: string) {
      written[where] += text;
    },
  });
  const io = {
    stdout: into("shown"),
    stderr: into("told"),
    stdinIsTerminal: false,
    onOutputClosed: new Emitter<void>().event,
  };
  const context: Pick<CliContext, "env" | "store"> & { io: Partial<CliIo> } = { io, env: {}, store: () => store };
  return { written, attached: attachMember("demo", "alice", context as CliContext) };
}

const NOBODY_LEADS =
  "muster: Nobody is known to lead the team now: this waits for what alice does next, until alice leaves the team. Ctrl-C ends this.\n";

it("what could not be read when it was written is shown soon after, also where nothing follows it", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const owner = { team: "demo", agent: "alice" };
  const input = (text: string): TranscriptRecord => {
    return { kind: "input", at: "2026-11-30T12:00:00.000Z", origin: "person", content: [{ type: "text", text }] };
  };
  await temp.store.transcripts.append(owner, input("The first."));
  let failures = 0;
  let isBusy = false;
  const transcripts = Object.create(temp.store.transcripts) as Store["transcripts"];
  transcripts.readFrom = (from, offset) => {
    if (!isBusy) return temp.store.transcripts.readFrom(from, offset);
    failures += 1;
    return Promise.reject(new Error("EMFILE"));
  };
  const { written, attached } = attach({ ...temp.store, transcripts });
  await eventually("the first words", () => written.shown.includes("The first."));
  isBusy = true;
  await temp.store.transcripts.append(owner, input("The last."));
  await eventually("the failure", () => failures > 0);
  isBusy = false;
  await eventually("the last words", () => written.shown.includes("The last."), 5_000);
  await temp.store.teams.removeMember("demo", "alice");
  expect(await attached).toBe(0);
  expect(written.shown.split("The last.")).toHaveLength(2);
});

it("says that its member has left, whether the team goes on, has another of that name, or is gone", async () => {
  for (const how of ["left", "another", "gone"] as const) {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice");
    const { written, attached } = attach(temp.store);
    await eventually("what it waits for", () => written.told === NOBODY_LEADS);
    if (how === "left") await temp.store.teams.removeMember("demo", "alice");
    else if (how === "gone") await temp.store.teams.delete("demo", { keepHistory: false, now: 1 });
    else await temp.store.teams.updateMember("demo", "alice", { muster: { incarnation: "another" } });
    expect(await attached).toBe(0);
    expect(written.told).toBe(`${NOBODY_LEADS}muster: alice has left the team.\n`);
  }
});

it("says once that nobody leads the team, with what the member waits for", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const { members } = await temp.store.teams.read("demo");
  const incarnation = members.find(({ name }) => name === "alice")?.muster?.incarnation ?? "";
  const waiting = { incarnation, state: "waiting", since: Date.now(), beat: Date.now() } as const;
  await temp.store.presence.write("demo", "alice", { ...waiting, ...temp.store.process });
  const { written, attached } = attach(temp.store);
  const told = "muster: Waits for a decision, but nobody is known to lead the team now.\n";
  await eventually("what it waits for", () => written.told.includes(told));
  await temp.store.teams.removeMember("demo", "alice");
  await attached;
  expect(written.told).toBe(`${told}muster: alice has left the team.\n`);
});
