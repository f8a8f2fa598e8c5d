import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createNoticeQueue, type NoticeQueue } from "../../../../src/extension/notices/noticeQueue.ts";
import type { AttentionItem, TeamScreen } from "../../../../src/protocol/panel.ts";

/** VS Code takes a notification with a button off the screen after this time, in ms; it stays open all the same. */
const OFF_SCREEN_MS = 10_000;

let shown: { told: string; close: () => void }[];
let window: { inFront: boolean; wanted: boolean };
let queue: NoticeQueue;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  window = { inFront: true, wanted: true };
  queue = createNoticeQueue({
    show: (notice) =>
      new Promise((close) => {
        shown.push({ told: notice.kind === "waits" ? `${notice.text} of ${notice.count}` : notice.kind, close });
      }),
    isWanted: () => window.wanted,
    isInFront: () => window.inFront,
  });
});

afterEach(() => {
  queue.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const asks = (id: string) => ({ kind: "answer", id, title: id }) as AttentionItem; // nothing else is read

function show(waiting: readonly string[], finished = false): void {
  const tasks = { completed: 1, total: 1 };
  const state = { team: "shop", title: "shop", attention: waiting.map(asks), finished: finished ? { tasks } : null };
  queue.update(state as unknown as TeamScreen);
}

const told = () => shown.map((one) => one.told);

describe("notices", () => {
  it("are one at a time: what comes meanwhile is told together when it is closed", async () => {
    show(["a"]);
    show(["a", "b"]);
    show(["a", "b", "c"]);
    expect(told()).toEqual(["a of 1"]);
    shown[0]?.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(told()).toEqual(["a of 1", "b of 2"]);
  });

  it("go on after one that nobody closed, and which is not on the screen any more", async () => {
    show(["a"]);
    show(["a", "b"]);
    await vi.advanceTimersByTimeAsync(OFF_SCREEN_MS);
    expect(told()).toEqual(["a of 1"]);
    await vi.advanceTimersByTimeAsync(OFF_SCREEN_MS);
    expect(told()).toEqual(["a of 1", "b of 1"]);
    shown[0]?.close(); // from the notification centre: the second one is still there
    await vi.advanceTimersByTimeAsync(0);
    show(["a", "b", "c"]);
    expect(told()).toEqual(["a of 1", "b of 1"]);
    shown[1]?.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(told()).toEqual(["a of 1", "b of 1", "c of 1"]);
  });

  it("wait for the person who is away, as VS Code keeps the first one on the screen until then", async () => {
    window.inFront = false;
    show(["a"]);
    show(["a", "b"]);
    await vi.advanceTimersByTimeAsync(10 * OFF_SCREEN_MS);
    expect(told()).toEqual(["a of 1"]);
    window.inFront = true;
    await vi.advanceTimersByTimeAsync(2 * OFF_SCREEN_MS);
    expect(told()).toEqual(["a of 1", "b of 1"]);
  });

  it("do not wait for one that tells nothing that waits: the end is told to who has answered and gone", async () => {
    show(["a"]);
    window.inFront = false;
    show([]);
    show([], true);
    await vi.advanceTimersByTimeAsync(2 * OFF_SCREEN_MS);
    expect(told()).toEqual(["a of 1", "finished"]);
  });

  it("are none where nobody wants them, and what came then is no news later", () => {
    window.wanted = false;
    show(["a"]);
    window.wanted = true;
    show(["a"]);
    expect(told()).toEqual([]);
    show(["a", "b"]);
    expect(told()).toEqual(["b of 1"]);
  });
});
