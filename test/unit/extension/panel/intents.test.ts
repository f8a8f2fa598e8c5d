import { beforeEach, describe, expect, it } from "vitest";
import { Emitter } from "../../../../src/base/emitter.ts";
import { MusterError } from "../../../../src/base/errors.ts";
import { silentLogger } from "../../../../src/base/logger.ts";
import { handleIntent, type IntentPorts } from "../../../../src/extension/panel/intents.ts";
import type { PanelView } from "../../../../src/extension/panel/panelFeed.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";
import type { Decision, PendingRequest } from "../../../../src/protocol/request.ts";
import { Requests } from "../../../../src/team/requests/requests.ts";
import type { TeamSession } from "../../../../src/team/types.ts";

const common = { from: "alice", createdAt: 1, task: null, said: null };
const command: PendingRequest = {
  ...common,
  kind: "permission",
  id: "perm-1",
  tool: "Bash",
  toolUseId: "t",
  input: { command: "npm test", timeout: 5000 },
  cwd: "/p",
  description: "Bash: npm test",
  reason: "No rule covers npm.",
  guarded: false,
  parts: null,
  suggestions: [],
};
const plan: PendingRequest = {
  ...common,
  kind: "plan",
  id: "plan-1",
  planFilePath: "/plans/a.md",
  planContent: "# A",
  version: 1,
  afterMode: "default",
};

let posted: HostMessage[];
let log: string[];
/** What the log says by the way. */
let noted: string[];
let decided: Map<string, Promise<{ decision: Decision; by: string }>>;
let ports: IntentPorts;

beforeEach(() => {
  posted = [];
  log = [];
  noted = [];
  decided = new Map();
  const journal = {
    asked: async () => {},
    decided: async () => {},
    withdrawn: async () => {},
    refused: async () => {},
  };
  const requests = new Requests(journal);
  for (const request of [command, plan]) decided.set(request.id, requests.ask(request, new AbortController().signal));
  let view: PanelView | null = null;
  ports = {
    session: () => session(requests),
    view: () => view,
    begin: (next) => {
      view = next;
    },
    setView: (next) => {
      view = next;
    },
    startTeam: async (goal) => void log.push(`start ${goal}`),
    openTerminal: async (member) => void log.push(`terminal ${member}`),
    comparePlan: async ({ id }) => void log.push(`compare ${id}`),
    showPlan: async ({ id }) => void log.push(`show ${id}`),
    draftToPlan: ({ id }, { line, text }, waiting) => void log.push(`draft ${id} ${line} ${text} of ${waiting.join()}`),
    tellPlanDrafts: () => void posted.push({ type: "planDrafts", plans: [] }),
    openRequest: async ({ id }) => void log.push(`open ${id}`),
    raiseBudget: async (member, to) => void log.push(`budget ${member} ${to}`),
    changeMode: async (member) => void log.push(`mode ${member}`),
    stopMember: async (member) => void log.push(`stop ${member}`),
    runCommand: async (name) => void log.push(`command ${name}`),
    conversation: {
      showEarlier: (before, from, member = "shown") => void log.push(`earlier ${before} ${from} ${member}`),
      find: (text) => void log.push(`find ${text}`),
      openThread: (thread) => void log.push(`thread ${thread}`),
      showEarlierMessages: (thread, before) => void log.push(`before ${before} in ${thread}`),
      openMessage: async (thread, message) => void log.push(`message ${message} of ${thread}`),
      openChange: async (seq, member) => void log.push(`change ${seq} of ${member}`),
      openTask: (task) => void log.push(`task ${task}`),
      showActivity: (filter) => void log.push(`activity ${JSON.stringify(filter)}`),
      openOutput: async (seq, member = "shown") => void log.push(`output ${seq} ${member}`),
      showScreen: async (member) => void log.push(`screen ${member}`),
      openFile: async (path, line) => void log.push(`file ${path}:${line}`),
    },
    board: {
      showColumns: (members) => void log.push(`columns ${members.join()}`),
      showInTeam: async (what) => void log.push(`in team ${JSON.stringify(what)}`),
    },
    composer: { findFiles: async (typed) => ({ files: [`src/${typed}.ts`], selection: null }) },
    post: (message) => void posted.push(message),
    tell: (sentence) => void log.push(`tell ${sentence}`),
    log: {
      ...silentLogger,
      warn: (message) => void log.push(message),
      info: (message) => void noted.push(message),
    },
  };
});

/** The parts of a session that intents reach. */
function session(requests: Requests): TeamSession {
  const nothing = new Emitter<never>().event;
  return {
    requests,
    events: nothing,
    say: async (to: string, text: string, images: readonly unknown[]) =>
      void log.push(`say ${to}: ${text}${images.length > 0 ? ` and ${images.length} images` : ""}`),
    interrupt: (member: string) => void log.push(`interrupt ${member}`),
    team: "demo",
    tasks: {
      create: async (task: object) => void log.push(`create ${JSON.stringify(task)}`),
      edit: async (id: string, change: object) => void log.push(`edit ${id} ${JSON.stringify(change)}`),
      assign: async (id: string, owner: string | null) => void log.push(`assign ${id} ${owner}`),
      remove: async (id: string) => void log.push(`remove ${id}`),
      restore: async (id: string) => void log.push(`restore ${id}`),
      deleted: async () => [{ id: "3", subject: "x".repeat(300), description: "long" }],
    },
  } as unknown as TeamSession;
}

function decide(request: string, decision: Decision) {
  return handleIntent({ type: "decide", intent: "i", request, decision }, ports);
}

describe("a decision", () => {
  it("settles the request once, in the person's name, and is answered", async () => {
    await decide("perm-1", { kind: "allow", scope: "once" });
    expect(await decided.get("perm-1")).toEqual({ decision: { kind: "allow", scope: "once" }, by: "person" });
    expect(posted).toEqual([{ type: "done", intent: "i", error: null }]);
    await decide("perm-1", { kind: "deny" });
    expect(posted.at(-1)).toMatchObject({ error: "This request does not wait any more: it was decided or withdrawn." });
  });

  it("keeps what the person did not change of the input", async () => {
    await decide("perm-1", { kind: "allow", scope: "once", updatedInput: { command: "npm run lint" } });
    expect((await decided.get("perm-1"))?.decision).toEqual({
      kind: "allow",
      scope: "once",
      updatedInput: { command: "npm run lint", timeout: 5000 },
    });
  });

  it.each<[string, string, Decision]>([
    ["a plan cannot be allowed", "plan-1", { kind: "allow", scope: "once" }],
    ["a call cannot be approved", "perm-1", { kind: "approve", mode: "default" }],
    [
      "a plan is not approved into a mode that the panel does not offer",
      "plan-1",
      { kind: "approve", mode: "bypassPermissions" },
    ],
    ["no rule is kept that the request did not show", "perm-1", { kind: "allow", scope: "always" }],
  ])("is refused where %s, and the request still waits", async (_why, id, decision) => {
    await decide(id, decision);
    expect(posted).toEqual([{ type: "done", intent: "i", error: "This request does not offer that choice." }]);
    expect(ports.session()?.requests.pending.map((request) => request.id)).toContain(id);
  });

  it("keeps a rule that the person wrote only where it is one, for the tool that asks, and for longer than once", async () => {
    const rules = [{ toolName: "Bash", ruleContent: "npm test" }];
    command.suggestions = [{ type: "addRules", rules, behavior: "allow", destination: "session" }];
    const own = (scope: "once" | "session", ...rules: string[]) => decide("perm-1", { kind: "allow", scope, rules });
    const errors = async (told: Promise<void>) => {
      await told;
      return posted.flatMap((message) => (message.type === "done" ? [message.error] : [])).at(-1);
    };
    expect(await errors(own("session", "Bash(npm test"))).toContain("is not a permission rule");
    expect(await errors(own("session", "Edit(src/**)"))).toBe("Edit(src/**) says nothing about Bash.");
    expect(await errors(own("session"))).toContain("Write a rule");
    expect(await errors(own("once", "Bash(npm test:*)"))).toBe("This request does not offer that choice.");
    expect(ports.session()?.requests.pending.map(({ id }) => id)).toContain("perm-1");
    expect(await errors(own("session", "Bash(npm test:*)"))).toBeNull();
    command.suggestions = [];
    expect((await decided.get("perm-1"))?.decision).toMatchObject({ rules: ["Bash(npm test:*)"] });
  });

  it("is told beforehand whether a text is rules, and what to mind", async () => {
    await handleIntent({ type: "checkRule", request: "perm-1", text: "Bash(npm test)\n\nBash(python3:*)\n" }, ports);
    const warnings = ["Bash(python3:*) allows everything that python3 can run."];
    expect(posted.at(-1)).toMatchObject({ type: "ruleCheck", request: "perm-1", fault: null, warnings });
    await handleIntent({ type: "checkRule", request: "plan-1", text: "Bash" }, ports);
    expect(posted.filter(({ type }) => type === "ruleCheck")).toHaveLength(1);
  });

  it("needs a request that waits", async () => {
    await decide("perm-999", { kind: "deny" });
    expect(posted[0]).toMatchObject({ type: "done", error: expect.stringContaining("does not wait any more") });
  });
});

describe("an intent", () => {
  it("that does not parse does nothing but a line in the log", async () => {
    for (const message of [
      null,
      "decide",
      { type: "eval", code: "1" },
      { type: "decide", intent: "i", request: "perm-1" },
    ])
      await handleIntent(message, ports);
    expect(log).toEqual(Array(4).fill("A message of the view was not understood."));
    const error = "Nothing was done: a text of this is too long, or empty. Shorten it and try again.";
    expect(posted).toEqual([{ type: "done", intent: "i", error }]);
    await handleIntent({ type: "send", intent: "s", to: "alice", text: "x".repeat(1_000_001) }, ports);
    expect(posted.at(-1)).toEqual({ type: "done", intent: "s", error }); // else what was typed would be lost
  });

  it("that fails and asks for no answer is told in one sentence", async () => {
    const gone = "This request does not wait any more: it was decided or withdrawn.";
    await handleIntent({ type: "comparePlan", request: "plan-999" }, ports);
    ports.conversation.openOutput = async () => {
      throw new MusterError("not_ready", "This output is not known any more.");
    };
    await handleIntent({ type: "openOutput", seq: 1 }, ports);
    ports.session = () => null;
    await handleIntent({ type: "interrupt", member: "alice" }, ports);
    const readOnly = "This window does not run the team: it can only be read here.";
    expect(log).toEqual([gone, "This output is not known any more.", readOnly].map((sentence) => `tell ${sentence}`));
    expect(posted).toEqual([]);
  });

  it("that fails and is answered is in the log too: the view may be hidden by then", async () => {
    await handleIntent({ type: "send", intent: "s", to: "alice", text: " " }, ports);
    expect(posted).toEqual([{ type: "done", intent: "s", error: "There is nothing to send." }]);
    expect(noted).toEqual(["send was not done: There is nothing to send."]);
  });

  it("reaches the member, the view or the command that it names", async () => {
    await handleIntent({ type: "ready", tab: "tasks", member: null }, ports);
    await handleIntent({ type: "selectMember", member: "alice" }, ports);
    expect(ports.view()).toEqual({ tab: "tasks", member: "alice" });
    await handleIntent({ type: "showTab", tab: "inboxes" }, ports);
    expect(ports.view()).toEqual({ tab: "inboxes", member: "alice" });
    await handleIntent({ type: "send", intent: "s", to: "alice", text: "hello" }, ports);
    await handleIntent({ type: "interrupt", member: "alice" }, ports);
    await handleIntent({ type: "openTerminal", member: "alice" }, ports);
    await handleIntent({ type: "showScreen", member: "alice" }, ports);
    await handleIntent({ type: "openPlan", intent: "o", request: "plan-1" }, ports);
    await handleIntent({ type: "showPlan", intent: "p", request: "plan-1" }, ports);
    await handleIntent({ type: "draftToPlan", request: "plan-1", line: 3, text: "No." }, ports);
    await handleIntent({ type: "draftToPlan", request: "gone", line: null, text: "Lost." }, ports);
    await handleIntent({ type: "openDiff", intent: "d", request: "gone" }, ports);
    await handleIntent({ type: "stopMember", member: "alice" }, ports);
    await handleIntent({ type: "startTeam", intent: "t", goal: "Fix it" }, ports);
    await handleIntent({ type: "command", command: "runDemo" }, ports);
    expect(log).toEqual([
      "say alice: hello",
      "interrupt alice",
      "terminal alice",
      "screen alice",
      "open plan-1",
      "show plan-1",
      "draft plan-1 3 No. of perm-1,plan-1",
      "stop alice",
      "start Fix it",
      "command runDemo",
    ]);
    expect(posted).toEqual([
      { type: "planDrafts", plans: [] },
      { type: "done", intent: "s", error: null },
      { type: "done", intent: "o", error: null },
      { type: "done", intent: "p", error: null },
      { type: "done", intent: "d", error: "This request does not wait any more: it was decided or withdrawn." },
      { type: "done", intent: "t", error: null },
    ]);
  });

  it("with images says what they are by their bytes; what is none is not sent, nor is nothing at all", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await handleIntent({ type: "send", intent: "1", to: "alice", text: "", images: [png] }, ports);
    await handleIntent({ type: "send", intent: "2", to: "alice", text: "x", images: [png, "bm8gaW1hZ2U="] }, ports);
    await handleIntent({ type: "send", intent: "3", to: "alice", text: " \n" }, ports);
    expect(log).toEqual(["say alice:  and 1 images"]);
    expect(posted).toEqual([
      { type: "done", intent: "1", error: null },
      { type: "done", intent: "2", error: "Image 2 is no PNG, JPEG, GIF or WebP: send it as one of these." },
      { type: "done", intent: "3", error: "There is nothing to send." },
    ]);
  });

  it("for files gets those of what was typed", async () => {
    await handleIntent({ type: "findFiles", typed: "retry" }, ports);
    expect(posted).toEqual([{ type: "files", typed: "retry", files: ["src/retry.ts"], selection: null }]);
  });

  it("about a task reaches the task that it names, and deleted ones are told of", async () => {
    await handleIntent({ type: "createTask", intent: "1", subject: " Tidy up ", description: "" }, ports);
    await handleIntent({ type: "editTask", intent: "2", task: "3", description: "All of it." }, ports);
    await handleIntent({ type: "assignTask", intent: "3", task: "3", owner: "alice" }, ports);
    await handleIntent({ type: "assignTask", intent: "4", task: "3", owner: null }, ports);
    await handleIntent({ type: "deleteTask", intent: "5", task: "3" }, ports);
    await handleIntent({ type: "restoreTask", intent: "6", task: "3" }, ports);
    await handleIntent({ type: "assignTask", intent: "7", task: "../3", owner: null }, ports);
    await handleIntent({ type: "createTask", intent: "8", subject: "  ", description: "" }, ports);
    expect(log).toEqual([
      'create {"subject":"Tidy up","description":""}',
      'edit 3 {"description":"All of it."}',
      "assign 3 alice",
      "assign 3 null",
      "remove 3",
      "restore 3",
      "A message of the view was not understood.",
      "A message of the view was not understood.",
    ]);
    const deleted = { type: "deletedTasks", tasks: [{ id: "3", subject: "x".repeat(200) }] };
    expect(posted.filter(({ type }) => type === "deletedTasks")).toEqual([deleted, deleted]);
  });

  it("about a task of a team that this window only reads changes nothing and says so", async () => {
    ports.session = () => null;
    await handleIntent({ type: "deleteTask", intent: "d", task: "3" }, ports);
    await handleIntent({ type: "listDeletedTasks" }, ports);
    expect(log).toEqual([]);
    expect(posted).toEqual([
      { type: "done", intent: "d", error: "This window does not run the team: it can only be read here." },
      { type: "deletedTasks", tasks: [] },
    ]);
  });

  it("for a team that this window does not run says so", async () => {
    ports.session = () => null;
    await handleIntent({ type: "send", intent: "s", to: "alice", text: "hello" }, ports);
    await decide("perm-1", { kind: "deny" });
    expect(posted[0]).toMatchObject({ error: "This window does not run the team: it can only be read here." });
    expect(posted[1]).toMatchObject({ error: expect.stringContaining("does not wait any more") });
  });
});
