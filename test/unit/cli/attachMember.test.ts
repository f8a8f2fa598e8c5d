import { expect, it } from "vitest";
import { Emitter } from "../../../src/base/emitter.ts";
import type { CliIo } from "../../../src/cli/cliIo.ts";
import type { CliContext } from "../../../src/cli/context.ts";
import { attachMember } from "../../../src/cli/teammate/attachMember.ts";
import type { TranscriptRecord } from "../../../src/protocol/transcript.ts";
import type { Store } from "../../../src/store/store.ts";
import { eventually } from "../../support/eventually.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

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
  let shown = "";
  const stream = { isTerminal: false, columns: undefined, colors: false };
  const stdout = {
    ...stream,
    write(text: string) {
      shown += text;
    },
  };
  const io = {
    stdout,
    stderr: { ...stream, write() {} },
    stdinIsTerminal: false,
    onOutputClosed: new Emitter<void>().event,
  };
  const context: Pick<CliContext, "env" | "store"> & { io: Partial<CliIo> } = {
    ...{ io, env: {} },
    store: () => ({ ...temp.store, transcripts }),
  };
  const attached = attachMember("demo", "alice", context as CliContext);
  await eventually("the first words", () => shown.includes("The first."));
  isBusy = true;
  await temp.store.transcripts.append(owner, input("The last."));
  await eventually("the failure", () => failures > 0);
  isBusy = false;
  await eventually("the last words", () => shown.includes("The last."), 5_000);
  await temp.store.teams.removeMember("demo", "alice");
  expect(await attached).toBe(0);
  expect(shown.split("The last.")).toHaveLength(2);
});
