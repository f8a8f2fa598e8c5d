import { join } from "node:path";
import { agentId, newUuid } from "../protocol/ids.ts";
import { LEAD_NAME } from "../protocol/names.ts";
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
export async function createTeamFolder(context: StoreContext, draft: TeamDraft): Promise<void> {
  const { fs } = context;
  const target = context.paths.team(draft.name);
  const build = join(context.paths.teams, `.${draft.name}.${newUuid().slice(0, 8)}.tmp`);
  await ensureDir(fs, build, null);
  try {
    await fs.makeDir(join(build, "inboxes"));
    await fs.makeDir(join(build, "muster"));
    const config = encodeJson(newConfig(draft), { what: "the configuration" });
    await fs.writeNew(join(build, "muster", "config.last.json"), config, false);
    await fs.writeNew(join(build, "config.json"), config, true);
    await setLeftoversAside(context, draft.name, target.dir, draft.now);
    await fs.rename(build, target.dir);
  } catch (error) {
    await fs.removeTree(build);
    throw isTaken(error) ? teamExists(draft.displayName ?? draft.name) : error;
  }
  await setLeftoversAside(context, draft.name, target.tasks, draft.now);
  await ensureTaskList(context, draft.name);
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
