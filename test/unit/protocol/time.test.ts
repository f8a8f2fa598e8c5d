import { expect, it } from "vitest";
import { pendingRequestSchema } from "../../../src/protocol/request.ts";
import { taskMuster, taskSchema } from "../../../src/protocol/task.ts";
import { taskGraph } from "../../../src/protocol/taskGraph.ts";
import { holdIn, presenceSchema, teamConfigSchema } from "../../../src/protocol/team.ts";
import { factsOfPresence } from "../../../src/team/views/memberRows.ts";
import { peopleOf } from "../../../src/team/views/people.ts";
import { createTaskRows } from "../../../src/team/views/taskRows.ts";

const NOW = 1_796_000_000_123;

/** Every time that a file tells as a number, where each of them is `time`. */
function timesOf(time: number) {
  const config = teamConfigSchema.parse({
    name: "crew",
    createdAt: time,
    members: [{ agentId: "a", name: "a", joinedAt: time }],
    muster: { version: 1, paused: { team: { by: "person", since: time } } },
  });
  const muster = { claim: { nonce: "n", by: "a", at: time, leaseMs: 1 }, completedAt: time };
  const { claim, completedAt } = taskMuster({ metadata: { muster } });
  const plan = { kind: "plan", id: "1", from: "a", createdAt: time, task: null, said: null };
  const request = pendingRequestSchema.parse({
    ...plan,
    ...{ planFilePath: "/p", planContent: "", version: 1, afterMode: "default" },
  });
  const presence = presenceSchema.parse({
    ...{ incarnation: "i", state: "idle", since: time, beat: time, pid: 1, host: "h", startTime: null },
  });
  return [
    ...[config.createdAt, config.members[0]?.joinedAt, holdIn(config, "a")?.since, claim?.at, completedAt],
    ...[request.createdAt, presence.since, presence.beat],
  ];
}

it.each([NOW, 0, 8.64e15, -8.64e15])("a time that a date holds is what a file says: %d", (time) => {
  expect(timesOf(time)).toEqual(Array(8).fill(time));
});

it.each([NOW * 1_000_000, 8.64e15 + 1, -1e300])("another one is not known: %d", (time) => {
  expect(timesOf(time)).toEqual(Array(8).fill(0));
});

it("nobody is said to wait, or to work on a task, since a time that is not known", () => {
  const told = {
    incarnation: "i",
    state: "idle",
    since: NOW * 1_000_000,
    beat: NOW,
    pid: 1,
    host: "h",
    startTime: null,
  };
  expect(factsOfPresence("a", presenceSchema.parse(told), null, NOW).since).toBeNull();
  const muster = { claim: { nonce: "n", by: "a", at: NOW * 1_000_000, leaseMs: 1 } };
  const task = taskSchema.parse({ id: "1", subject: "Fix", status: "in_progress", owner: "a", metadata: { muster } });
  expect(createTaskRows(peopleOf([]))(taskGraph([task]))).toMatchObject([{ id: "1", since: null }]);
});
