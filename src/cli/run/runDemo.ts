import os from "node:os";
import path from "node:path";
import { createAnthropicModel } from "../../agent/anthropicModel.ts";
import { MusterError } from "../../base/errors.ts";
import { DEMO_TEAM } from "../../demo/demoLead.ts";
import { createDemoScript, DEMO_GOAL, DEMO_SETTINGS } from "../../demo/demoTeam.ts";
import { startMessagesServer } from "../../demo/messagesServer.ts";
import { SAMPLE_PROJECT } from "../../demo/sampleProject.ts";
import { newUuid } from "../../protocol/ids.ts";
import type { Store } from "../../store/store.ts";
import type { CliContext } from "../context.ts";
import { openStore } from "../openStore.ts";
import { usableWidth } from "../render/table.ts";
import { wrapPainted } from "../render/wrapText.ts";
import { requireFolder } from "../requireFolder.ts";
import type { ApproveMode } from "./approver.ts";
import { requireFreeName } from "./requireFreeName.ts";
import { requireTmux } from "./requireTmux.ts";
import { runTeam } from "./runTeam.ts";
import { requireUsableSettings, sessionOptions } from "./sessionOptions.ts";
import { requirePlace, type TeammatePlace } from "./teammateMode.ts";

/**
 * Runs the demo's scripted team on a fresh copy of the sample project. `cwd`: where it is copied to (absent or empty,
 * else `not_allowed`); without it, a temporary folder. Throws `team_exists` where the state root has its team already, and
 * what `requireUsableSettings` throws; then nothing was made.
 */
export async function runDemo(
  { cwd: given, approve, teammates }: { cwd: string | undefined; approve: ApproveMode; teammates: TeammatePlace },
  context: CliContext,
): Promise<number> {
  requirePlace(teammates);
  const places = placesOf(context, given);
  const store = context.rootWasGiven ? context.store() : openStore(places.root, context);
  try {
    // what stands in the way is told of before the sample is copied
    if (given !== undefined) await refuseFile(places.project, store);
    await requireTmux(teammates, context, places.project);
    await requireUsableSettings(context, store, places.project);
    await requireFreeName(store, { name: DEMO_TEAM }, "give the demo another state root with --root, or none");
    await store.texts.writeProject(places.project, SAMPLE_PROJECT);
    const cwd = await requireFolder(places.project, store);
    const server = await startMessagesServer(
      createDemoScript({ quick: context.json || !context.io.stderr.isTerminal, endsAtRest: true }),
    );
    tell(context, cwd, store.paths.root);
    try {
      const session = await sessionOptions(context, store, {
        ...{ cwd, scripted: true, allow: [], deny: [] },
        model: createAnthropicModel({ apiKey: async () => "scripted", baseUrl: server.url }),
        settings: DEMO_SETTINGS,
        teammates,
        api: async () => ({ apiKey: "scripted", baseUrl: server.url }),
      });
      return await runTeam({ goal: DEMO_GOAL, approve, session }, context);
    } finally {
      await server.close();
    }
  } finally {
    await store.close();
  }
}

/** Where there is nothing yet is no fault here. */
async function refuseFile(place: string, { pathFs }: Pick<Store, "pathFs">): Promise<void> {
  const isFile = await pathFs.lstat(place).then(
    (stat) => stat.isFile(),
    () => false,
  );
  if (!isFile) return;
  throw new MusterError("not_allowed", `${place} is a file: name a folder that is empty, or a new one.`);
}

/** The sample's copy and the state root: given, or beside each other in a new temporary folder. */
function placesOf(context: CliContext, cwd: string | undefined): { project: string; root: string } {
  const fresh = path.join(os.tmpdir(), `muster-demo-${newUuid().slice(0, 8)}`);
  return {
    project: cwd === undefined ? path.join(fresh, "corner-bakery") : path.resolve(context.cwd, cwd),
    root: context.rootWasGiven ? context.root : path.join(fresh, "state"),
  };
}

function tell({ io, json }: CliContext, project: string, root: string): void {
  if (!json) io.stderr.write(`${demoHead(project, root, usableWidth(io.stderr.columns))}\n`);
}

/** What the demo says before it starts: what is real, and where its files are. `width` in cells; infinite: no terminal. */
export function demoHead(project: string, root: string, width: number): string {
  const real = "The models of this demo are scripted; everything else is real.";
  return wrapPainted(`${real}\nProject: ${project}\nState:   ${root}`, width);
}
