import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { handleIntent, type IntentPorts } from "../../../../src/extension/panel/intents.ts";
import { onlyAddress } from "../../../../src/extension/teams/rememberedTeam.ts";
import type { ShownTeam } from "../../../../src/extension/teams/shownTeam.ts";
import { deleteStoredTeam, listTeams, openStoredTeam } from "../../../../src/extension/teams/storedTeams.ts";
import { type Intent, intentSchema } from "../../../../src/protocol/intents.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";
import { createStore } from "../../../../src/store/store.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";
import { readPast } from "../../../../src/team/resume/past.ts";
import { eventually } from "../../../support/eventually.ts";

const CAPTURES = path.join(import.meta.dirname, "../../../fixtures/captures");
/** Three versions of the reference, and steps of a run of each: where the team is opened, and what its files become. */
const RUNS = [
  { capture: "2.1.41-in-process", steps: ["06-l-msg", "08-l-owner", "13-l-del-task", "20-l-plan-approve"] },
  { capture: "2.1.112-tmux-bypass", steps: ["03-l-spawn-alice", "04-l-spawn-bob", "08-l-shut-bob"] },
  { capture: "2.1.332-in-process", steps: ["01-l-tasks", "04-l-msg", "12-l-del-task", "16-l-shut-bob2"] },
] as const;

describe.each(RUNS)("a team of $capture", { timeout: 60_000 }, ({ capture, steps }) => {
  it("is shown as its files are, whatever becomes of them, and is only read", async () => {
    await using place = await openCapture(capture, steps[0]);
    const { root, team, folder } = place;
    for (const step of steps) {
      await become(root, path.join(CAPTURES, capture, "steps", step));
      await eventually(`the panel to show ${step}`, async () => {
        expect(shownOf(team)).toEqual(await onDisk(root, folder));
        return true;
      });
      expect(team.state()).toMatchObject({ readOnly: "Another program made this team. It can be read here." });
    }
  });

  it("no intent, no command and no look at it writes into its files", async () => {
    await using place = await openCapture(capture, steps[0]);
    const { root, team, folder } = place;
    const before = await bytesOf(root);
    const posted: HostMessage[] = [];
    const { ports, ran } = portsOf(team, posted);
    for (const intent of Object.values(INTENTS)) await handleIntent(intent, ports);
    const refused = posted.flatMap((message) => (message.type === "done" ? [message.error] : []));
    expect(refused.length).toBeGreaterThanOrEqual(7);
    expect(refused).not.toContain(null);
    expect(ran).toEqual(["showLog"]);
    for (const { name } of team.state().members) await team.conversation(name);
    await team.activity();
    const store = createStore({ root });
    await expect(readPast(store, folder)).rejects.toMatchObject({ reason: "not_allowed" });
    store.dispose();
    const address = { root, kind: "team" as const, folder };
    const deleting = deleteStoredTeam(address, { keepHistory: true, log: silentLogger });
    await expect(deleting).rejects.toMatchObject({ reason: "not_allowed" });
    expect(await bytesOf(root)).toEqual(before);
  });
});

/** One of each: what somebody could send who may do nothing here. */
const INTENTS: { [T in Intent["type"]]: Extract<Intent, { type: T }> } = {
  ready: { type: "ready", tab: "tasks", member: null },
  showTab: { type: "showTab", tab: "inboxes" },
  selectMember: { type: "selectMember", member: "alice" },
  showEarlier: { type: "showEarlier", before: 5 },
  find: { type: "find", text: "a" },
  openThread: { type: "openThread", thread: "t" },
  showEarlierMessages: { type: "showEarlierMessages", thread: "t", before: "m" },
  openMessage: { type: "openMessage", thread: "t", message: "m" },
  openChange: { type: "openChange", seq: 0 },
  openTask: { type: "openTask", task: "1" },
  filterActivity: { type: "filterActivity", member: null, kind: null },
  moreActivity: { type: "moreActivity" },
  openOutput: { type: "openOutput", seq: 1 },
  openFile: { type: "openFile", path: "a.txt", line: 1 },
  decide: { type: "decide", intent: "1", request: "perm-1", decision: { kind: "allow", scope: "always" } },
  send: { type: "send", intent: "2", to: "alice", text: "Stop." },
  findFiles: { type: "findFiles", typed: "a" },
  startTeam: { type: "startTeam", intent: "3", goal: "Another goal." },
  createTask: { type: "createTask", intent: "4", subject: "Mine", description: "" },
  editTask: { type: "editTask", intent: "5", task: "1", subject: "Changed" },
  assignTask: { type: "assignTask", intent: "6", task: "1", owner: "alice" },
  deleteTask: { type: "deleteTask", intent: "7", task: "1" },
  restoreTask: { type: "restoreTask", intent: "8", task: "1" },
  listDeletedTasks: { type: "listDeletedTasks" },
  openTerminal: { type: "openTerminal", member: "alice" },
  showScreen: { type: "showScreen", member: "alice" },
  interrupt: { type: "interrupt", member: "alice" },
  raiseBudget: { type: "raiseBudget", member: null, to: 100 },
  stopMember: { type: "stopMember", member: "alice" },
  changeMode: { type: "changeMode", member: "alice" },
  openPlan: { type: "openPlan", intent: "9", request: "plan-1" },
  showPlan: { type: "showPlan", intent: "10", request: "plan-1" },
  draftToPlan: { type: "draftToPlan", request: "plan-1", line: 3, text: "No." },
  comparePlan: { type: "comparePlan", request: "plan-1" },
  openDiff: { type: "openDiff", intent: "11", request: "perm-1" },
  showColumns: { type: "showColumns", members: ["alice"] },
  showInTeam: { type: "showInTeam", what: { kind: "composer", member: "alice" } },
  checkRule: { type: "checkRule", request: "1", text: "Bash" },
  command: { type: "command", command: "showLog" },
};

it("the list of intents is whole", () => {
  expect(Object.keys(INTENTS)).toHaveLength(intentSchema.options.length);
  for (const intent of Object.values(INTENTS)) intentSchema.parse(intent);
});

/** A window that shows this team. What it asks other parts of the window for does nothing but `runCommand`. */
function portsOf(team: ShownTeam, posted: HostMessage[]): { ports: IntentPorts; ran: string[] } {
  const ran: string[] = [];
  const nothing = async () => {};
  const silent = () => {};
  const ports: IntentPorts = {
    ...{ session: () => team.session, view: () => null, begin: silent, setView: silent, openTerminal: nothing },
    startTeam: async () => {
      throw new Error("A team needs a key for the Anthropic API.");
    },
    ...{ showPlan: nothing, draftToPlan: silent, tellPlanDrafts: silent },
    ...{ comparePlan: nothing, openRequest: nothing, raiseBudget: nothing, changeMode: nothing, stopMember: nothing },
    runCommand: async (name) => void ran.push(name),
    conversation: {
      ...{ showEarlierMessages: silent, openMessage: nothing, openChange: nothing },
      ...{ showEarlier: silent, find: silent, openThread: silent, openTask: silent, showActivity: silent },
      ...{ openOutput: nothing, showScreen: nothing, openFile: nothing },
    },
    board: { showColumns: silent, showInTeam: nothing },
    composer: { findFiles: async () => ({ files: [], selection: null }) },
    post: (message) => void posted.push(message),
    tell: silent,
    log: silentLogger,
  };
  return { ports, ran };
}

async function openCapture(capture: string, step: string) {
  const root = await mkdtemp(path.join(tmpdir(), "muster-foreign-"));
  await cp(path.join(CAPTURES, capture, "steps", step), root, { recursive: true });
  const [choice] = await listTeams(root, silentLogger);
  if (!choice) throw new Error(`${capture} has no team after ${step}.`);
  expect(choice).toMatchObject({ live: false, ours: false });
  const team = await openStoredTeam(onlyAddress(choice.address), { models: DEFAULT_MODELS, log: silentLogger });
  return {
    ...{ root, team, folder: choice.address.folder },
    async [Symbol.asyncDispose]() {
      team.dispose();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Makes a folder what another is, as a program does that knows nothing of us: file by file, in place. */
async function become(root: string, like: string): Promise<void> {
  const wanted = new Set(await filesOf(like));
  for (const file of await filesOf(root)) if (!wanted.has(file)) await rm(path.join(root, file));
  await cp(like, root, { recursive: true });
}

function shownOf(team: ShownTeam) {
  return {
    members: team.state().members.map(({ name }) => name),
    tasks: team.tasks().map(({ id, subject, status }) => ({ id, subject, status })),
    messages: team.threads().reduce((sum, { messages }) => sum + messages.length, 0),
  };
}

async function onDisk(root: string, folder: string) {
  const { members } = await json(path.join(root, "teams", folder, "config.json"));
  const inboxes = path.join(root, "teams", folder, "inboxes");
  const entries = await Promise.all((await jsonNames(inboxes)).map((name) => json(path.join(inboxes, name))));
  const list = path.join(root, "tasks", folder);
  const tasks = await Promise.all((await jsonNames(list)).map((name) => json(path.join(list, name))));
  return {
    members: members.map(({ name }: { name: string }) => name),
    tasks: tasks
      .filter(({ metadata }) => metadata?._internal !== true)
      .map(({ id, subject, status }) => ({ id, subject, status })),
    messages: entries.flat().length,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: raw files of other programs
async function json(file: string): Promise<any> {
  return JSON.parse(await readFile(file, "utf8"));
}

async function jsonNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
}

async function filesOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

async function bytesOf(root: string): Promise<Record<string, string>> {
  const files = await filesOf(root);
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(path.join(root, file), "base64")] as const)),
  );
}
