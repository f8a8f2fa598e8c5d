import * as z from "zod";
import { SerialQueue } from "../base/serial.ts";
import { type Entry, entrySchema } from "../protocol/message.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import { appendLines, readLines } from "./lines.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";

/**
 * `muster/outbox/{agent}.jsonl`: what an agent is about to send, written before it is sent, so that a crash between the
 * two loses nothing. A line with op `send` is settled by a later `done` of the same id, or by its own op turned into
 * `fail` in place (that needs no space on a full disk).
 */
export interface Outbox {
  /** Writes down what will be sent. */
  intend(paths: TeamPaths, from: string, sends: readonly OutgoingEntry[], durable: boolean): Promise<void>;
  /** The entries are in their inboxes: a replay leaves them alone. */
  settle(paths: TeamPaths, from: string, ids: readonly string[]): Promise<void>;
  /** The sender was told that this was not sent: a replay must not send it. */
  cancel(paths: TeamPaths, from: string, id: string): Promise<void>;
  /** Entries that a process that is gone wrote down and never settled. */
  unsettled(paths: TeamPaths, from: string): Promise<OutgoingEntry[]>;
  /** Whether this sender ever wrote an entry with this id down. */
  wrote(paths: TeamPaths, from: string, id: string): Promise<boolean>;
  /** Every entry that it still holds whole, those too that were sent long ago. */
  sends(paths: TeamPaths, from: string): Promise<OutgoingEntry[]>;
}

/** An entry on its way to one member. */
export interface OutgoingEntry {
  to: string;
  entry: Entry & { msg_id: string };
  mustArrive: boolean;
  /** Its host spoke for its sender: a command that sends in the person's name does not. */
  authority: boolean;
}

/** Makes the outboxes of a store. */
export function createOutbox(context: StoreContext): Outbox {
  const queue = new SerialQueue();
  const locked = <T>(paths: TeamPaths, from: string, job: (path: string) => Promise<T>) => {
    const path = paths.outbox(from);
    return queue.run(path, () => job(path));
  };
  return {
    intend: (paths, from, sends, durable) =>
      locked(paths, from, async (path) => {
        const by = await context.processes.self();
        const lines = sends.map(({ to, entry, mustArrive, authority }) => ({
          op: "send",
          msg_id: entry.msg_id,
          to,
          mustArrive,
          ...(authority ? { authority } : {}),
          by,
          entry,
        }));
        await appendLines(context.fs, { path, top: paths.dir }, lines, { torn: "newline", durable });
      }),
    settle: (paths, from, ids) =>
      locked(paths, from, async (path) => {
        const lines = ids.map((id) => ({ op: "done", msg_id: id }));
        const size = await appendLines(context.fs, { path, top: paths.dir }, lines, { torn: "newline" });
        if (size > LARGE) await compact(context, path);
      }),
    cancel: (paths, from, id) => locked(paths, from, (path) => turnIntoFail(context, path, id)),
    unsettled: (paths, from) => locked(paths, from, (path) => readUnsettled(context, path)),
    wrote: (paths, from, id) =>
      locked(paths, from, async (path) => (await readRecords(context, path)).some((record) => record.msg_id === id)),
    sends: (paths, from) =>
      locked(paths, from, async (path) =>
        (await readRecords(context, path)).flatMap((record) => (record.op === "send" ? [outgoing(record)] : [])),
      ),
  };
}

const recordSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("send"),
    msg_id: z.string(),
    to: z.string(),
    mustArrive: z.boolean(),
    authority: z.exactOptional(z.boolean()),
    by: z.object({ pid: z.number(), host: z.string(), startTime: z.nullable(z.string()) }),
    entry: entrySchema,
  }),
  z.looseObject({ op: z.enum(["done", "fail"]), msg_id: z.string() }),
]);
type OutboxRecord = z.infer<typeof recordSchema>;
type SendRecord = Extract<OutboxRecord, { op: "send" }>;

const LARGE = 512 * 1024;
/** Ids that stay known after a compaction. */
const KEPT_IDS = 5_000;
/** What of the newest messages stays whole after a compaction, in characters. */
const KEPT_CHARACTERS = 128 * 1024;

async function readRecords(context: StoreContext, path: string): Promise<OutboxRecord[]> {
  const { values } = await readLines(context.fs, path);
  return values.flatMap((value) => {
    const parsed = recordSchema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}

function openSends(records: readonly OutboxRecord[]): SendRecord[] {
  const settled = new Set(records.flatMap((record) => (record.op === "send" ? [] : [record.msg_id])));
  return records.flatMap((record) => (record.op === "send" && !settled.has(record.msg_id) ? [record] : []));
}

async function readUnsettled(context: StoreContext, path: string): Promise<OutgoingEntry[]> {
  const open = openSends(await readRecords(context, path));
  const unsettled: OutgoingEntry[] = [];
  for (const record of open) {
    const { by } = record;
    const self = await context.processes.self();
    const own = by.pid === self.pid && by.startTime === self.startTime;
    if (own || (await context.processes.state(by)) === "alive") continue; // it is still at it
    unsettled.push(outgoing(record));
  }
  return unsettled;
}

function outgoing({ to, entry, msg_id, mustArrive, authority = false }: SendRecord): OutgoingEntry {
  return { to, entry: { ...entry, msg_id }, mustArrive, authority };
}

async function turnIntoFail(context: StoreContext, path: string, id: string): Promise<void> {
  const { bytes } = await context.fs.read(path);
  const start = bytes.indexOf(`{"op":"send","msg_id":${JSON.stringify(id)}`);
  if (start >= 0) await context.fs.patch(path, start, '{"op":"fail"');
}

/** Drops the bodies of what was settled long ago; the ids stay. */
async function compact(context: StoreContext, path: string): Promise<void> {
  const records = await readRecords(context, path);
  const open = openSends(records);
  const openIds = new Set(open.map((record) => record.msg_id));
  const ids = [...new Set(records.map((record) => record.msg_id))].filter((id) => !openIds.has(id)).slice(-KEPT_IDS);
  const recent = newestSends(records.filter((record) => !openIds.has(record.msg_id)));
  const lines = [...recent, ...ids.map((id) => ({ op: "done", msg_id: id })), ...open];
  await writeFileAtomic(context.fs, path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** The newest of them, oldest first, in {@link KEPT_CHARACTERS} together. */
function newestSends(records: readonly OutboxRecord[]): SendRecord[] {
  const kept: SendRecord[] = [];
  let bytes = 0;
  for (const record of records.toReversed()) {
    if (record.op !== "send") continue;
    bytes += JSON.stringify(record).length;
    if (bytes > KEPT_CHARACTERS) break;
    kept.unshift(record);
  }
  return kept;
}
