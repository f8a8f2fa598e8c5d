import { Emitter } from "../../src/base/emitter.ts";
import type { ShownTeam } from "../../src/extension/teams/shownTeam.ts";
import type { ConversationItem, QueuedMessage, TeamScreen } from "../../src/protocol/panel.ts";
import type { ActivityFact } from "../../src/team/views/activity/facts.ts";
import { type ConversationUpdate, emptyConversation } from "../../src/team/views/conversation.ts";
import { peopleOf } from "../../src/team/views/people.ts";

const screen: TeamScreen = {
  ...{
    screen: "team",
    team: "t",
    title: "t",
    goal: null,
    readOnly: null,
    canContinue: false,
    scripted: false,
    folder: null,
    attention: [],
    members: [],
  },
  ...{ tasks: { open: 0, total: 0 }, unread: 0, tokens: 0, cost: null, budget: null, finished: null },
};

/** A team on show whose parts a test changes by hand. */
export function shownTeam() {
  const changes = new Emitter<void>();
  const conversations = new Emitter<{ member: string; updates: ConversationUpdate[] }>();
  const streams = new Emitter<{ member: string; text: string }>();
  const held = new Map<string, ReturnType<typeof emptyConversation>>();
  const texts = new Map<string, string>();
  const conversation = (member: string) => {
    const known = held.get(member) ?? emptyConversation();
    held.set(member, known);
    return known;
  };
  const shown = {
    ...{ address: null, session: null, dispose: () => {} },
    ...{ onDidChange: changes.event, onConversation: conversations.event, onStreaming: streams.event },
    title: "t",
    unread: 0,
    state: () => ({ ...screen, title: shown.title, unread: shown.unread }),
    tasks: () => [],
    threads: () => [],
    mail: () => ({ people: [], pairs: [], latest: [] }),
    conversation: async (member: string) => conversation(member),
    streaming: (member: string) => texts.get(member) ?? "",
    unheard: new Map<string, QueuedMessage[]>(),
    queued: (member: string) => shown.unheard.get(member) ?? [],
    output: async () => null,
    ...{ fileChange: () => null, earlierMessages: () => null, messages: () => [], wholeMessage: () => null },
    people: peopleOf([]),
    facts: [] as ActivityFact[],
    activity: async () => shown.facts,
    requests: () => [],
    received: () => [],
    change: (unread: number) => {
      shown.unread = unread;
      changes.fire();
    },
    say: (member: string, text: string) => {
      const item: ConversationItem = { type: "text", at: 0, text };
      const { items } = conversation(member);
      items.push(item);
      conversations.fire({ member, updates: [{ seq: items.length - 1, item }] });
    },
    stream: (member: string, text: string) => {
      texts.set(member, text);
      streams.fire({ member, text });
    },
  };
  return shown satisfies ShownTeam;
}
