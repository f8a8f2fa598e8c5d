import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import type { TranscriptRecord } from "../protocol/transcript.ts";
import { addRecord, type Conversation, type ConversationUpdate, emptyConversation } from "../team/conversation.ts";
import type { People } from "../team/people.ts";

interface Kept {
  records: TranscriptRecord[];
  conversation: Conversation;
  streaming: string;
}

/** What the members of a team have said so far, and what they are writing. */
export class MemberTranscripts implements Disposable {
  private readonly people: People;
  private readonly cwd: string | null;
  private readonly members = new Map<string, Kept>();
  private readonly owned = new DisposableStore();
  private readonly conversations = this.owned.add(new Emitter<{ member: string; updates: ConversationUpdate[] }>());
  private readonly streams = this.owned.add(new Emitter<{ member: string; text: string }>());

  /** `cwd`: the project's folder, null where it is not known. */
  constructor(people: People, cwd: string | null) {
    this.people = people;
    this.cwd = cwd;
  }

  readonly onConversation = this.conversations.event;
  readonly onStreaming = this.streams.event;

  add(member: string, records: readonly TranscriptRecord[]): void {
    const kept = this.of(member);
    const updates = records.flatMap((record) => {
      kept.records.push(record);
      return addRecord(kept.conversation, record, this.people);
    });
    if (records.some(({ kind }) => kind === "reply")) this.setStreaming(member, "");
    if (updates.length > 0) this.conversations.fire({ member, updates });
  }

  /** A piece of the reply that is being written; null: what came so far is void, or has become a record. */
  write(member: string, piece: string | null): void {
    this.setStreaming(member, piece === null ? "" : this.of(member).streaming + piece);
  }

  setStreaming(member: string, text: string): void {
    const kept = this.of(member);
    if (kept.streaming === text) return;
    kept.streaming = text;
    this.streams.fire({ member, text });
  }

  records(member: string): readonly TranscriptRecord[] {
    return this.of(member).records;
  }

  /** Records of every member that said or was told something. */
  all(): ReadonlyMap<string, readonly TranscriptRecord[]> {
    return new Map([...this.members].map(([member, { records }]) => [member, records]));
  }

  conversation(member: string): Conversation {
    return this.of(member).conversation;
  }

  streaming(member: string): string {
    return this.of(member).streaming;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private of(member: string): Kept {
    const known = this.members.get(member);
    if (known) return known;
    const kept: Kept = { records: [], conversation: emptyConversation(this.cwd), streaming: "" };
    this.members.set(member, kept);
    return kept;
  }
}
