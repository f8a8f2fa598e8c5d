import { join } from "node:path";
import { MusterError } from "../base/errors.ts";
import { inboxFileName, taskFolderName } from "../protocol/names.ts";

/**
 * Where the files of one team are, live or finished. `agent` is a member's name; names of foreign teams are mapped as
 * 2.1.41 maps them, and no name leaves its folder.
 */
export interface TeamPaths {
  /** The folder's name: `{T}`, or the name of its folder under `muster/history`. */
  readonly folder: string;
  readonly dir: string;
  readonly config: string;
  readonly inboxes: string;
  inbox(agent: string): string;
  readonly own: string;
  readonly transcripts: string;
  transcript(agent: string): string;
  readonly presences: string;
  presence(agent: string): string;
  outbox(agent: string): string;
  readonly lives: string;
  live(agent: string): string;
  archive(agent: string): string;
  blob(digest: string): string;
  readonly corrupt: string;
  readonly deleted: string;
  deletedTask(id: string): string;
  spawnFile(agent: string): string;
  readonly lead: string;
  log(agent: string): string;
  readonly audit: string;
  readonly tasks: string;
  task(id: string): string;
  readonly tasksLockFile: string;
  readonly highWaterMark: string;
  readonly counter: string;
}

/** Pure functions for every path of the state root (`docs/architecture.md`, files). */
export interface StatePaths {
  readonly root: string;
  readonly teams: string;
  readonly taskLists: string;
  readonly plans: string;
  readonly shellSnapshots: string;
  readonly muster: string;
  readonly settings: string;
  readonly leads: string;
  readonly histories: string;
  leadTranscript(sessionId: string): string;
  team(folder: string): TeamPaths;
  /** A finished team; `folder` is the name of its folder under `muster/history`. */
  finished(folder: string): TeamPaths;
}

/** The paths below `root`, which must be absolute. */
export function statePaths(root: string): StatePaths {
  const teams = join(root, "teams");
  const taskLists = join(root, "tasks");
  const muster = join(root, "muster");
  const histories = join(muster, "history");
  const leads = join(muster, "leads");
  return {
    root,
    teams,
    taskLists,
    plans: join(root, "plans"),
    shellSnapshots: join(root, "shell-snapshots"),
    muster,
    settings: join(muster, "settings.json"),
    leads,
    histories,
    leadTranscript: (sessionId) => join(leads, `${inboxFileName(sessionId)}.jsonl`),
    team: (folder) => teamPaths(folder, join(teams, plainFolder(folder)), join(taskLists, taskFolderName(folder))),
    finished: (folder) => {
      const dir = join(histories, plainFolder(folder));
      return teamPaths(folder, dir, join(dir, "tasks"));
    },
  };
}

/** The folders of a state root that no tool may touch, in any mode (invariant 9 of the shared files). */
export function outOfReach(root: string): string[] {
  const paths = statePaths(root);
  return [paths.teams, paths.taskLists, paths.muster, paths.shellSnapshots];
}

/** The lock of a file, as foreign writers take it: a directory beside it. */
export function lockOf(file: string): string {
  return `${file}.lock`;
}

const TASK_ID = /^[1-9][0-9]{0,14}$/;

/** Whether a text can be a task's id. */
export function isTaskId(id: string): boolean {
  return TASK_ID.test(id);
}

function teamPaths(folder: string, dir: string, tasks: string): TeamPaths {
  const own = join(dir, "muster");
  const inboxes = join(dir, "inboxes");
  const file = (sub: string, agent: string, extension: string) => join(own, sub, `${inboxFileName(agent)}${extension}`);
  return {
    folder,
    dir,
    config: join(dir, "config.json"),
    inboxes,
    inbox: (agent) => join(inboxes, `${inboxFileName(agent)}.json`),
    own,
    transcripts: join(own, "transcripts"),
    transcript: (agent) => file("transcripts", agent, ".jsonl"),
    presences: join(own, "presence"),
    presence: (agent) => file("presence", agent, ".json"),
    outbox: (agent) => file("outbox", agent, ".jsonl"),
    lives: join(own, "live"),
    live: (agent) => file("live", agent, ".txt"),
    archive: (agent) => file("archive", agent, ".jsonl"),
    blob: (digest) => join(own, "blobs", `${inboxFileName(digest)}.txt`),
    corrupt: join(own, "corrupt"),
    deleted: join(own, "deleted"),
    deletedTask: (id) => join(own, "deleted", `${plainId(id)}.json`),
    spawnFile: (agent) => file("spawn", agent, ".json"),
    lead: join(own, "lead.json"),
    log: (agent) => file("log", agent, ".log"),
    audit: join(own, "audit.jsonl"),
    tasks,
    task: (id) => join(tasks, `${plainId(id)}.json`),
    tasksLockFile: join(tasks, ".lock"),
    highWaterMark: join(tasks, ".highwatermark"),
    counter: join(tasks, ".counter"),
  };
}

function plainFolder(folder: string): string {
  if (folder === "" || folder.startsWith(".") || /[/\\:\0]/.test(folder) || Buffer.byteLength(folder) > 255) {
    throw new MusterError("unknown_team", `There is no team ${JSON.stringify(folder.slice(0, 80))}.`);
  }
  return folder;
}

function plainId(id: string): string {
  if (!isTaskId(id)) throw new MusterError("unknown_task", `There is no task #${id.slice(0, 40)}.`);
  return id;
}
