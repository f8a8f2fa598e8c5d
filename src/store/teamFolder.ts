import { join } from "node:path";
import { agentId, newUuid } from "../protocol/ids.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import { type TeamConfig, teamConfigSchema } from "../protocol/team.ts";
import { ownMark } from "./atomicFile.ts";
import { ensureDir, listDir } from "./folders.ts";
import { isMissing, isTaken } from "./fsErrors.ts";
import { encodeJson } from "./jsonFile.ts";
import type { StoreContext } from "./storeContext.ts";
import { teamExists } from "./teamFile.ts";
import { setLeftoversAside } from "./teamHistory.ts";

/** A team to create. `name` is its folder; `now` is in milliseconds. */
export interface TeamDraft {
  name: string;
  displayName?: string;
  description?: string;
  goal?: string;
  leadSessionId: string;
  leadModel: string;
  leadAgentType: string;
  cwd: string;
  now: number;
}

/**
 * Makes a team's folders and files. They are built aside and renamed into place, so that a team is there as a whole or
 * not at all, and of two creators one wins. Throws `team_exists`.
 */
export async function createTeamFolder(context: StoreContext, draft: TeamDraft): Promise<TeamConfig> {
  const { teams } = context.paths;
  await ensureDir(context.fs, teams, null);
  return await context.locks.run(join(teams, `.${draft.name}.lock`), async (held) => {
    const target = context.paths.team(draft.name);
    if ((await listDir(context.fs, target.dir)).includes("config.json"))
      throw teamExists(draft.displayName ?? draft.name);
    await setLeftoversAside(context, draft.name, target.dir, draft.now);
    await setLeftoversAside(context, draft.name, target.tasks, draft.now);
    const config = newConfig(draft);
    await buildTeam(context, draft, target.dir, config, () => held.assertHeld());
    await ensureTaskListQuietly(context, draft.name);
    return teamConfigSchema.parse(config);
  });
}

async function buildTeam(
  { fs, paths }: StoreContext,
  draft: TeamDraft,
  dir: string,
  config: object,
  beforeRename: () => Promise<void>,
): Promise<void> {
  const build = join(paths.teams, `.${draft.name}.${await ownMark()}.tmp`);
  try {
    await fs.makeDir(build);
    await fs.makeDir(join(build, "inboxes"));
    await fs.makeDir(join(build, "muster"));
    const text = encodeJson(config, { what: "the configuration" });
    await fs.writeNew(join(build, "muster", "config.last.json"), text, false);
    await fs.writeNew(join(build, "config.json"), text, true);
    await beforeRename();
    await fs.rename(build, dir);
  } catch (error) {
    await fs.removeTree(build).catch(() => {}); // the failure that led here is the one to report; a sweep removes it
    throw isTaken(error) ? teamExists(draft.displayName ?? draft.name) : error;
  }
}

/** The team is there: its list of tasks can be made by the first task too. */
async function ensureTaskListQuietly(context: StoreContext, team: string): Promise<void> {
  try {
    await ensureTaskList(context, team);
  } catch (error) {
    context.logger.warn(`The folder for the tasks of ${team} could not be made yet.`, error);
  }
}

/** Makes the folder of a team's tasks with the file that its lock goes beside, as the reference does. */
export async function ensureTaskList(context: StoreContext, team: string): Promise<void> {
  const { tasks, tasksLockFile } = context.paths.team(team);
  await ensureDir(context.fs, tasks, null);
  if ((await listDir(context.fs, tasks)).includes(".lock")) return;
  try {
    await context.fs.writeNew(tasksLockFile, "", false);
  } catch (error) {
    if (!isTaken(error) && !isMissing(error)) throw error;
  }
}

/** The keys in the order in which 2.1.41 writes them. */
function newConfig(draft: TeamDraft): object {
  return {
    name: draft.name,
    ...(draft.description === undefined ? {} : { description: draft.description }),
    createdAt: draft.now,
    leadAgentId: agentId(LEAD_NAME, draft.name),
    leadSessionId: draft.leadSessionId,
    members: [
      {
        agentId: agentId(LEAD_NAME, draft.name),
        name: LEAD_NAME,
        agentType: draft.leadAgentType,
        model: draft.leadModel,
        joinedAt: draft.now,
        tmuxPaneId: "",
        cwd: draft.cwd,
        subscriptions: [],
        muster: { incarnation: newUuid() },
      },
    ],
    muster: {
      version: 1,
      ...(draft.displayName === undefined ? {} : { displayName: draft.displayName }),
      ...(draft.goal === undefined ? {} : { goal: draft.goal }),
      spawned: 0,
    },
  };
}
