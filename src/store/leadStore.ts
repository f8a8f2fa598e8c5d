import * as z from "zod";
import { MusterError } from "../base/errors.ts";
import type { FileCache } from "./fileCache.ts";
import { ensureDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import { type JsonChange, type JsonFile, readJson, updateJson } from "./jsonFile.ts";
import { lockOf, type TeamPaths } from "./paths.ts";
import type { ProcessIdentity } from "./processIdentity.ts";
import { salvageJson } from "./salvageJson.ts";
import type { StoreContext } from "./storeContext.ts";

/** Who leads a team: one session in one process. Times in ms; `beat` is renewed while it leads. */
const leadLeaseSchema = z.looseObject({
  sessionId: z.string(),
  pid: z.number(),
  host: z.string(),
  startTime: z.nullable(z.string()),
  since: z.number(),
  beat: z.number(),
  /** Another process wants to lead, since then (ms): the lead gives the team up after its turn. */
  handover: z.optional(z.number()),
  /** The same, where no person can see the window that leads: it lost its connection. */
  handoverIfUnseen: z.optional(z.number()),
});
export type LeadLease = z.infer<typeof leadLeaseSchema>;

/** The last sign of life of a process, as a lease or a presence shows it. `beat` in ms. */
type SignOfLife = ProcessIdentity & { beat: number };

/** `muster/lead.json`: of two windows on one team only one leads. */
export interface LeadStore {
  /** Takes the lead. Throws `lead_elsewhere`, saying who leads, while another process does. */
  acquire(team: string, sessionId: string): Promise<LeadLease>;
  /** Says that this process still leads. Throws `lead_elsewhere` where another one took over. */
  renew(team: string, sessionId: string): Promise<void>;
  /**
   * Asks the process that leads to give the team up; `ifUnseen`: only where no person can see its window. Does nothing
   * where nobody leads.
   */
  askHandover(team: string, when?: "always" | "ifUnseen"): Promise<void>;
  /** Gives the lead up, if this process has it. */
  release(team: string, sessionId: string): Promise<void>;
  /** The same object as before where the file did not change: it must not be changed. */
  read(team: string): Promise<LeadLease | null>;
  /**
   * Runs `job` with who leads, null: nobody does. Until it has ended nobody else takes the lead or runs a job of this
   * kind. It must be short; what it throws passes.
   */
  withLead<T>(team: string, job: (lease: LeadLease | null) => Promise<T>): Promise<T>;
  /** Whether the process of a lease still leads; of a presence: whether its process still gives signs of life. */
  isLive(sign: SignOfLife): Promise<boolean>;
}

/** The leases of a store. */
export function createLeadStore(context: StoreContext, cache: FileCache): LeadStore {
  const isLive = (sign: SignOfLife) => isStillShown(context, sign);
  const change = (team: string, job: (lease: LeadLease | null) => Promise<JsonChange<LeadLease | null>>) =>
    changeLease(context, team, job);
  return {
    isLive,
    async acquire(team, sessionId) {
      const taken = await change(team, async (lease) => {
        if (lease && !(await isOwn(context, lease)) && (await isLive(lease))) throw ledElsewhere(team, lease);
        const now = context.clock.now();
        const next = { sessionId, ...(await context.processes.self()), since: now, beat: now };
        return { next, result: next };
      });
      if (!taken) throw new Error("No lease was written.");
      return taken;
    },
    async renew(team, sessionId) {
      await change(team, async (lease) => {
        if (!lease || lease.sessionId !== sessionId || !(await isOwn(context, lease))) throw ledElsewhere(team, lease);
        return { next: { ...lease, beat: context.clock.now() }, result: lease };
      });
    },
    async askHandover(team, when = "always") {
      const field = when === "always" ? "handover" : "handoverIfUnseen";
      await change(team, async (lease) => ({
        ...(lease && (await isLive(lease)) ? { next: { ...lease, [field]: context.clock.now() } } : {}),
        result: lease,
      }));
    },
    async release(team, sessionId) {
      const { lead } = context.paths.team(team);
      await withFileErrors("The lead was not given up", lead, () =>
        ignoringMissing(
          context.locks.run(lockOf(lead), async (held) => {
            const lease = await readLease(context, context.paths.team(team));
            if (lease?.sessionId !== sessionId || !(await isOwn(context, lease))) return;
            await held.assertHeld();
            await context.fs.unlink(lead);
          }),
        ),
      );
    },
    async withLead(team, job) {
      const paths = context.paths.team(team);
      return await withFileErrors(`Who leads team ${team} cannot be read`, paths.lead, async () => {
        await ensureDir(context.fs, paths.own, paths.dir);
        return await context.locks.run(lockOf(paths.lead), async () => {
          const lease = await readLease(context, paths);
          return await job(lease && (await isLive(lease)) ? lease : null);
        });
      });
    },
    read: (team) => {
      const paths = context.paths.team(team);
      return withFileErrors(`Who leads team ${team} cannot be read`, paths.lead, async () => {
        const read = await cache.read(leaseFile(paths));
        return read.kind === "ok" ? read.value : null;
      });
    },
  };
}

/** Reads who leads a team, live or finished. */
export async function readLease(context: StoreContext, paths: TeamPaths): Promise<LeadLease | null> {
  const read = await readJson(context, leaseFile(paths));
  return read.kind === "ok" ? read.value : null;
}

/** A process of another host, which cannot be seen, counts as gone so long after its last sign of life. */
const SILENT_MS = 30_000;

async function isStillShown(context: StoreContext, sign: SignOfLife): Promise<boolean> {
  const state = await context.processes.state(sign);
  return state === "unknown" ? context.clock.now() - sign.beat < SILENT_MS : state === "alive";
}

async function isOwn(context: StoreContext, lease: LeadLease): Promise<boolean> {
  const self = await context.processes.self();
  return lease.pid === self.pid && lease.host === self.host && lease.startTime === self.startTime;
}

async function changeLease(
  context: StoreContext,
  team: string,
  job: (lease: LeadLease | null) => Promise<JsonChange<LeadLease | null>>,
): Promise<LeadLease | null> {
  const paths = context.paths.team(team);
  return await withFileErrors(`Who leads team ${team} could not be written`, paths.lead, async () => {
    await ensureDir(context.fs, paths.own, paths.dir);
    return await updateJson(context, leaseFile(paths), (content) => job(content?.value ?? null));
  });
}

/** `muster/lead.json` of a team. */
export function leaseFile(paths: TeamPaths): JsonFile<LeadLease> {
  return {
    path: paths.lead,
    lock: lockOf(paths.lead),
    home: paths,
    what: `the lead's mark of team ${paths.folder}`,
    parse: (raw) => {
      const parsed = leadLeaseSchema.safeParse(raw);
      return parsed.success ? parsed.data : undefined;
    },
    salvage: salvageJson,
  };
}

/** What to do about a team that another process leads; null: it was taken over. */
export function ledElsewhere(team: string, lease: LeadLease | null): MusterError {
  const who = lease ? `process ${lease.pid} on ${lease.host.split("#")[0]} (session ${lease.sessionId})` : "nobody";
  return new MusterError("lead_elsewhere", `Team ${team} is led by ${who}. Decide there, or end that one first.`);
}

async function ignoringMissing(promise: Promise<void>): Promise<void> {
  try {
    await promise;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
