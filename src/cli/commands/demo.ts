import os from "node:os";
import path from "node:path";
import * as z from "zod";
import { createAnthropicModel } from "../../agent/anthropicModel.ts";
import { createDemoScript, DEMO_GOAL, DEMO_MODEL } from "../../demo/demoTeam.ts";
import { startMessagesServer } from "../../demo/messagesServer.ts";
import { SAMPLE_PROJECT } from "../../demo/sampleProject.ts";
import { newUuid } from "../../protocol/ids.ts";
import { createStore } from "../../store/store.ts";
import { defineCommand, value } from "../command.ts";
import type { CliContext } from "../context.ts";
import { requireFolder } from "../run/folders.ts";
import { runTeam } from "../run/runTeam.ts";
import { sessionOptions } from "../run/sessionOptions.ts";
import { APPROVE_OPTION, approveMode } from "./run.ts";

/** `muster demo`. */
export const demoCommand = defineCommand({
  name: "demo",
  args: [],
  summary: "Run a team of scripted models on a sample project (no API key)",
  notes:
    "Only the models are scripted: the files, the tools, the tests that they run and your decisions are real. It works on a fresh copy of the sample, and with a state root of its own unless --root is given.",
  options: {
    cwd: value(
      "DIR",
      "where the sample project is copied to: absent or empty (default: a temporary folder)",
      z.string(),
    ),
    approve: APPROVE_OPTION,
  },
  async run({ options }, context) {
    const approve = approveMode(options.approve, context);
    const places = placesOf(context, options.cwd);
    const store = context.rootWasGiven ? context.store() : createStore({ root: places.root });
    await store.texts.writeProject(places.project, SAMPLE_PROJECT);
    const cwd = await requireFolder(places.project, store);
    const server = await startMessagesServer(createDemoScript({ quick: approve === "all" || approve === "none" }));
    tell(context, cwd, store.paths.root);
    try {
      const model = createAnthropicModel({ apiKey: async () => "scripted", baseUrl: server.url });
      const session = await sessionOptions(context, store, {
        model,
        cwd,
        scripted: true,
        settings: { model: DEMO_MODEL, permissionMode: "acceptEdits", afterPlanMode: "acceptEdits" },
        allow: [],
        deny: [],
      });
      return await runTeam({ goal: DEMO_GOAL, approve, session }, context);
    } finally {
      await server.close();
      store.dispose();
    }
  },
});

/** The sample's copy and the state root: given, or beside each other in a new temporary folder. */
function placesOf(context: CliContext, cwd: string | undefined): { project: string; root: string } {
  const fresh = path.join(os.tmpdir(), `muster-demo-${newUuid().slice(0, 8)}`);
  return {
    project: cwd === undefined ? path.join(fresh, "corner-bakery") : path.resolve(context.cwd, cwd),
    root: context.rootWasGiven ? context.root : path.join(fresh, "state"),
  };
}

function tell({ io, json }: CliContext, project: string, root: string): void {
  const lines = `The models of this demo are scripted; everything else is real.\nProject: ${project}\nState:   ${root}\n`;
  if (!json) io.stderr.write(lines);
}
