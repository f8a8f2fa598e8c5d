import { basename, join } from "node:path";
import { agentId } from "../protocol/ids.ts";
import { entrySchema, messageId } from "../protocol/message.ts";
import { foldName, inboxFileName, LEAD_NAME } from "../protocol/names.ts";
import { presenceSchema, type TeamConfig } from "../protocol/team.ts";
import { transcriptRecordSchema } from "../protocol/transcript.ts";
import { isTemporary } from "./atomicFile.ts";
import { type DoctorReport, type Findings, findingsOf } from "./doctorFindings.ts";
import { checkTasks } from "./doctorTasks.ts";
import { createFileCache, type FileCache } from "./fileCache.ts";
import { listDir } from "./folders.ts";
import { isMissing } from "./fsErrors.ts";
import { sortInbox } from "./inboxChanges.ts";
import { listInboxes } from "./inboxReader.ts";
import { leaseFile } from "./leadStore.ts";
import { readLines } from "./lines.ts";
import { isOurTeam } from "./ourTeam.ts";
import type { Outbox } from "./outbox.ts";
import type { TeamPaths } from "./paths.ts";
import { readRaw } from "./rawFile.ts";
import type { StoreContext, StoreFault } from "./storeContext.ts";
import { configFile } from "./teamFile.ts";
import { listTeams, resolveTeam } from "./teamStore.ts";

export interface DoctorStore {
  /**
   * Checks every invariant of the files of the team that a person names (folder, or display name if unique), or of all.
   * Changes nothing, whatever is damaged. Throws `unknown_team` and file failures.
   */
  check(team?: string): Promise<DoctorReport>;
}

/** What one check looks with. `told`: the damaged files that it came by. */
interface DoctorParts {
  context: StoreContext;
  cache: FileCache;
  outbox: Outbox;
  told: StoreFault[];
}

/** The doctor of a store. */
export function createDoctor(store: StoreContext, outbox: Outbox): DoctorStore {
  return {
    async check(team) {
      const report: DoctorReport = { checked: 0, faults: [], notes: [] };
      const told: StoreFault[] = [];
      const context: StoreContext = { ...store, mends: false, tell: (fault) => void told.push(fault) };
      const parts = { context, cache: createFileCache(context), outbox, told };
      const folders =
        team === undefined ? (await listTeams(parts)).map(({ name }) => name) : [await resolveTeam(parts, team)];
      for (const folder of folders) {
        const paths = context.paths.team(folder);
        const ours = await isOurTeam(context, paths).catch(() => false); // what cannot be read is told below
        const findings = findingsOf(report, folder, ours);
        await findings.reading(paths.config, () => examine(parts, paths, findings, report));
      }
      return report;
    },
  };
}

const NOT_EMPTY = "a file that does not parse is never empty";
/** A lock or temporary file that nobody has touched for so long belongs to nobody. */
const LEFT_BEHIND_MS = 60_000;

async function examine(parts: DoctorParts, paths: TeamPaths, findings: Findings, report: DoctorReport): Promise<void> {
  const raw = await readRaw(parts.context, paths.config);
  if (raw === undefined) return; // it went meanwhile
  report.checked += 1;
  const config = configFile(paths).parse(raw);
  if (!config) {
    const repair = findings.byHand(
      paths.config,
      `Mend ${paths.config} by hand, or look at the team: that puts the last whole copy of it in place.`,
    );
    findings.fault(paths.config, NOT_EMPTY, "The configuration of the team cannot be read.", repair);
    return;
  }
  checkMembers(paths, config, findings);
  const { context } = parts;
  await findings.reading(paths.tasks, () => checkTasks(parts, paths, config, findings));
  await findings.reading(paths.inboxes, () => checkInboxes(context, paths, config, findings));
  await findings.reading(paths.lead, () => checkLead(context, paths, findings));
  await findings.reading(paths.presences, () => checkPresences(context, paths, findings));
  await findings.reading(outboxesOf(paths), () => checkOutboxes(parts, paths, findings));
  await findings.reading(paths.transcripts, () => checkTranscripts(context, paths, findings));
  for (const dir of [paths.dir, paths.inboxes, paths.tasks, paths.own, paths.transcripts])
    await findings.reading(dir, () => checkLeftovers(context, dir, findings));
}

function checkMembers(paths: TeamPaths, config: TeamConfig, findings: Findings): void {
  const repair = `Mend ${paths.config} by hand.`;
  const habit = (invariant: string, message: string) => findings.habit(paths.config, invariant, message, repair);
  if (config.name !== paths.folder) {
    habit("the folder's name is the team's", `config.json names the team ${JSON.stringify(config.name)}.`);
  }
  const names = new Set<string>();
  const files = new Set<string>();
  for (const member of config.members) {
    if (names.has(foldName(member.name))) {
      findings.fault(paths.config, "names are unique", `Two members are called ${member.name}.`, repair);
    } else if (files.has(inboxFileName(member.name).toLowerCase())) {
      habit("two names never share a file", `${member.name} shares its inbox with another member.`);
    }
    names.add(foldName(member.name));
    files.add(inboxFileName(member.name).toLowerCase());
    if (member.agentId !== agentId(member.name, config.name)) {
      habit("agentId is name@team", `The agentId of ${member.name} is ${JSON.stringify(member.agentId)}.`);
    }
  }
  if (!config.members.some(({ name }) => name === LEAD_NAME)) habit("a team has a lead", `There is no ${LEAD_NAME}.`);
}

async function checkInboxes(
  context: StoreContext,
  paths: TeamPaths,
  config: TeamConfig,
  findings: Findings,
): Promise<void> {
  const members = new Set(config.members.map((member) => inboxFileName(member.name)));
  for (const agent of await listInboxes(context, paths)) {
    const path = join(paths.inboxes, `${agent}.json`);
    await findings.reading(path, async () => {
      findings.checked(1);
      checkInbox(await readRaw(context, path), { path, agent }, findings);
    });
    if (!members.has(agent)) findings.note(`${agent} is no member any more; its inbox is kept.`);
    await findings.reading(paths.archive(agent), () => checkArchive(context, paths, agent, findings));
  }
}

function checkInbox(raw: unknown, { path, agent }: { path: string; agent: string }, findings: Findings): void {
  if (!Array.isArray(raw)) {
    const repair = "The next message to it sets it aside under muster/corrupt; mend it by hand to keep all of it.";
    findings.fault(path, NOT_EMPTY, `The inbox of ${agent} cannot be read.`, findings.byHand(path, repair));
    return;
  }
  const { entries, bad } = sortInbox(raw);
  if (bad.length > 0) {
    const message = `${bad.length} messages to ${agent} are malformed.`;
    const repair = findings.byHand(path, "The next message to it sets them aside.");
    findings.fault(path, "every message can be read", message, repair);
  }
  const ids = entries.map(messageId);
  for (const id of ids.filter((one, index) => ids.indexOf(one) !== index)) {
    const message = `The inbox of ${agent} holds ${id} twice.`;
    findings.habit(path, "a message is there once", message, "Remove one of them.");
  }
}

async function checkArchive(context: StoreContext, paths: TeamPaths, agent: string, findings: Findings): Promise<void> {
  const path = paths.archive(agent);
  const { values, bad } = await readLines(context.fs, path);
  if (values.length + bad.length === 0) return;
  findings.checked(1);
  const damaged = bad.length + values.filter((value) => !entrySchema.safeParse(value).success).length;
  if (damaged === 0) return;
  const message = `${damaged} lines of the archive of ${agent} are damaged.`;
  findings.fault(path, "every message can be read", message, "Remove these lines.");
}

function outboxesOf({ own }: TeamPaths): string {
  return join(own, "outbox");
}

async function checkOutboxes({ context, outbox }: DoctorParts, paths: TeamPaths, findings: Findings): Promise<void> {
  const dir = outboxesOf(paths);
  for (const name of (await listDir(context.fs, dir)).filter((entry) => entry.endsWith(".jsonl"))) {
    const path = join(dir, name);
    await findings.reading(path, async () => {
      findings.checked(1);
      const agent = basename(name, ".jsonl");
      const unsent = await outbox.unsettled(paths, agent);
      if (unsent.length === 0) return;
      const message = `${unsent.length} messages of ${agent} were left by a process that ended, and may not have been sent.`;
      findings.fault(path, "what is written down is sent", message, `Start ${agent} again: it sends them.`);
    });
  }
}

async function checkTranscripts(context: StoreContext, paths: TeamPaths, findings: Findings): Promise<void> {
  for (const name of await listDir(context.fs, paths.transcripts)) {
    const path = join(paths.transcripts, name);
    await findings.reading(path, async () => {
      findings.checked(1);
      const { values, bad } = await readLines(context.fs, path);
      const damaged = bad.length + values.filter((value) => !transcriptRecordSchema.safeParse(value).success).length;
      if (damaged === 0) return;
      const message = `${damaged} lines of the transcript of ${basename(name, ".jsonl")} cannot be read.`;
      findings.fault(path, "every record can be read", message, "They are left out; remove them.");
    });
  }
}

async function checkLead(context: StoreContext, paths: TeamPaths, findings: Findings): Promise<void> {
  const raw = await readRaw(context, paths.lead);
  if (raw === undefined) return;
  findings.checked(1);
  if (leaseFile(paths).parse(raw)) return;
  const repair = `Remove ${paths.lead} once no window and no command leads the team.`;
  findings.fault(paths.lead, NOT_EMPTY, "Who leads the team cannot be read.", repair);
}

async function checkPresences(context: StoreContext, paths: TeamPaths, findings: Findings): Promise<void> {
  for (const name of (await listDir(context.fs, paths.presences)).filter((entry) => entry.endsWith(".json"))) {
    const path = join(paths.presences, name);
    await findings.reading(path, async () => {
      const raw = await readRaw(context, path);
      if (raw === undefined) return; // its member left meanwhile
      findings.checked(1);
      if (presenceSchema.safeParse(raw).success) return;
      const agent = basename(name, ".json");
      const repair = `The next sign of life of ${agent} replaces it; where it runs no more, remove ${path}.`;
      findings.fault(path, NOT_EMPTY, `The state of ${agent} cannot be read.`, repair);
    });
  }
}

/** Locks without a living holder, and temporary files of writers that were ended in between. */
async function checkLeftovers(context: StoreContext, dir: string, findings: Findings): Promise<void> {
  for (const name of await listDir(context.fs, dir)) {
    const path = join(dir, name);
    const isLock = name.endsWith(".lock") && name !== ".lock";
    if (!(isLock || isTemporary(name)) || (await ageOf(context, path)) < LEFT_BEHIND_MS) continue;
    if (isLock) {
      const repair = `It is taken over when it is next needed. Remove ${path}.`;
      findings.fault(path, "locks are held for milliseconds", "A lock was left behind.", repair);
    } else {
      findings.fault(path, "nothing is left behind", "A temporary file was left behind.", `Remove ${path}.`);
    }
  }
}

async function ageOf(context: StoreContext, path: string): Promise<number> {
  try {
    return Date.now() - Number((await context.fs.stat(path)).mtimeNs / 1_000_000n);
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
