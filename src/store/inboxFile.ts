import type { Entry } from "../protocol/message.ts";
import { setAside } from "./corruptFiles.ts";
import { withDir } from "./folders.ts";
import { appendEntry, isPlainEntry, rawId, sortInbox } from "./inboxChanges.ts";
import { changeLocked, type JsonContent, type JsonFile, updateJson } from "./jsonFile.ts";
import { appendLines } from "./lines.ts";
import { lockOf, type TeamPaths } from "./paths.ts";
import { salvageElements } from "./salvageJson.ts";
import type { StoreContext } from "./storeContext.ts";

/** One member's inbox as raw elements. Throws nothing for malformed ones: they are sorted out where they are used. */
export function inboxFile(paths: TeamPaths, agent: string): JsonFile<unknown[]> {
  const path = paths.inbox(agent);
  return {
    path,
    lock: lockOf(path),
    home: paths,
    what: `the inbox of ${agent}`,
    parse: (raw) => (Array.isArray(raw) ? raw : undefined),
    salvage: (text) => withoutBad(salvageElements(text)),
  };
}

function withoutBad(raw: unknown[]): unknown[] {
  const bad = new Set(sortInbox(raw).bad);
  return raw.filter((element) => !bad.has(element));
}

/**
 * Changes a raw inbox under its lock. Malformed elements are set aside on this occasion. `change` gets the inbox and its
 * size in bytes and returns the new elements, or null where nothing changes.
 */
export async function changeInbox<R>(
  context: StoreContext,
  paths: TeamPaths,
  agent: string,
  change: (raw: unknown[], bytes: number) => InboxChange<R> | Promise<InboxChange<R>>,
  durable = false,
): Promise<R> {
  const file = inboxFile(paths, agent);
  return await withDir(context.fs, paths.inboxes, paths.dir, () =>
    updateJson(
      context,
      file,
      async (content) => {
        const { raw, cleaned } = await withoutMalformed(context, paths, file, content);
        const { next, result } = await change(raw, content?.bytes.length ?? 0);
        const changed = next ?? (cleaned ? raw : undefined);
        return changed === undefined ? { result } : { next: changed, result };
      },
      { durable },
    ),
  );
}

export interface InboxChange<R> {
  next: unknown[] | null;
  result: R;
}

export interface Delivery {
  /** The entry outlives a loss of power. */
  durable?: boolean;
  /** Called under the inbox's lock: throws where the entry is not to be put there after all. */
  check?: () => Promise<void>;
}

/** Puts an entry into an inbox once. Resolves to the ids that were there before it. */
export async function deliver(
  context: StoreContext,
  paths: TeamPaths,
  agent: string,
  entry: Entry,
  { durable = false, check }: Delivery = {},
): Promise<string[]> {
  return await changeInbox(
    context,
    paths,
    agent,
    async (raw, bytes) => {
      await check?.();
      const { next, archived, before } = appendEntry(raw, entry, agent, bytes);
      await archiveEntries(context, paths, agent, archived);
      return { next, result: before };
    },
    durable,
  );
}

/** Takes an entry out of an inbox again, under its lock; an inbox that holds nothing else goes. */
export async function removeEntry(context: StoreContext, paths: TeamPaths, agent: string, id: string): Promise<void> {
  const file = inboxFile(paths, agent);
  await context.locks.run(file.lock, async (held) => {
    const isEmpty = await changeLocked(context, file, held, (content) => {
      const raw = content?.value ?? [];
      const next = raw.filter((element) => !rawId(element).includes(id));
      const isNew = next.length > 0 && next.length < raw.length;
      return { ...(isNew ? { next } : {}), result: content !== undefined && next.length === 0 };
    });
    if (!isEmpty) return;
    await held.assertHeld();
    await context.fs.unlink(file.path);
  });
}

/** Appends elements to the member's archive, one a line; in its inbox's lock. */
export async function archiveEntries(
  context: StoreContext,
  paths: TeamPaths,
  agent: string,
  elements: readonly unknown[],
): Promise<void> {
  if (elements.length === 0) return;
  const file = { path: paths.archive(agent), top: paths.dir };
  await appendLines(context.fs, file, elements, { torn: "truncate", durable: true });
}

async function withoutMalformed(
  context: StoreContext,
  paths: TeamPaths,
  file: JsonFile<unknown[]>,
  content: JsonContent<unknown[]> | undefined,
): Promise<{ raw: unknown[]; cleaned: boolean }> {
  if (!content) return { raw: [], cleaned: false };
  const raw = content.value;
  if (raw.every(isPlainEntry)) return { raw, cleaned: false };
  const valid = withoutBad(raw);
  if (valid.length === raw.length) return { raw, cleaned: false };
  const kept = await setAside(context, paths, file.path, content.bytes);
  if (kept === undefined) return { raw, cleaned: false };
  return { raw: valid, cleaned: true };
}
