import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedRows, MESSAGE_BYTES } from "../../../../src/extension/panel/changedRows.ts";
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
    expect(data.tasks.value).toEqual(rows);
    expect(said.length).toBeGreaterThan(10);
    expect(Math.max(...said.map((message) => Buffer.byteLength(JSON.stringify(message))))).toBeLessThan(256 * 1024);
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

it("a row larger than a message stands alone", () => {
  const parts: string[][] = [];
  const ids = (rows: { id: string }[]) => parts.push(rows.map(({ id }) => id));
  const rows = changedRows<{ id: string; text: string }>({ whole: ids, changed: ids });
  rows.send([
    { id: "a", text: "" },
    { id: "b", text: "x".repeat(MESSAGE_BYTES) },
    { id: "c", text: "" },
  ]);
  expect(parts).toEqual([["a"], ["b"], ["c"]]);
});
