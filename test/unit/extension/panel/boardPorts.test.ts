import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { BoardFeed } from "../../../../src/extension/panel/boardFeed.ts";
import { handleIntent } from "../../../../src/extension/panel/intents.ts";
import type { Services } from "../../../../src/extension/services.ts";
import type { Intent } from "../../../../src/protocol/intents.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";
import { shownTeam } from "../../../support/shownTeam.ts";

vi.mock("vscode", () => ({}));

const { boardPorts } = await import("../../../../src/extension/panel/boardPorts.ts");
afterAll(() => vi.doUnmock("vscode"));

/** What was asked of the feed of the view *Team*. */
let asked: string[];
let posted: HostMessage[];
let feed: BoardFeed;
let services: Services;

beforeEach(() => {
  asked = [];
  posted = [];
  feed = new BoardFeed(
    (message) => posted.push(message),
    () => ({ screen: "loading" }),
  );
  const ofTeam = new Proxy({}, { get: (_, part) => void asked.push(String(part)) });
  const current = { ...shownTeam(), output: async (member: string, seq: number) => `${member} ${seq}` };
  const shown: string[] = [];
  services = {
    ...{ teams: { current, live: null }, log: silentLogger, say: (text: string) => text },
    panel: { feed: ofTeam, post() {}, ready() {} },
    board: { feed, post: (message: HostMessage) => posted.push(message), ready() {} },
    documents: { openText: async (_key: string, _name: string, text: string) => void shown.push(text), shown },
    planDrafts: { message: () => ({ type: "planDrafts", plans: [] }) },
  } as unknown as Services;
});

afterEach(() => feed.dispose());

/** One of each kind that asks for something of a view. */
const OF_A_VIEW: readonly Intent[] = [
  { type: "ready", tab: "tasks", member: null },
  { type: "showTab", tab: "inboxes" },
  { type: "selectMember", member: "alice" },
  { type: "find", text: "a" },
  { type: "showEarlier", before: 5 },
  { type: "openThread", thread: "t" },
  { type: "showEarlierMessages", thread: "t", before: "m" },
  { type: "openTask", task: "1" },
  { type: "filterActivity", member: "alice", kind: null },
  { type: "moreActivity" },
  { type: "openOutput", seq: 1 },
  { type: "showColumns", members: ["alice"] },
];

describe("what the Team Board asks for", () => {
  it.each(OF_A_VIEW)("changes nothing in the view Team, nor looks at what is shown there: $type", async (intent) => {
    await handleIntent(intent, boardPorts(services));
    expect(asked).toEqual([]);
  });

  it("is about the column that it names, else about the lead", async () => {
    await handleIntent({ type: "openOutput", seq: 1, member: "alice" }, boardPorts(services));
    await handleIntent({ type: "openOutput", seq: 2 }, boardPorts(services));
    expect((services.documents as unknown as { shown: string[] }).shown).toEqual(["alice 1", "team-lead 2"]);
  });
});
