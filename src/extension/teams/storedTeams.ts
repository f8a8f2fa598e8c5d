import { errorMessage, isMusterError, MusterError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { Presence } from "../../protocol/team.ts";
import { SHUTDOWN_AGREED } from "../../protocol/transcript.ts";
import { ledElsewhere } from "../../store/leadStore.ts";
import { createStore, type Store } from "../../store/store.ts";
import { startCommitsOf } from "../../team/changes/startCommit.ts";
import type { ModelCatalog } from "../../team/limits/models.ts";
import { memberEnvironment } from "../../team/memberEnvironment.ts";
import { isStillRun, runsAlready } from "../../team/resume/earlierProcess.ts";
import { realFolders } from "../folderPaths.ts";
import { createFinishedTeam, readRemains } from "./finishedTeam.ts";
import { openForeignTeam } from "./foreignTeam.ts";
import type { RememberedTeam } from "./rememberedTeam.ts";
import type { ShownTeam, TeamAddress } from "./shownTeam.ts";

/** A team that can be opened. Times in ms. */
export interface TeamChoice {
  address: TeamAddress;
  title: string;
  members: number | null;
  at: number;
  /** Somebody leads it now. */
  live: boolean;
  /** Muster made it, not another program. */
  ours: boolean;
}

/** What all known state roots hold. `faults`: roots that cannot be read, with why, one sentence. */
export interface KnownTeams {
  choices: TeamChoice[];
  faults: { root: string; why: string }[];
}

/** Opens a team on disk to be read. Throws `unknown_team` and read errors. */
export async function openStoredTeam(
  { address, ...known }: RememberedTeam,
  { models, log }: { models: ModelCatalog; log: Logger },
): Promise<ShownTeam> {
  const store = createStore({ root: address.root, logger: log });
  try {
    if (address.kind === "lead")
      throw new MusterError("unknown_team", "Its lead had made no team yet: there is nothing to read.");
    const ended = address.kind === "finished" || known.result !== null;
    const team = ended
      ? createFinishedTeam(await readRemains(store, address), known, { store, models })
      : await openForeignTeam(store, address, log);
    return withStore(team, store);
  } catch (error) {
    store.dispose();
    throw error;
  }
}

/** Every team of a state root: those that are there, then the finished ones, each the newest first. */
export async function listTeams(root: string, log: Logger): Promise<TeamChoice[]> {
  const store = createStore({ root, logger: log });
  try {
    const [teams, finished] = await Promise.all([store.teams.list(), store.history.list()]);
    const here = await Promise.all(
      teams.map(
        async ({ name, displayName, members, createdAt, ours }): Promise<TeamChoice> => ({
          address: { root, kind: "team", folder: name },
          title: displayName,
          members,
          at: createdAt,
          live: await isLed(store, name, log),
          ours,
        }),
      ),
    );
    const kept = finished.map(
      ({ folder, displayName, finishedAt }): TeamChoice => ({
        address: { root, kind: "finished", folder },
        title: displayName,
        members: null,
        at: finishedAt,
        live: false,
        ours: true,
      }),
    );
    return [...here.sort((one, other) => other.at - one.at), ...kept];
  } finally {
    store.dispose();
  }
}

/** Every team of these state roots. A root that cannot be read takes no other's teams away. */
export async function listKnownTeams(roots: readonly string[], log: Logger): Promise<KnownTeams> {
  const faults: KnownTeams["faults"] = [];
  const lists = await Promise.all(
    roots.map((root) =>
      listTeams(root, log).catch((error: unknown) => {
        log.warn(`The teams of ${root} cannot be listed.`, error);
        faults.push({ root, why: errorMessage(error) });
        return [];
      }),
    ),
  );
  return { choices: lists.flat(), faults };
}

/** The newest team that somebody leads in one of these folders (absolute; links are followed) now, or null. */
export async function findLiveTeam(root: string, folders: readonly string[], log: Logger): Promise<TeamAddress | null> {
  const store = createStore({ root, logger: log });
  try {
    const open = await realFolders(folders, store.pathFs);
    for (const { address, live } of await listTeams(root, log))
      if (live && (await workplaces(store, address.folder, log)).some((folder) => open.includes(folder)))
        return address;
    return null;
  } finally {
    store.dispose();
  }
}

/** The folders that a team's members work in; none where nobody can tell, as it was deleted a moment ago. */
async function workplaces(store: Store, team: string, log: Logger): Promise<string[]> {
  try {
    const { members } = await store.teams.read(team);
    return await realFolders(
      members.flatMap(({ cwd }) => cwd ?? []),
      store.pathFs,
    );
  } catch (error) {
    log.debug(`Nobody can tell where ${team} works.`, error);
    return [];
  }
}

/** How long a window that is about to go away, or a lead that is in the middle of a turn, may take, in ms. */
const PATIENCE_MS = 30_000;
/** A window that is reloaded is gone by then, in ms. */
const RELOAD_MS = 2_000;
const LOOK_MS = 200;

/**
 * Whether nobody leads a team whose lead went away less than `soonMs` after a sign of life, and did not end in order.
 * Waits for a process that is about to go away, and asks one that lost its window to give the team up: a host outlives the
 * connection to its window by minutes, in case that comes back. A lead that has made no team yet is nobody's only once the
 * process that ran it, as far as that is known, is gone.
 */
export async function isLeftSoon(
  { address: { root, kind, folder }, process }: Pick<RememberedTeam, "address" | "process">,
  soonMs: number,
  log: Logger,
): Promise<boolean> {
  const store = createStore({ root, logger: log });
  try {
    if (kind === "lead") {
      const runs = async () => process !== undefined && (await store.processes.state(process)) === "alive";
      if (!(await becomesFalse(runs, PATIENCE_MS))) {
        log.info("The lead of this window does not go on here: the process that ran it still lives.");
        return false;
      }
      const last = (await store.transcripts.read({ leadSession: folder })).at(-1);
      const ended = last?.kind === "run_end" && last.reason === SHUTDOWN_AGREED;
      return last !== undefined && !ended && Date.now() - Date.parse(last.at) <= soonMs;
    }
    const goesOn = async () => {
      const lead = await store.presence.read(folder, LEAD_NAME);
      return lead !== null && !lead.ended && Date.now() - lead.beat <= soonMs;
    };
    if (!(await goesOn())) return false;
    if (await becomesFree(store, folder, RELOAD_MS, log)) return await goesOn();
    await store.leads.askHandover(folder, "ifUnseen");
    return (await becomesFree(store, folder, PATIENCE_MS, log)) && (await goesOn());
  } finally {
    store.dispose();
  }
}

/** Asks whoever leads a team to give it up. Resolves to whether nobody leads it any more. */
export async function askToHandOver({ root, folder }: TeamAddress, log: Logger): Promise<boolean> {
  const store = createStore({ root, logger: log });
  try {
    await store.leads.askHandover(folder);
    return await becomesFree(store, folder, PATIENCE_MS, log);
  } finally {
    store.dispose();
  }
}

/**
 * Checks that a team can be deleted. Throws `unknown_team` where it is gone, `lead_elsewhere` where its lead lives,
 * `not_ready` where a process of a member does (one of another host counts as long as it gives signs of life),
 * `not_allowed` where another program made it: not every version of one writes down that it runs a team.
 */
export async function requireUnrun({ root, folder }: TeamAddress, log: Logger): Promise<void> {
  const store = createStore({ root, logger: log });
  try {
    await requireUnrunIn(store, folder);
  } finally {
    store.dispose();
  }
}

/**
 * Deletes a team that nobody runs, with the commits that keep the work tree before it. Resolves to where what it did can be
 * read, or null. Throws what `requireUnrun` throws; then nothing has changed.
 */
export async function deleteStoredTeam(
  { root, folder }: TeamAddress,
  { keepHistory, log }: { keepHistory: boolean; log: Logger },
): Promise<TeamAddress | null> {
  const store = createStore({ root, logger: log });
  try {
    await requireUnrunIn(store, folder);
    const forgetCommits = await startCommitsOf({ store, env: memberEnvironment(process.env), logger: log }, folder);
    const kept = await store.teams.delete(folder, { keepHistory, now: Date.now() });
    await forgetCommits();
    return kept === null ? null : { root, kind: "finished", folder: kept };
  } finally {
    store.dispose();
  }
}

async function requireUnrunIn(store: Store, team: string): Promise<void> {
  const { muster } = await store.teams.read(team).catch((error: unknown) => {
    if (!isMusterError(error, "unknown_team")) throw error;
    throw new MusterError("unknown_team", "This team is gone already: there is nothing to delete.", { cause: error });
  });
  if (!muster) throw new MusterError("not_allowed", "Another program made this team: delete it there.");
  const lease = await store.leads.read(team);
  if (lease && (await store.leads.isLive(lease))) throw ledElsewhere(team, lease);
  for (const [name, presence] of await store.presence.readAll(team)) {
    const runs = (await isStillRun(store, team, presence)) || (await runsElsewhere(store, presence));
    if (runs) throw runsAlready(name, presence);
  }
}

/** Whether a process of another host runs that member, as far as its signs of life tell. */
async function runsElsewhere({ leads, processes }: Store, presence: Presence): Promise<boolean> {
  if (presence.nonce === undefined || presence.ended) return false; // who runs with its lead lives by the lease
  return (await processes.state(presence)) === "unknown" && (await leads.isLive(presence));
}

/** Whether nobody leads a team any more within `patienceMs`. */
function becomesFree(store: Store, team: string, patienceMs: number, log: Logger): Promise<boolean> {
  return becomesFalse(() => isLed(store, team, log), patienceMs);
}

async function becomesFalse(is: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    if (!(await is())) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}

async function isLed(store: Store, team: string, log: Logger): Promise<boolean> {
  try {
    const lease = await store.leads.read(team);
    return lease !== null && (await store.leads.isLive(lease));
  } catch (error) {
    log.debug(`Nobody can tell who leads ${team}.`, error);
    return false;
  }
}

function withStore(team: ShownTeam, store: Store): ShownTeam {
  const dispose = () => {
    team.dispose();
    store.dispose();
  };
  return { ...team, dispose };
}
