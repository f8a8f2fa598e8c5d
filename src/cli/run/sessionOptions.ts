import type { Model } from "../../agent/types.ts";
import { systemClock } from "../../base/clock.ts";
import { MusterError } from "../../base/errors.ts";
import type { AcceptedName } from "../../protocol/names.ts";
import type { Store } from "../../store/store.ts";
import type { ProcessHost } from "../../team/backends/process.ts";
import { DEFAULT_SETTINGS } from "../../team/defaultSettings.ts";
import { memberEnvironment } from "../../team/memberEnvironment.ts";
import { settingsFindings } from "../../team/requests/findInSettings.ts";
import { loosenings, looseningText, modeOfFiles } from "../../team/requests/rulesInForce.ts";
import { findingText } from "../../team/requests/settingsFinding.ts";
import type { SessionOptions, TeamSettings } from "../../team/types.ts";
import { cliLogger } from "../cliLogger.ts";
import type { CliContext } from "../context.ts";
import { teammateHost } from "./teammateHost.ts";
import type { TeammatePlace } from "./teammateMode.ts";

/** What a command settles for its run; the rest are the person's saved settings and the defaults. */
export interface RunSettings {
  model: Model;
  cwd: string;
  scripted: boolean;
  teamName?: AcceptedName;
  settings: Partial<TeamSettings>;
  /** Rules of `--allowedTools` and `--disallowedTools`. */
  allow: readonly string[];
  deny: readonly string[];
  /** Where teammates run, and the API for those that are processes. */
  teammates: TeammatePlace;
  api: ProcessHost["api"];
}

/** The session of a run, whose rules were checked. Throws `corrupt` where saved rules are damaged or none. */
export async function sessionOptions(context: CliContext, store: Store, run: RunSettings): Promise<SessionOptions> {
  const needs = { root: store.paths.root, project: run.cwd, api: run.api };
  const processes = teammateHost(run.teammates, context, needs);
  await requireUsableSettings(context, store, run.cwd);
  await noteUnaccepted(context, store, run.cwd);
  return {
    store,
    ...(processes ? { processes } : {}),
    model: run.model,
    cwd: run.cwd,
    home: context.home,
    env: memberEnvironment(context.env),
    scripted: run.scripted,
    ...(run.teamName ? { teamName: run.teamName } : {}),
    clock: systemClock,
    logger: cliLogger(context),
    settings: {
      ...DEFAULT_SETTINGS,
      budget: { team: null, member: null }, // nobody could raise it
      permissionMode: await modeOfFiles(store, run.cwd, context.home),
      rules: {
        allow: [...run.allow],
        ask: [],
        deny: [...run.deny],
        additionalDirectories: [],
      },
      ...run.settings,
    },
  };
}

/**
 * Says what in settings files does nothing. Throws `corrupt`, or what reading a file threw, where no call could run: a
 * run would cost and do nothing.
 */
export async function requireUsableSettings({ notes }: CliContext, store: Store, cwd: string): Promise<void> {
  const findings = await settingsFindings(store, cwd);
  const stopping = findings.find(({ stops }) => stops);
  if (stopping) throw stopping.error ?? new MusterError("corrupt", findingText(stopping));
  for (const finding of findings) notes.add(findingText(finding));
}

/**
 * Says what of the workspace's own rules does not count. They are accepted in a window alone: a command that accepts them
 * could be run by an agent.
 */
async function noteUnaccepted({ notes }: CliContext, store: Store, cwd: string): Promise<void> {
  const workspace = await store.settings.workspace(cwd);
  const lines = loosenings(workspace).map(looseningText);
  if (lines.length === 0) return;
  notes.add(
    `${workspace.path} ${lines.join(", ")}: that does not count before you accept the file in VS Code (Agent Teams: Review the Workspace's Rules…).`,
  );
}
