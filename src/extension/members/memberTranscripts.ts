import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import { type TranscriptRecord, textOf } from "../../protocol/transcript.ts";
import {
  addRecord,
  type Conversation,
  type ConversationUpdate,
  emptyConversation,
} from "../../team/views/conversation.ts";
import type { People } from "../../team/views/people.ts";
import { type EditTexts, editTexts } from "../../team/views/previews.ts";

/** What the members of a team have said so far, and what they are writing. */
export interface MemberTranscripts extends Disposable {
  readonly onConversation: Event<{ member: string; updates: ConversationUpdate[] }>;
  readonly onStreaming: Event<{ member: string; text: string }>;
  add(member: string, records: readonly TranscriptRecord[]): void;
  /** A piece of the reply that is being written; null: what came so far is void, or has become a record. */
  write(member: string, piece: string | null): void;
  /** The whole of the reply that is being written; empty: none is. */
  setStreaming(member: string, text: string): void;
  records(member: string): readonly TranscriptRecord[];
  /** Records of every member that said or was told something. */
  all(): ReadonlyMap<string, readonly TranscriptRecord[]>;
  conversation(member: string): Conversation;
  streaming(member: string): string;
  /** As `ShownTeam.output`. */
  output(member: string, seq: number): string | null;
  /** As `ShownTeam.fileChange`. */
  fileChange(member: string, seq: number): EditTexts | null;
}

interface Kept {
  records: TranscriptRecord[];
  conversation: Conversation;
  streaming: string;
}

/** `cwd`: the project's folder, null where it is not known. */
export function createMemberTranscripts(people: People, cwd: string | null): MemberTranscripts {
  const owned = new DisposableStore();
  const conversations = owned.add(new Emitter<{ member: string; updates: ConversationUpdate[] }>());
  const streams = owned.add(new Emitter<{ member: string; text: string }>());
  const members = new Map<string, Kept>();
  const of = (member: string): Kept => {
    const known = members.get(member) ?? { records: [], conversation: emptyConversation(cwd), streaming: "" };
    members.set(member, known);
    return known;
  };
  const setStreaming = (member: string, text: string) => {
    const kept = of(member);
    if (kept.streaming === text) return;
    kept.streaming = text;
    streams.fire({ member, text });
  };
  return {
    onConversation: conversations.event,
    onStreaming: streams.event,
    add(member, records) {
      const { records: known, conversation } = of(member);
      known.push(...records);
      const updates = records.flatMap((record) => addRecord(conversation, record, people));
      if (records.some(({ kind }) => kind === "reply")) setStreaming(member, "");
      if (updates.length > 0) conversations.fire({ member, updates });
    },
    write: (member, piece) => setStreaming(member, piece === null ? "" : of(member).streaming + piece),
    setStreaming,
    records: (member) => of(member).records,
    all: () => new Map([...members].map(([member, { records }]) => [member, records])),
    conversation: (member) => of(member).conversation,
    streaming: (member) => of(member).streaming,
    output(member, seq) {
      const { records, conversation } = of(member);
      const id = [...conversation.calls].find(([, place]) => place === seq)?.[0];
      const result = records.find((record) => record.kind === "tool_result" && record.result.tool_use_id === id);
      return result?.kind === "tool_result" ? textOf(result.result.content) : null;
    },
    fileChange(member, seq) {
      const { records, conversation } = of(member);
      const id = [...conversation.calls].find(([, place]) => place === seq)?.[0];
      const blocks = records.flatMap((record) => (record.kind === "reply" ? record.content : []));
      const call = blocks.find((block) => block.type === "tool_use" && block.id === id);
      return call?.type === "tool_use" ? editTexts({ tool: call.name, input: call.input }, null) : null;
    },
    dispose: () => owned.dispose(),
  };
}
