import { isMusterError, MusterError } from "../base/errors.ts";
import { SerialQueue } from "../base/serial.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import { type TranscriptRecord, transcriptRecordSchema } from "../protocol/transcript.ts";
import { ensureDir, listDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import { appendLines, type LineFile, type LinesRead, readLines } from "./lines.ts";
import type { StoreContext } from "./storeContext.ts";

/** Whose records: a member's, a lead's before it has a team, or a member's of a finished team (its history folder). */
export type TranscriptOwner =
  | { team: string; agent: string }
  | { leadSession: string }
  | { finished: string; agent: string };

/** Records from an offset on, and the offset for the next read (bytes). */
export interface TranscriptTail {
  records: TranscriptRecord[];
  next: number;
}

export interface TranscriptStore {
  /** Appends one record; records of one owner are written in order of the calls. */
  append(owner: TranscriptOwner, record: TranscriptRecord): Promise<void>;
  /** All records. An unfinished last line is left out; other damaged lines are left out and told. */
  read(owner: TranscriptOwner): Promise<TranscriptRecord[]>;
  /** Records whose lines were completed since `offset`, for following a transcript. */
  readFrom(owner: TranscriptOwner, offset: number): Promise<TranscriptTail>;
  /** File names, without `.jsonl`, of all who ever wrote: members, and those that are gone. */
  list(team: string): Promise<string[]>;
  /** The lead of this session has a team now: its transcript moves there, and so does what is still appended. */
  moveLead(sessionId: string, team: string): Promise<void>;
}

/** The transcripts of a store. */
export function createTranscriptStore(context: StoreContext): TranscriptStore {
  const queue = new SerialQueue();
  const moved = new Map<string, string>();
  const locate = (owner: TranscriptOwner) => locateTranscript(context, owner, moved);
  return {
    async append(owner, record) {
      // one queue for each file: also where a lead's transcript moves while its record waits
      for (let file = locate(owner), done = false; !done; file = locate(owner)) {
        done = await queue.run(file.path, async () => {
          if (locate(owner).path !== file.path) return false;
          try {
            await withFileErrors("The transcript was not written", file.path, () =>
              appendRecord(context, file, record),
            );
            return true;
          } catch (error) {
            const followed = "leadSession" in owner && isMusterError(error, "unknown_team");
            if (followed && moved.delete(owner.leadSession)) return false; // its team has ended: it goes on without one
            throw error;
          }
        });
      }
    },
    async read(owner) {
      const { path } = locate(owner);
      const read = await withFileErrors("The transcript cannot be read", path, () => readLines(context.fs, path));
      return parseRecords(context, owner, path, read);
    },
    async readFrom(owner, offset) {
      const { path } = locate(owner);
      const read = await withFileErrors("The transcript cannot be read", path, () =>
        readLines(context.fs, path, offset),
      );
      return { records: parseRecords(context, owner, path, read), next: read.next };
    },
    list: (team) => {
      const { transcripts } = context.paths.team(team);
      return withFileErrors("The transcripts cannot be listed", transcripts, async () =>
        (await listDir(context.fs, transcripts)).flatMap((name) =>
          name.endsWith(".jsonl") ? [name.slice(0, -6)] : [],
        ),
      );
    },
    async moveLead(sessionId, team) {
      if (moved.get(sessionId) === team) return;
      moved.delete(sessionId);
      await queue.run(locate({ leadSession: sessionId }).path, () =>
        queue.run(locate({ team, agent: LEAD_NAME }).path, async () => {
          await moveLead(context, sessionId, team);
          moved.set(sessionId, team);
        }),
      );
    },
  };
}

function locateTranscript(context: StoreContext, owner: TranscriptOwner, moved: ReadonlyMap<string, string>): LineFile {
  if ("leadSession" in owner) {
    const team = moved.get(owner.leadSession);
    if (team === undefined) return { path: context.paths.leadTranscript(owner.leadSession), top: null };
    return locateTranscript(context, { team, agent: LEAD_NAME }, moved);
  }
  const paths = "team" in owner ? context.paths.team(owner.team) : context.paths.finished(owner.finished);
  return { path: paths.transcript(owner.agent), top: paths.dir };
}

async function appendRecord(context: StoreContext, file: LineFile, record: TranscriptRecord): Promise<void> {
  try {
    await appendLines(context.fs, file, [record], { torn: "truncate" });
  } catch (error) {
    if (!isMissing(error) || file.top === null) throw error;
    throw new MusterError("unknown_team", "The transcript was not written: its team was deleted.", { cause: error });
  }
}

function parseRecords(
  context: StoreContext,
  owner: TranscriptOwner,
  path: string,
  read: LinesRead,
): TranscriptRecord[] {
  const records: TranscriptRecord[] = [];
  let damaged = read.bad.length;
  for (const value of read.values) {
    const parsed = transcriptRecordSchema.safeParse(value);
    if (parsed.success) records.push(parsed.data);
    else damaged += 1;
  }
  if (damaged > 0) {
    const lines = damaged === 1 ? "One line" : `${damaged} lines`;
    const message = `${lines} of the transcript ${path} cannot be read and are left out.`;
    context.tell({ team: "team" in owner ? owner.team : null, file: path, message });
  }
  return records;
}

async function moveLead(context: StoreContext, sessionId: string, team: string): Promise<void> {
  const source = context.paths.leadTranscript(sessionId);
  const { transcripts, transcript, dir } = context.paths.team(team);
  const target = transcript(LEAD_NAME);
  await withFileErrors("The lead's transcript was not moved into its team", target, async () => {
    await ensureDir(context.fs, transcripts, dir);
    const { values } = await readLines(context.fs, target);
    try {
      if (values.length === 0) await context.fs.rename(source, target);
      else await appendAll(context, source, { path: target, top: dir });
    } catch (error) {
      if (!isMissing(error)) throw error; // nothing was said yet
    }
  });
}

async function appendAll(context: StoreContext, source: string, target: LineFile): Promise<void> {
  const { values } = await readLines(context.fs, source);
  if (values.length > 0) await appendLines(context.fs, target, values, { torn: "truncate" });
  await context.fs.unlink(source);
}
