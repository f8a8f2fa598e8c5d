import path from "node:path";
import { createAnthropicModel } from "../../agent/anthropicModel.ts";
import { isRunnable } from "../../agent/tools/findProgram.ts";
import type { Model } from "../../agent/types.ts";
import type { PermissionMode } from "../../protocol/mode.ts";
import type { AcceptedName } from "../../protocol/names.ts";
import type { ProcessHost } from "../../team/backends/process.ts";
import { apiAddress } from "../apiAddress.ts";
import { apiKeyOf } from "../apiKey.ts";
import type { CliContext } from "../context.ts";
import { checkFlagRules } from "../flagRules.ts";
import { requireFolder } from "../requireFolder.ts";
import { usageError } from "../usageError.ts";
import type { ApproveMode } from "./approver.ts";
import { requireFreeName } from "./requireFreeName.ts";
import { requireTmux } from "./requireTmux.ts";
import { runTeam } from "./runTeam.ts";
import { sessionOptions } from "./sessionOptions.ts";
import { requirePlace, type TeammatePlace } from "./teammateMode.ts";

/** What a call of `muster run` asks for. */
export interface GoalRun {
  goal: string;
  approve: ApproveMode;
  teamName: AcceptedName | undefined;
  /** Where given, from the folder in which the command runs. */
  cwd: string | undefined;
  model: string | undefined;
  permissionMode: PermissionMode | undefined;
  allow: readonly string[];
  deny: readonly string[];
  teammates: TeammatePlace;
}

/** Runs a team on a goal with the real API. Whatever is wrong with the call, the key or the files is thrown before it starts. */
export async function runGoal(run: GoalRun, context: CliContext): Promise<number> {
  requirePlace(run.teammates);
  const store = context.store();
  const cwd = await requireFolder(path.resolve(context.cwd, run.cwd ?? "."), store);
  await requireProgram(run.teammates.command);
  await requireTmux(run.teammates, context, cwd);
  checkFlagRules([...run.allow, ...run.deny], cwd, context);
  if (run.teamName) await requireFreeName(store, run.teamName);
  const { model, api } = apiOf(context); // what is wrong with the call is told before
  const session = await sessionOptions(context, store, {
    ...{ model, cwd, scripted: false, allow: run.allow, deny: run.deny },
    ...{ api, teammates: run.teammates },
    ...(run.teamName ? { teamName: run.teamName } : {}),
    settings: {
      ...(run.model === undefined ? {} : { model: run.model }),
      ...(run.permissionMode === undefined ? {} : { permissionMode: run.permissionMode }),
    },
  });
  return runTeam({ goal: run.goal, approve: run.approve, session }, context);
}

async function requireProgram(command: string | undefined): Promise<void> {
  if (command === undefined || (path.isAbsolute(command) && (await isRunnable(command)))) return;
  throw usageError(`--teammate-command ${JSON.stringify(command)}: there is no such program; give its whole path.`);
}

function apiOf({ env }: CliContext): { model: Model; api: ProcessHost["api"] } {
  const key = apiKeyOf(env, ", or try `muster demo`, which needs none");
  const baseUrl = apiAddress(env);
  const model = createAnthropicModel({ apiKey: async () => key, ...(baseUrl ? { baseUrl } : {}) });
  return { model, api: async () => ({ apiKey: key, baseUrl }) };
}
