import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BoardFeed } from "../../../../src/extension/panel/boardFeed.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";
import { shownTeam } from "../../../support/shownTeam.ts";

let posted: HostMessage[];
let feed: BoardFeed;

beforeEach(() => {
  vi.useFakeTimers();
  posted = [];
  feed = new BoardFeed(
    (message) => posted.push(message),
    () => ({ screen: "loading" }),
  );
});

afterEach(() => {
  feed.dispose();
  vi.useRealTimers();
});

/** What was posted since the last call, shortly. */
async function news(): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(200);
  return posted.splice(0).map((message) => {
    if (message.type === "conversation")
      return `${message.reset ? "new " : ""}conversation ${message.member} ${message.items.map(({ seq }) => seq).join()}`.trim();
    if (message.type === "streaming") return `streaming ${message.member} ${message.text}`.trim();
    return message.type;
  });
}

describe("the board's feed", () => {
  it("sends nothing before the board is ready, then the team, and its columns once they are known", async () => {
    const team = shownTeam();
    team.say("alice", "one");
    feed.show(team);
    expect(await news()).toEqual([]);
    feed.startOver();
    expect(await news()).toEqual(["state", "tasks", "mail"]);
    feed.setColumns(["team-lead", "alice"]);
    expect(await news()).toEqual([
      "new conversation team-lead",
      "streaming team-lead",
      "new conversation alice 0",
      "streaming alice",
    ]);
  });

  it("sends what is new in every column, and of nobody else", async () => {
    const team = shownTeam();
    feed.show(team);
    feed.startOver();
    feed.setColumns(["alice", "bob"]);
    await news();
    team.say("alice", "a");
    team.stream("bob", "b");
    team.say("carol", "c");
    team.stream("carol", "d");
    expect(await news()).toEqual(["conversation alice 0", "streaming bob b"]);
    feed.setColumns(["bob", "carol"]);
    team.say("alice", "no column any more");
    expect(await news()).toEqual(["new conversation carol 0", "streaming carol d"]);
  });

  it("begins anew with a new document, and with another team", async () => {
    const team = shownTeam();
    feed.show(team);
    feed.startOver();
    feed.setColumns(["alice"]);
    await news();
    feed.startOver();
    feed.setColumns(["alice"]);
    const all = ["state", "tasks", "mail", "new conversation alice", "streaming alice"];
    expect(await news()).toEqual(all);
    feed.show(shownTeam());
    expect(await news()).toEqual(all);
  });

  it("is silent while it is hidden", async () => {
    const team = shownTeam();
    feed.show(team);
    feed.startOver();
    feed.setColumns(["alice"]);
    await news();
    feed.setColumns(null);
    team.change(1);
    team.say("alice", "unseen");
    expect(await news()).toEqual([]);
  });

  it("shows the fallback where there is no team", async () => {
    feed.startOver();
    expect(await news()).toEqual(["state"]);
    expect(feed.conversation("alice")).toBeUndefined();
  });
});
