import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { errorMessage } from "../base/errors.ts";
import { SerialQueue } from "../base/serial.ts";
import { inboxFileName } from "../protocol/names.ts";
import { isBusy, SUSPECT_AFTER_MS } from "../protocol/team.ts";
import { newestIncarnation, type TranscriptRecord, textOf } from "../protocol/transcript.ts";
import { type RunningMember, type SessionContext, teamOf } from "./context.ts";
import { createListening } from "./listening.ts";
import { adoptRequests } from "./requests/remoteRequests.ts";
import { toolArgument } from "./views/toolArgument.ts";

/** What this host knows of a teammate that is a process of its own, kept up from its files. */
export interface RemoteFollower extends Disposable {
  /** Reads what its transcript holds by now. */
  catchUp(): Promise<void>;
}

/** How often it is looked whether the member has been heard of, in ms. */
const LOOK_MS = 5_000;

/** Follows a process member: its state from its presence, what it says and does from its transcript, its requests. */
export function followRemote(context: SessionContext, running: RunningMember): RemoteFollower {
  const { watch } = teamOf(context);
  const owned = new DisposableStore();
  const file = inboxFileName(running.member.name);
  const reader = createReader(context, running);
  const seen = new Set<string>();
  const adopt = () => adoptRequests(context, running, seen);
  const listening = createListening();
  const look = () => {
    takePresence(context, running, listening(context.options.clock.now()));
    adopt();
  };
  owned.add(watch.onDidChange(look));
  owned.add(watch.onTranscript((name) => name === file && void reader.read()));
  owned.add(watch.onLive((name) => name === file && void reader.readLive()));
  const mailroom = context.lead.mailroom;
  if (mailroom) owned.add(mailroom.onDidChange(adopt));
  const timer = setInterval(look, LOOK_MS);
  owned.defer(() => clearInterval(timer));
  void reader.read();
  look();
  return { catchUp: reader.read, dispose: () => owned.dispose() };
}

/** Takes what the transcript of a process holds that came to nothing: it may have been at work before its lead knew. */
export async function takeUnfollowed(context: SessionContext, running: RunningMember): Promise<void> {
  await createReader(context, running).read();
}

function takePresence({ team, options }: SessionContext, running: RunningMember, hasListened: boolean): void {
  const { member } = running;
  const presence = team?.watch.snapshot.presence.get(inboxFileName(member.name));
  if (!presence || presence.nonce !== running.nonce) return;
  const silent = options.clock.now() - presence.beat > SUSPECT_AFTER_MS;
  running.claims = presence.state === "idle" && presence.reason === undefined;
  if (presence.mode !== undefined) member.permission = { mode: presence.mode, fixed: presence.fixed ?? true };
  if (silent && !hasListened) return; // it may have been heard of meanwhile
  if (silent) member.setState("suspect", "It has not been heard of for a while.");
  else member.setState(presence.state, presence.reason ?? null);
  if (!isBusy(presence.state)) member.setActivity(null);
}

interface Reader {
  read(): Promise<void>;
  readLive(): Promise<void>;
}

function createReader(context: SessionContext, running: RunningMember): Reader {
  const { store, logger } = context.options;
  const { folder } = teamOf(context);
  const { name } = running.member;
  const queue = new SerialQueue();
  let offset = 0;
  let known = running.transcript.length; // of a member that goes on
  const read = async () => {
    const { records, next } = await store.transcripts.readFrom({ team: folder, agent: name }, offset);
    const own = offset === 0 ? records.slice(newestIncarnation(records)) : records;
    offset = next;
    const fresh = own.slice(Math.min(known, own.length));
    known -= own.length - fresh.length;
    for (const record of fresh) takeRecord(context, running, record);
  };
  const failed = (error: unknown) => logger.debug(`What ${name} does cannot be read: ${errorMessage(error)}`);
  return {
    read: () => queue.run("read", read).catch(failed),
    readLive: async () => {
      try {
        const text = await store.live.read(folder, name);
        context.texts.fire({ member: name, text: null });
        if (text !== "") context.texts.fire({ member: name, text });
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** Tells of a record as of one of this process. */
function takeRecord(context: SessionContext, running: RunningMember, record: TranscriptRecord): void {
  const { member, transcript } = running;
  const { name } = member;
  const { events } = context;
  transcript.push(record);
  context.records.fire({ member: name, record });
  if (record.kind === "reply") {
    context.texts.fire({ member: name, text: null });
    member.addUsage(record);
    const text = textOf(record.content);
    if (text.trim() !== "") events.fire({ type: "text", member: name, text });
    events.fire({ type: "usage", member: name, ...record.usage });
  } else if (record.kind === "summary") {
    member.addUsage(record);
    events.fire({ type: "usage", member: name, ...record.usage });
  } else if (record.kind === "tool_start") {
    const input = inputOf(transcript, record.toolUseId);
    member.setActivity({ tool: record.name, argument: toolArgument(record.name, input) });
    events.fire({ type: "tool_start", member: name, id: record.toolUseId, name: record.name, input });
  } else if (record.kind === "tool_result") {
    member.setActivity(null);
    const { tool_use_id: id, is_error } = record.result;
    events.fire({ type: "tool_end", member: name, id, ok: !is_error, ms: record.ms });
  }
}

function inputOf(transcript: readonly TranscriptRecord[], id: string): Record<string, unknown> {
  for (const record of transcript.toReversed()) {
    if (record.kind !== "reply") continue;
    for (const block of record.content) if (block.type === "tool_use" && block.id === id) return block.input;
  }
  return {};
}
