import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedRows, FIRST_BYTES, MESSAGE_BYTES } from "../../../../src/extension/panel/changedRows.ts";
import { onlyChanges } from "../../../../src/extension/panel/onlyChanges.ts";
import type { TaskRow, Thread, ThreadMessage } from "../../../../src/protocol/panel.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";
import { createHostData } from "../../../../webview/state/hostData.ts";

function task(id: number, subject: string): TaskRow {
  const rest = { description: "", owner: null, openBlockers: [], blockedBy: [], since: null };
  return { id: String(id), subject, status: "pending", ...rest };
}

/** A host and a webview with what was said between them. */
function pair() {
  const data = createHostData();
  const said: HostMessage[] = [];
  const changes = onlyChanges((message) => {
    said.push(message);
    data.receive(structuredClone(message));
  });
  return { data, said, changes };
}

describe("tasks on their way to the panel", () => {
  it("are sent whole once, then only those that changed or went", () => {
    const { data, said, changes } = pair();
    const rows = [task(1, "one"), task(2, "two"), task(10, "ten")];
    changes.send({ type: "tasks", tasks: rows });
    changes.send({ type: "tasks", tasks: rows.map((row) => ({ ...row })) });
    changes.send({ type: "tasks", tasks: [task(1, "one"), task(3, "three"), task(10, "ten!")] });
    expect(said).toEqual([
      { type: "tasks", tasks: rows },
      { type: "taskRows", rows: [task(3, "three"), task(10, "ten!")], removed: ["2"] },
    ]);
    expect(data.tasks.value?.map(({ id }) => id)).toEqual(["1", "3", "10"]);
  });

  it("are sent whole again to a webview that began anew", () => {
    const { said, changes } = pair();
    changes.send({ type: "tasks", tasks: [task(1, "one")] });
    changes.forgetAll();
    changes.send({ type: "tasks", tasks: [] });
    expect(said.map(({ type }) => type)).toEqual(["tasks", "tasks"]);
  });

  it("come in messages below 256 KB, whatever their script", () => {
    const { data, said, changes } = pair();
    const rows = Array.from({ length: 1_000 }, (_, at) => ({ ...task(at + 1, "任务"), description: "说".repeat(900) }));
    changes.send({ type: "tasks", tasks: rows });
    for (const { id } of rows) changes.openTask(id);
    expect(data.tasks.value).toEqual(rows);
    expect(Math.max(...said.map((message) => Buffer.byteLength(JSON.stringify(message))))).toBeLessThan(256 * 1024);
  });

  it("of a long list come without their descriptions, those to be done first, and a little at first", () => {
    const { data, said, changes } = pair();
    const status = (id: number) => (id % 2 === 0 ? ("completed" as const) : ("pending" as const));
    const rows = Array.from({ length: 1_000 }, (_, at) => ({
      ...{ ...task(at + 1, `Task ${at + 1}`), status: status(at + 1), description: "What is to be done. ".repeat(15) },
    }));
    changes.send({ type: "tasks", tasks: rows });
    const [first, ...others] = said;
    const begun = first?.type === "tasks" ? first.tasks : [];
    expect(begun.length).toBeGreaterThan(100);
    expect(begun.every(({ id, status: one }, at) => one === "pending" && Number(id) === 2 * at + 1)).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(begun))).toBeLessThan(50 * 1024);
    expect(others.map(({ type }) => type)).toEqual(["taskRows"]);
    expect(data.tasks.value).toEqual(rows.map((row) => ({ ...row, description: null })));
    changes.openTask("7");
    expect(said.at(-1)).toEqual({ type: "taskRows", rows: [rows[6]], removed: [] });
    const changed = rows.map((row) => (["7", "8"].includes(row.id) ? { ...row, description: "Else." } : row));
    changes.send({ type: "tasks", tasks: changed });
    expect(said.at(-1)).toEqual({ type: "taskRows", rows: [changed[6]], removed: [] }); // of 8 nothing that is known changed
    expect(data.tasks.value?.slice(6, 8).map(({ description }) => description)).toEqual(["Else.", null]);
    changes.openTask("unknown");
    changes.send({ type: "tasks", tasks: changed.slice(0, 200) });
    expect(data.tasks.value).toEqual(changed.slice(0, 200));
  });

  it("are the host's after each of many random steps", () => {
    const subjects = fc.dictionary(fc.integer({ min: 1, max: 30 }).map(String), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(subjects, { maxLength: 20 }), (steps) => {
        const { data, changes } = pair();
        for (const step of steps) {
          const rows = Object.entries(step).map(([id, subject]) => task(Number(id), subject));
          changes.send({ type: "tasks", tasks: rows });
          expect(data.tasks.value).toEqual(rows);
        }
      }),
    );
  });
});

describe("threads on their way to the panel", () => {
  const person = (name: string) => ({ name, displayName: name, color: null, role: "teammate" as const });
  const message = (id: string): ThreadMessage => ({
    ...{
      id,
      from: "a",
      to: "b",
      at: Number(id),
      kind: "message",
      text: id,
      summary: null,
      json: null,
      delivery: "read",
    },
  });
  const thread = (id: string, ...ids: string[]): Thread => ({
    ...{ id, a: person("a"), b: person("b"), unread: 0, messages: ids.map(message), omitted: 0 },
  });
  const held = (data: ReturnType<typeof pair>["data"]) =>
    data.threads.value?.map(({ id, messages, unsent = 0 }) => [id, messages.map((one) => one.id).join(), unsent]);

  it("have their newest message only, until they are opened", () => {
    const { data, said, changes } = pair();
    const threads = [thread("t", "1", "2", "3"), thread("u", "0")];
    changes.send({ type: "threads", threads });
    expect(held(data)).toEqual([
      ["t", "3", 2],
      ["u", "0", 0],
    ]);
    changes.openThread("t");
    changes.send({ type: "threads", threads });
    expect(held(data)?.[0]).toEqual(["t", "1,2,3", 0]);
    changes.send({ type: "threads", threads });
    expect(said.map(({ type }) => type)).toEqual(["threads", "threadRows"]); // what did not change is not sent again
    changes.send({ type: "threads", threads: [thread("t", "1", "2", "3", "4")] });
    expect(held(data)).toEqual([["t", "1,2,3,4", 0]]);
  });

  it("are closed for a webview that began anew", () => {
    const { data, changes } = pair();
    const threads = [thread("t", "1", "2")];
    changes.send({ type: "threads", threads });
    changes.openThread("t");
    expect(held(data)).toEqual([["t", "1,2", 0]]);
    changes.forgetAll();
    changes.send({ type: "threads", threads });
    expect(held(data)).toEqual([["t", "2", 1]]);
  });
});

it("what is opened before its row is there comes whole with it", () => {
  const { data, changes } = pair();
  const rows = Array.from({ length: 300 }, (_, at) => ({ ...task(at + 1, "one"), description: "What is to be done." }));
  changes.openTask("3");
  changes.send({ type: "tasks", tasks: rows });
  expect(data.tasks.value?.slice(1, 3).map(({ description }) => description)).toEqual([null, "What is to be done."]);
});

it("what is open stays whole where a list grows long", () => {
  const { data, changes } = pair();
  const rows = Array.from({ length: 201 }, (_, at) => ({ ...task(at + 1, "one"), description: "What is to be done." }));
  changes.send({ type: "tasks", tasks: rows.slice(0, 200) });
  changes.openTask("3");
  changes.send({ type: "tasks", tasks: rows });
  expect(data.tasks.value?.slice(1, 3).map(({ description }) => description)).toEqual([null, "What is to be done."]);
});

it("only the first message is a small one", () => {
  const sizes: number[] = [];
  const size = (rows: unknown) => sizes.push(Buffer.byteLength(JSON.stringify(rows)));
  const rows = changedRows<{ id: string; text: string }>({ whole: size, changed: size });
  const some = (text: string) => Array.from({ length: 100 }, (_, at) => ({ id: String(at), text: text.repeat(5_000) }));
  for (const text of ["x", "y"]) rows.send(some(text), FIRST_BYTES);
  expect(sizes[0]).toBeLessThan(FIRST_BYTES);
  expect(sizes).toHaveLength(7);
  expect(sizes[4]).toBeGreaterThan(FIRST_BYTES);
});

it("a row larger than a message stands alone", () => {
  const parts: string[][] = [];
  const ids = (rows: { id: string }[]) => parts.push(rows.map(({ id }) => id));
  const rows = changedRows<{ id: string; text: string }>({ whole: ids, changed: ids });
  const some = [
    { id: "a", text: "" },
    { id: "b", text: "x".repeat(MESSAGE_BYTES) },
    { id: "c", text: "" },
  ];
  rows.send(some);
  expect(parts).toEqual([["a"], ["b"], ["c"]]);
});
