import fc from "fast-check";
import { expect, test } from "vitest";
import { isMusterError } from "../../src/base/errors.ts";
import { messageId } from "../../src/protocol/message.ts";
import { taskMuster } from "../../src/protocol/task.ts";
import type { Store } from "../../src/store/store.ts";
import { reachOf } from "../support/longRows.ts";
import { addMember, createDemo, openTempStore } from "../support/tempStore.ts";
import { type Answer, Model, type ModelUpdate } from "./storeModel.ts";
import { fastRoot } from "./storeProcesses.ts";

/** One call, for the model and for the store. */
interface Step {
  name: string;
  model(model: Model): Answer<unknown>;
  store(store: Store): Promise<unknown>;
}

const reach = reachOf("model");
const RUNS = reach.pick(500, 100_000);

const name = fc.constantFrom("alice", "bob", "Alice", "carol", "team-lead");
const known = fc.constantFrom("alice", "bob", "team-lead");
const id = fc.integer({ min: 1, max: 7 }).map(String);
const ids = fc.uniqueArray(id, { maxLength: 2 });
const tools = fc.subarray(["Edit", "Bash"]);
const metadata = fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(fc.constant(null), fc.integer()), { maxKeys: 2 });
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const patch: fc.Arbitrary<ModelUpdate> = fc
  .record({
    subject: optional(fc.constantFrom("one", "two")),
    status: optional(fc.constantFrom("pending", "in_progress", "in_progress", "completed", "completed", "deleted")),
    owner: optional(fc.constantFrom("alice", "bob", "", "nobody")),
    addBlocks: optional(ids),
    addBlockedBy: optional(ids),
    metadata: optional(metadata),
  })
  .map(
    (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ModelUpdate,
  );

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: name.filter((one) => one !== "team-lead").map(addStep) },
  { weight: 1, arbitrary: name.filter((one) => one !== "team-lead").map(removeStep) },
  { weight: 2, arbitrary: fc.tuple(known, fc.array(name, { minLength: 1, maxLength: 2 }), fc.nat(99)).map(sendStep) },
  { weight: 1, arbitrary: known.map(markStep) },
  { weight: 3, arbitrary: fc.tuple(optional(name), ids, tools).map(createStep) },
  { weight: 5, arbitrary: fc.tuple(id, patch, known, fc.boolean()).map(updateStep) },
  { weight: 3, arbitrary: fc.tuple(fc.oneof(id, fc.constant("next")), name, tools).map(claimStep) },
  { weight: 1, arbitrary: known.map(releaseStep) },
);

test("any sequence of calls comes to what the model says, answers and files", {
  timeout: reach.timeout(240_000),
}, async () => {
  const until = reach.until();
  let sequences = 0;
  let steps = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 18 }), async (sequence) => {
    await using temp = await openTempStore({ root: await fastRoot() });
    const model = new Model();
    await createDemo(temp.store, "alice", "bob");
    for (const member of ["alice", "bob"]) model.addMember(member);
    for (const one of sequence) {
      steps += 1;
      expect(await answerOf(one.store(temp.store)), one.name).toEqual(one.model(model));
      expect(await stateOf(temp.store), one.name).toEqual(modelState(model));
    }
    expect(
      (await temp.store.doctor.check()).faults.filter((fault) => fault.invariant !== "an owner is a member"),
    ).toEqual([]);
    sequences += 1;
  });
  await fc.assert(property, {
    numRuns: RUNS,
    seed: reach.pick(20261127, Date.now() % 2 ** 31),
    ...(reach.isLong ? { interruptAfterTimeLimit: until - Date.now() } : {}),
  });
  reach.reached(sequences);
  console.log(`${sequences} sequences, ${steps} calls compared`);
});

async function answerOf(call: Promise<unknown>): Promise<Answer<unknown>> {
  try {
    return { result: await call };
  } catch (error) {
    if (isMusterError(error)) return { refused: error.reason };
    throw error;
  }
}

async function stateOf(store: Store): Promise<unknown> {
  const { config, graph, inboxes } = await store.snapshots.read("demo");
  return {
    members: config.members.map((member) => member.name),
    tasks: [...graph.tasks.values()].map((task) => ({
      id: Number(task.id),
      subject: task.subject,
      status: task.status,
      owner: task.owner ?? null,
      blockers: (graph.blockers.get(task.id) ?? []).map(Number).sort(),
      needs: taskMuster(task).needs ?? [],
      notes: Object.fromEntries(Object.entries(task.metadata ?? {}).filter(([key]) => key !== "muster")),
    })),
    inboxes: Object.fromEntries(
      config.members.map(({ name }) => [
        name,
        (inboxes.get(name)?.entries ?? []).map(({ text, read }) => ({ text, read })),
      ]),
    ),
  };
}

function modelState(model: Model): unknown {
  return {
    members: model.members,
    tasks: [...model.tasks.values()].map((task) => ({ ...task, blockers: [...task.blockers].sort() })),
    inboxes: Object.fromEntries(model.members.map((name) => [name, model.inboxes.get(name) ?? []])),
  };
}

function addStep(wanted: string): Step {
  return {
    name: `add ${wanted}`,
    model: (model) => model.addMember(wanted),
    store: async (store) => (await addMember(store, "demo", wanted)).name,
  };
}

function removeStep(member: string): Step {
  return {
    name: `remove ${member}`,
    model: (model) => model.removeMember(member),
    store: async (store) => (await store.teams.removeMember("demo", member)) !== null,
  };
}

function sendStep([from, to, number]: [string, string[], number]): Step {
  const text = `message ${number}`;
  return {
    name: `send from ${from} to ${to.join()}`,
    model: (model) => model.send(exact(model, to), text),
    store: async (store) => (await store.inboxes.send("demo", { from, to, text })).map((sent) => sent.to),
  };
}

/** Letter case does not count where only one name matches. */
function exact(model: Model, names: string[]): string[] {
  return names.map((wanted) => {
    if (model.members.includes(wanted)) return wanted;
    const alike = model.members.filter((member) => member.toLowerCase() === wanted.toLowerCase());
    return alike.length === 1 && alike[0] ? alike[0] : wanted;
  });
}

function markStep(member: string): Step {
  return {
    name: `mark the mail of ${member}`,
    model: (model) => model.markRead(member),
    async store(store) {
      const { entries } = await store.inboxes.read("demo", member);
      return await store.inboxes.markRead("demo", member, entries.map(messageId));
    },
  };
}

function createStep([owner, blockedBy, needs]: [string | undefined, string[], string[]]): Step {
  return {
    name: `create for ${owner} blocked by ${blockedBy.join()}`,
    model: (model) =>
      model.create("new", exact(model, owner === undefined ? [] : [owner])[0] ?? null, blockedBy, needs),
    async store(store) {
      const metadata = needs.length === 0 ? {} : { metadata: { muster: { needs } } };
      const draft = { subject: "new", blockedBy, ...metadata, ...(owner === undefined ? {} : { owner }) };
      return Number((await store.tasks.create("demo", draft)).id);
    },
  };
}

function updateStep([task, fields, by, isAgent]: [string, ModelUpdate, string, boolean]): Step {
  return {
    name: `update ${task} by ${by} (${isAgent}): ${JSON.stringify(fields)}`,
    model(model) {
      const owner = fields.owner ? { owner: exact(model, [fields.owner])[0] ?? "" } : {};
      return model.update(task, { ...fields, ...owner }, by, isAgent);
    },
    async store(store) {
      const { unblocked } = await store.tasks.update("demo", task, fields, { by, isAgent });
      return unblocked.map((one) => Number(one.id));
    },
  };
}

function claimStep([task, by, has]: [string, string, string[]]): Step {
  return {
    name: `claim ${task} as ${by} with ${has.join()}`,
    model: (model) => model.claim(task, exact(model, [by])[0] ?? by, has),
    store: async (store) => {
      const claimed = await store.tasks.claim("demo", task, { by, hasTool: (tool) => has.includes(tool) });
      return Number(claimed.id);
    },
  };
}

function releaseStep(owner: string): Step {
  return {
    name: `release ${owner}`,
    model: (model) => model.release(owner),
    store: async (store) => (await store.tasks.releaseOwner("demo", owner)).map((task) => Number(task.id)),
  };
}
