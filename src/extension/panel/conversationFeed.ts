import type { HostMessage } from "../../protocol/panelMessages.ts";
import { type Conversation, type ConversationUpdate, conversationPart } from "../../team/views/conversation.ts";
import { findIn, searchTexts } from "../../team/views/searchText.ts";
import type { ShownTeam } from "../teams/shownTeam.ts";
import type { Changes } from "./onlyChanges.ts";

type Message<T extends HostMessage["type"]> = Extract<HostMessage, { type: T }>;

/** Bounds of one message about a conversation. */
const PART = { maxItems: 300, maxCharacters: 180_000 };

/** The reply that is being written is sent up to its last 4 KB. */
const STREAM_CHARACTERS = 4_096;

/** Milliseconds between two looks of a webview's feed at what changed, at least: ten a second. */
export const FEED_INTERVAL_MS = 100;

/** How a conversation's messages reach the webview. */
export interface ConversationOutlet {
  post(message: Message<"conversation">): void;
  /** Sends what the webview has not got yet. */
  flush(): void;
}

/** What of one member's conversation the webview does not have yet. */
export class ConversationFeed {
  private readonly outlet: ConversationOutlet;
  private target: { team: ShownTeam; member: string } | null = null;
  private loaded: { member: string; conversation: Conversation } | null = null;
  private fresh: ConversationUpdate[] | null = null;
  private pending = new Map<number, ConversationUpdate>();
  /** Place of the first item that the webview has, or is about to get. */
  private first = 0;
  /** What is looked for (empty: nothing), and whether there is something new to look at. */
  private readonly search = { wanted: "", stale: false, texts: searchTexts() };

  constructor(outlet: ConversationOutlet) {
    this.outlet = outlet;
  }

  /** The member whose conversation is on show and read; null while there is none. */
  get member(): string | null {
    return this.loaded?.member ?? null;
  }

  /** Begins with another conversation, or none. Resolves to whether it is still the one on show when it is read. */
  async show(team: ShownTeam | null, member: string | null): Promise<boolean> {
    this.loaded = null;
    this.fresh = null;
    this.pending.clear();
    this.search.wanted = "";
    const target = team && member !== null ? { team, member } : null;
    this.target = target;
    if (!target) return false;
    const conversation = await target.team.conversation(target.member);
    if (this.target !== target) return false;
    this.loaded = { member: target.member, conversation };
    const { updates, earlier } = conversationPart(conversation, PART);
    this.fresh = updates;
    this.first = earlier;
    return true;
  }

  /** Notes what is new; tells whether it is on show. */
  add(member: string, updates: readonly ConversationUpdate[]): boolean {
    if (member !== this.member) return false;
    for (const update of updates) if (update.seq >= this.first) this.pending.set(update.seq, update);
    this.search.stale = true;
    return true;
  }

  /** The message that brings the webview up to date, once; null where it is. */
  take(): Message<"conversation"> | null {
    const { fresh, loaded } = this;
    if (!loaded || (!fresh && this.pending.size === 0)) return null;
    const items = fresh ?? [...this.pending.values()].sort((one, other) => one.seq - other.seq);
    this.fresh = null;
    this.pending.clear();
    const start = fresh ? { earlier: this.first } : {};
    return { type: "conversation", member: loaded.member, reset: fresh !== null, items, ...start };
  }

  /**
   * Sends what is before the place `before`, if that is the first item that the webview has: one message, or with
   * `from` as many as it takes to have everything from there on.
   */
  showEarlier(before: number, from?: number): void {
    this.outlet.flush();
    const { loaded } = this;
    if (!loaded || before !== this.first) return;
    do {
      const { updates, earlier } = conversationPart(loaded.conversation, { ...PART, end: this.first });
      if (updates.length === 0) break;
      this.first = earlier;
      this.outlet.post({ type: "conversation", member: loaded.member, reset: false, items: updates, earlier });
    } while (from !== undefined && this.first > from);
  }

  /** Looks for a text in all of the conversation from here on; an empty one ends that. */
  find(text: string): void {
    this.search.wanted = text;
    this.search.stale = true;
    this.outlet.flush();
  }

  /** Where the text is that is looked for, if that may have changed since the last call. */
  found(): Message<"found"> | null {
    const { loaded, search } = this;
    const { wanted } = search;
    if (!loaded || !search.stale || wanted === "") return null;
    search.stale = false;
    const found = findIn(loaded.conversation.items, wanted, search.texts);
    return { type: "found", member: loaded.member, text: wanted, ...found };
  }
}

/** Sends what stands below a member's conversation: the end of the reply that it is writing, and what is queued for it. */
export function sendUnfinished(changes: Changes, team: ShownTeam, member: string): void {
  changes.send({ type: "streaming", member, text: team.streaming(member).slice(-STREAM_CHARACTERS) });
  changes.send({ type: "queued", member, messages: team.queued(member) });
}
