import { expect, it } from "vitest";
import type { Thread, ThreadMessage } from "../../../src/protocol/panel.ts";
import { createOlderMessages } from "../../../webview/state/olderMessages.ts";

const message = (id: string, delivery: ThreadMessage["delivery"] = "read"): ThreadMessage => ({
  ...{ id, from: "a", to: "b", at: Number(id), kind: "message", text: `text ${id}`, summary: null, json: null },
  delivery,
});
const ref = (name: string) => ({ name, displayName: name, color: "blue", role: "teammate" }) as Thread["a"];
const row = (omitted: number, ...messages: ThreadMessage[]): Thread => ({
  ...{ id: "t", a: ref("a"), b: ref("b"), unread: 0, messages, omitted },
});
const ids = (list: readonly Thread[]) => list[0]?.messages.map(({ id }) => id);

it("news of an older message change the one that is known, and never put one where others are missing", () => {
  const older = createOlderMessages();
  let list: readonly Thread[] = [row(2, message("3"), message("4"))];
  list = older.put(list, {
    type: "threadPart",
    thread: "t",
    messages: [message("1", "queued"), message("2")],
    earlier: 0,
  });
  expect(ids(list)).toEqual(["1", "2", "3", "4"]);
  list = older.put(list, { type: "threadPart", thread: "t", messages: [message("1", "read")] });
  expect(list[0]).toMatchObject({ omitted: 0, messages: [{ id: "1", delivery: "read" }, {}, {}, {}] });
  list = older.withOlder(list, [row(7, message("8"), message("9"))]); // so many came that 5 to 7 were never sent
  expect(ids(list)).toEqual(["8", "9"]);
  list = older.put(list, { type: "threadPart", thread: "t", messages: [message("1", "read")] });
  expect(ids(list)).toEqual(["8", "9"]);
  expect(list[0]?.omitted).toBe(7);
});
