import { beforeEach, describe, expect, it, vi } from "vitest";
import { PanelFeed } from "../../../../src/extension/panel/panelFeed.ts";
import { type Entry, makeEntry } from "../../../../src/protocol/message.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { createThreads, threadId } from "../../../../src/team/views/threads.ts";
import { createHostData, type HostData } from "../../../../webview/state/hostData.ts";
import { mailIn } from "../../../support/mail.ts";
import { shownTeam } from "../../../support/shownTeam.ts";

const PAIR = threadId("team-lead", "alice");

/** A host and a webview in which the thread of the two is open, with what was said between them. */
function opened(count: number) {
  const entries: Entry[] = [];
  const threads = createThreads(peopleOf([]));
  const busy = new Set<string>();
  const team = shownTeam();
  const data = createHostData();
  const said: HostMessage[] = [];
  const add = (more: number) => {
    for (let at = entries.length, end = at + more; at < end; at += 1) {
      const time = new Date(Date.UTC(2026, 10, 27, 10, 0, at)).toISOString();
      entries.push(makeEntry({ from: "team-lead", text: `Message ${at}`, read: at !== 5 }, time, `m${at}`));
    }
  };
  Object.assign(team, {
    threads: () => threads.all(mailIn(new Map([["alice", [...entries]]])).values(), (name) => busy.has(name)),
    earlierMessages: threads.before,
    messages: threads.some,
  });
  const feed = new PanelFeed(
    (message) => {
      said.push(message);
      data.receive(structuredClone(message));
    },
    () => ({ screen: "loading" }),
  );
  add(count);
  feed.show(team);
  feed.setView({ tab: "inboxes", member: null });
  feed.changes.openThread(PAIR);
  vi.advanceTimersByTime(200);
  const change = () => {
    team.change(0);
    vi.advanceTimersByTime(200);
  };
  const earlier = (thread: string, before: string) => feed.changes.showEarlierMessages(team, thread, before);
  return { entries, busy, feed, data, said, add, change, earlier };
}

const held = (data: HostData) => data.threads.value?.[0];
const ids = (data: HostData) => held(data)?.messages.map(({ id }) => Number(id.slice(1))) ?? [];
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe("earlier messages of a thread", () => {
  it("come page by page, and stay while new ones come", () => {
    const { earlier, data, add, change } = opened(250);
    expect(ids(data)).toEqual(range(150, 250));
    earlier(PAIR, "m150");
    expect([ids(data), held(data)?.omitted]).toEqual([range(50, 250), 50]);
    add(30);
    change();
    expect([ids(data), held(data)?.omitted]).toEqual([range(50, 280), 50]);
    earlier(PAIR, "m50");
    expect([ids(data), held(data)?.omitted]).toEqual([range(0, 280), 0]);
    add(1);
    change();
    expect([ids(data), held(data)?.omitted]).toEqual([range(0, 281), 0]);
  });

  it("leave no gap: where more new ones came than a thread shows, they are asked for again", () => {
    const { earlier, data, add, change } = opened(250);
    earlier(PAIR, "m150");
    add(150);
    change();
    expect([ids(data), held(data)?.omitted]).toEqual([range(300, 400), 300]);
    earlier(PAIR, "m300");
    expect(ids(data)).toEqual(range(200, 400));
  });

  it("are sent again where they are read, or queued, meanwhile, and only these", () => {
    const { entries, busy, earlier, data, said, change } = opened(110);
    earlier(PAIR, "m10");
    const delivery = () => held(data)?.messages[5]?.delivery;
    expect(delivery()).toBe("delivered");
    const parts = () => said.flatMap((one) => (one.type === "threadPart" ? [one.messages.map(({ id }) => id)] : []));
    const first = parts().length;
    change();
    busy.add("alice");
    change();
    expect(delivery()).toBe("queued");
    entries[5] = { ...entries[5]!, read: true };
    change();
    expect(delivery()).toBe("read");
    change();
    expect(parts().slice(first)).toEqual([["m5"], ["m5"]]);
    expect(ids(data)).toEqual(range(0, 110));
  });

  it("are forgotten with the document, and a thread or message that is not there brings nothing", () => {
    const { earlier, feed, data, said } = opened(250);
    earlier(PAIR, "m150");
    const before = said.length;
    earlier(PAIR, "gone");
    earlier("gone", "m150");
    expect(said).toHaveLength(before);
    feed.startOver();
    vi.advanceTimersByTime(200);
    expect(ids(data)).toEqual([249]);
  });
});
