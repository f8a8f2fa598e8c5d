import type { HostMessage } from "../protocol/panelMessages.ts";
import { type ConversationUpdate, conversationTail } from "../team/views/conversation.ts";
import type { ShownTeam } from "./shownTeam.ts";

type ConversationMessage = Extract<HostMessage, { type: "conversation" }>;

/** Bounds of a conversation when it begins to be shown. */
const TAIL_ITEMS = 300;
const TAIL_CHARACTERS = 180_000;

/** What of one member's conversation the webview does not have yet. */
export class ConversationFeed {
  private target: { team: ShownTeam; member: string } | null = null;
  private loaded: string | null = null;
  private fresh: ConversationUpdate[] | null = null;
  private pending = new Map<number, ConversationUpdate>();

  /** The member whose conversation is on show and read; null while there is none. */
  get member(): string | null {
    return this.loaded;
  }

  /** Begins with another conversation, or none. Resolves to whether it is still the one on show when it is read. */
  async show(team: ShownTeam | null, member: string | null): Promise<boolean> {
    this.loaded = null;
    this.fresh = null;
    this.pending.clear();
    const target = team && member !== null ? { team, member } : null;
    this.target = target;
    if (!target) return false;
    const conversation = await target.team.conversation(target.member);
    if (this.target !== target) return false;
    this.loaded = target.member;
    this.fresh = conversationTail(conversation, TAIL_ITEMS, TAIL_CHARACTERS);
    return true;
  }

  /** Notes what is new; tells whether it is on show. */
  add(member: string, updates: readonly ConversationUpdate[]): boolean {
    if (member !== this.loaded) return false;
    for (const update of updates) this.pending.set(update.seq, update);
    return true;
  }

  /** The message that brings the webview up to date, once; null where it is. */
  take(): ConversationMessage | null {
    const { fresh, loaded: member } = this;
    if (member === null || (!fresh && this.pending.size === 0)) return null;
    const items = fresh ?? [...this.pending.values()].sort((one, other) => one.seq - other.seq);
    this.fresh = null;
    this.pending.clear();
    return { type: "conversation", member, reset: fresh !== null, items };
  }
}
