import { basename, join, sep } from "node:path";
import { inboxFileName, taskFolderName } from "../protocol/names.ts";
import { unknownTask, unknownTeam } from "./unknown.ts";

/**
 * Where the files of one team are, live or finished. `agent` is a member's name; names of foreign teams are mapped as
 * 2.1.41 maps them, and no name leaves its folder.
 */
export interface TeamPaths {
  /** The folder's name: `{T}`, or the name of its folder under `muster/history`. */
  readonly folder: string;
  readonly dir: string;
  readonly config: string;
  /** The configuration as this program last wrote it. */
  readonly configBackup: string;
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
  readonly archives: string;
  archive(agent: string): string;
  blob(digest: string): string;
  readonly corrupt: string;
  readonly deleted: string;
  deletedTask(id: string): string;
  readonly spawns: string;
  /** `mark`: of the process that writes it. */
  spawnFile(agent: string, mark: string): string;
  readonly lead: string;
  readonly audit: string;
  /** What the members changed in the project. */
  readonly changes: string;
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
  readonly plans: string;
  readonly muster: string;
  readonly settings: string;
  readonly leads: string;
  readonly histories: string;
  leadTranscript(sessionId: string): string;
  leadAudit(sessionId: string): string;
  leadChanges(sessionId: string): string;
  /** A team's config.json. */
  config(folder: string): string;
  /** What a person wants every agent to know, in all projects and in one. */
  readonly personInstructions: string;
  projectInstructions(cwd: string): string;
  workspaceSettings(cwd: string): string;
  /** Claude Code's own settings: the person's, the project's, and those of this checkout. They are read, never written. */
  claudeSettings(cwd: string): string[];
  /** The folders that no tool may touch, in any mode (invariant 9 of the shared files). */
  readonly outOfReach: readonly string[];
  /** Whether an absolute path is one of them or lies below, under the root's name or its real one. */
  isOutOfReach(path: string): boolean;
  team(folder: string): TeamPaths;
  /** A finished team: the name of its folder under `muster/history`, or the path of that folder. */
  finished(folder: string): TeamPaths;
}

/**
 * The paths below `root`, which must be absolute. `realRoot` gives the same folder without links, as soon as it is known:
 * a path under either name is out of reach.
 */
export function statePaths(root: string, realRoot: () => string = () => root): StatePaths {
  const known = new Map<string, TeamPaths>();
  const team = (folder: string) => {
    const paths =
      known.get(folder) ?? teamPaths(folder, join(teams, plainFolder(folder)), join(taskLists, taskFolderName(folder)));
    known.set(folder, paths);
    return paths;
  };
  const teams = join(root, "teams");
  const taskLists = join(root, "tasks");
  const muster = join(root, "muster");
  const histories = join(muster, "history");
  const leads = join(muster, "leads");
  const hidden = outOfReach(root);
  let hiddenReal = { root, places: hidden };
  return {
    root,
    teams,
    plans: join(root, "plans"),
    muster,
    settings: join(muster, "settings.json"),
    leads,
    histories,
    leadTranscript: (sessionId) => join(leads, `${inboxFileName(sessionId)}.jsonl`),
    leadAudit: (sessionId) => join(leads, `${inboxFileName(sessionId)}.audit.jsonl`),
    leadChanges: (sessionId) => join(leads, `${inboxFileName(sessionId)}.changes.jsonl`),
    config: (folder) => team(folder).config,
    personInstructions: join(root, "CLAUDE.md"),
    projectInstructions: (cwd) => join(cwd, "CLAUDE.md"),
    workspaceSettings: (cwd) => join(cwd, ".muster", "settings.json"),
    claudeSettings: (cwd) => [
      join(root, "settings.json"),
      join(cwd, ".claude", "settings.json"),
      join(cwd, ".claude", "settings.local.json"),
    ],
    outOfReach: hidden,
    isOutOfReach: (path) => {
      const real = realRoot();
      if (real !== hiddenReal.root) hiddenReal = { root: real, places: outOfReach(real) };
      return [hidden, hiddenReal.places].some((places) => places.some((dir) => isBelow(path, dir)));
    },
    team,
    finished: (folder) => {
      const dir = join(histories, plainFolder(basename(folder)));
      return teamPaths(basename(folder), dir, join(dir, "tasks"));
    },
  };
}

/** The folders of a state root that no tool may touch. */
function outOfReach(root: string): string[] {
  return ["teams", "tasks", "muster", "shell-snapshots"].map((name) => join(root, name));
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
    configBackup: join(own, "config.last.json"),
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
    archives: join(own, "archive"),
    archive: (agent) => file("archive", agent, ".jsonl"),
    blob: (digest) => join(own, "blobs", `${inboxFileName(digest)}.txt`),
    corrupt: join(own, "corrupt"),
    deleted: join(own, "deleted"),
    deletedTask: (id) => join(own, "deleted", `${plainId(id)}.json`),
    spawns: join(own, "spawn"),
    spawnFile: (agent, mark) => file("spawn", agent, `.${mark}.json`),
    lead: join(own, "lead.json"),
    audit: join(own, "audit.jsonl"),
    changes: join(own, "changes.jsonl"),
    tasks,
    task: (id) => join(tasks, `${plainId(id)}.json`),
    tasksLockFile: join(tasks, ".lock"),
    highWaterMark: join(tasks, ".highwatermark"),
    counter: join(tasks, ".counter"),
  };
}

/** Letter case does not count where file systems commonly ignore it. */
function isBelow(path: string, dir: string): boolean {
  const fold = (text: string) => (process.platform === "linux" ? text : text.toLowerCase());
  return fold(`${path}${sep}`).startsWith(fold(`${dir}${sep}`));
}

function plainFolder(folder: string): string {
  if (folder === "" || folder.startsWith(".") || /[/\\:\0]/.test(folder) || Buffer.byteLength(folder) > 255) {
    throw unknownTeam(folder);
  }
  return folder;
}

function plainId(id: string): string {
  if (!isTaskId(id)) throw unknownTask(id);
  return id;
}
