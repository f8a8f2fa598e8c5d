import {
  type Actor,
  act,
  createActor,
  invite,
  isToNobody,
  type Line,
  projectFile,
  rest,
  resultAt,
  takeMail,
  write,
} from "./actor.ts";
import { checkResult, expectThat, quote, resultObject } from "./expectations.ts";
import type { Mail } from "./incoming.ts";
import { SAMPLE_EDITS } from "./sampleProject.ts";
import { call, type MemberScript } from "./script.ts";
import type { Stage } from "./stage.ts";
import { expectNothingMissing, hasLeft, SUBJECTS } from "./teammateLine.ts";

/** Name and folder of the demo's team. */
export const DEMO_TEAM = "corner-bakery";
const TEAMMATES = ["nora", "theo"] as const;

/** What the lead knows of its team. */
interface Lead {
  actor: Actor;
  team: string;
  /** Ids of the tasks, in order. */
  tasks: readonly string[];
  reported: Set<string>;
  left: Set<string>;
  stuck: Set<string>;
  /** The lead has looked at the finished work. */
  checked: boolean;
  askedToStop: Set<string>;
  deleted: boolean;
}

/** The lead of the demo. */
export function leadScript(stage: Stage): MemberScript {
  return async function* (first) {
    const actor = createActor("team-lead", stage, first);
    actor.words = [];
    yield* lookAround(actor);
    const team = yield* createTeam(actor);
    const tasks = yield* createTasks(actor);
    yield* spawn(actor, team, tasks);
    const lead: Lead = {
      actor,
      team,
      tasks,
      reported: new Set(),
      left: new Set(),
      stuck: new Set(),
      checked: false,
      askedToStop: new Set(),
      deleted: false,
    };
    yield* rest(
      actor,
      "let the team work",
      "The team is at work. I hear from it when something is done. You decide nora's plan, and whether theo may run the tests.",
    );
    for (;;) yield* attend(lead);
  };
}

async function* lookAround(actor: Actor): Line<void> {
  const text =
    "I am a scripted model: what I say was written down beforehand. Everything else is real: files, tasks, messages, commands, your decisions. First I look at the project.";
  const results = yield* act(actor, "look at the project", text, [
    call("Read", { file_path: projectFile(actor, "README.md") }),
    call("Read", { file_path: projectFile(actor, "src/receipt.js") }),
  ]);
  checkResult(resultAt(results, 0), "three for two");
  checkResult(resultAt(results, 1), SAMPLE_EDITS.receipt[1].from);
}

async function* createTeam(actor: Actor): Line<string> {
  const text =
    "Two modules are broken, each for itself, and the receipt needs both. That is work for two teammates side by side.";
  const created = call("TeamCreate", { team_name: DEMO_TEAM, description: "Mend the till of the corner bakery" });
  const result = resultObject(resultAt(yield* act(actor, "create the team", text, [created]), 0));
  const team = result["team_name"];
  expectThat(
    typeof team === "string" && team !== "",
    "a result of TeamCreate with team_name",
    quote(JSON.stringify(result)),
  );
  expectThat(
    result["lead_agent_id"] === `team-lead@${team}`,
    `lead_agent_id team-lead@${team}`,
    quote(String(result["lead_agent_id"])),
  );
  return team;
}

async function* createTasks(actor: Actor): Line<string[]> {
  const results = yield* act(actor, "create the tasks", "Three tasks. Each says what is to be true in the end.", [
    call("TaskCreate", {
      subject: SUBJECTS.offers,
      description:
        "src/offers.js: two rolls must cost twice the price of one. Done when the tests in test/offers.test.js pass.",
      activeForm: "Mending the offers",
    }),
    call("TaskCreate", {
      subject: SUBJECTS.table,
      description:
        "src/table.js: long names push the prices out of line. Done when the tests in test/table.test.js pass.",
      activeForm: "Mending the table",
    }),
    call("TaskCreate", {
      subject: SUBJECTS.receipt,
      description:
        'src/receipt.js: a line "You saved" below the total, and an entry in CHANGELOG.md. Done when the whole suite passes.',
      activeForm: "Extending the receipt",
    }),
  ]);
  const ids = Object.values(SUBJECTS).map((subject, index) => {
    const text = checkResult(resultAt(results, index), /^Task #\d+ created successfully/);
    expectThat(text.includes(subject), `a created task "${subject}"`, quote(text));
    return /#(\d+)/.exec(text)?.[1] ?? "";
  });
  const [offers, table, receipt = ""] = ids;
  const blocked = call("TaskUpdate", { taskId: receipt, addBlockedBy: [offers, table] });
  const updated = yield* act(actor, "order the tasks", "The third one has to wait for the first two.", [blocked]);
  checkResult(resultAt(updated, 0), `Updated task #${receipt}`);
  return ids;
}

async function* spawn(actor: Actor, team: string, [offers, table, receipt]: readonly string[]): Line<void> {
  const common = { subagent_type: "general-purpose", team_name: team };
  const ending = `Whoever is idle when task #${receipt} is free gets it by itself. Report to team-lead what you changed and how it was checked.`;
  const results = yield* act(
    actor,
    "spawn the teammates",
    "nora plans first, because prices are money. theo may edit at once.",
    [
      call("Task", {
        ...common,
        name: "nora",
        mode: "plan",
        description: "Mend the offers",
        prompt: `Your task is task #${offers}: ${SUBJECTS.offers}. It is about src/offers.js alone. Plan first; change nothing before your plan is approved. theo works on src/table.js: tell theo when the offers are right. ${ending}`,
      }),
      call("Task", {
        ...common,
        name: "theo",
        mode: "acceptEdits",
        description: "Mend the table",
        prompt: `Your task is task #${table}: ${SUBJECTS.table}. It is about src/table.js alone. Run npm test to see its tests pass. nora works on src/offers.js: tell nora when the table is right. ${ending}`,
      }),
    ],
  );
  for (const [index, name] of TEAMMATES.entries()) {
    const text = checkResult(resultAt(results, index), "Spawned successfully");
    expectThat(text.includes(`agent_id: ${name}@${team}`), `agent_id: ${name}@${team}`, quote(text));
  }
}

/** One wake of the lead: what came is taken in, and what has to follow is done. */
async function* attend(lead: Lead): Line<void> {
  const { actor, reported, tasks } = lead;
  const { stage } = actor;
  const told = [takeNews(lead), ...troubles(actor)].filter((line) => line !== "").join(" ");
  const atRest = actor.news.some((text) => text.startsWith("The team is at rest."));
  const allCompleted = actor.news.some((text) => text.startsWith("All tasks are completed."));
  if (allCompleted) stage.mark("the lead knows that all is completed");
  actor.news = [];
  if (lead.deleted)
    return yield* rest(
      actor,
      "the team is gone",
      "The team has finished and is gone. Start the demo again to see it once more.",
    );
  if (reported.size === tasks.length) return yield* close(lead, told);
  if (atRest) expectNothingMissing(actor);
  if (lead.stuck.size > 0 && actor.words.length > 0) return yield* helpStuck(lead);
  if (atRest) return yield* lookAtOpenTasks(lead, told);
  const noted = allCompleted
    ? "All three tasks are completed. I wait for the last report."
    : "Noted. The team goes on.";
  yield* rest(actor, "take note", told === "" ? noted : told);
}

/** Members that a digest says have failed or were interrupted, in a sentence each. */
function troubles(actor: Actor): string[] {
  const lines = [...actor.news.join("\n").matchAll(/^- ((\S+) (?:has failed|was interrupted).*)$/gm)];
  return lines.map(
    ([, line = "", name = ""]) => line.replace(/\.?$/, ".") + invite(actor, `Write to ${name}, and it goes on.`),
  );
}

/** Takes in what the mail says, and tells it in a sentence or two. */
function takeNews(lead: Lead): string {
  const mail = takeMail(lead.actor, () => true);
  return mail
    .map((one) => noteOne(lead, one))
    .filter((line) => line !== "")
    .join(" ");
}

function noteOne(lead: Lead, mail: Mail): string {
  const { kind, body } = mail.content;
  if (kind === "teammate_terminated") {
    const names = TEAMMATES.filter((name) => body.message.startsWith(name));
    for (const name of names) noteLeft(lead, name);
    return body.message;
  }
  if (kind !== "message") return "";
  const task = /^Task #(\d+) is done/.exec(mail.text)?.[1];
  if (task !== undefined) {
    lead.reported.add(task);
    lead.stuck.delete(mail.from);
    return `${mail.from} reports that task #${task} is done.`;
  }
  if (!mail.text.startsWith("I am stuck")) return `${mail.from} has written to me.`;
  lead.stuck.add(mail.from);
  const invitation = invite(lead.actor, `Write to me or to ${mail.from}, and ${mail.from} asks again.`);
  return `${mail.from} is stuck and needs you: a permission was denied.${invitation}`;
}

function noteLeft({ actor, left, stuck }: Lead, name: string): void {
  left.add(name);
  stuck.delete(name);
  actor.stage.mark(hasLeft(name));
  actor.stage.setWorking(name, false);
}

/** The team rests with open tasks: a free one that nobody has claimed is given away, the rest is the person's. */
async function* lookAtOpenTasks(lead: Lead, told: string): Line<void> {
  const { actor } = lead;
  const list = checkResult(
    resultAt(yield* act(actor, "look at the tasks", `${told} I look at what is open.`.trim(), [call("TaskList")]), 0),
  );
  const free = lead.tasks.find((id) =>
    new RegExp(`^#${id} \\[pending\\] (?!.*(?:\\((?:nora|theo)\\)|blocked by))`, "m").test(list),
  );
  const owner = TEAMMATES.find((name) => !lead.left.has(name) && !lead.stuck.has(name));
  if (free !== undefined && owner !== undefined) {
    const given = call("TaskUpdate", { taskId: free, owner });
    const text = `Nobody has claimed task #${free} by itself, so I give it to ${owner}.`;
    checkResult(resultAt(yield* act(actor, "give a task", text, [given]), 0), `Updated task #${free}`);
    return yield* rest(actor, "take note", `Task #${free} is ${owner}'s now.`);
  }
  const open = list.split("\n").filter((line) => /^#\d+ \[(?:pending|in_progress)\]/.test(line)).length;
  const stuck = [...lead.stuck].map((name) => ` ${name} needs a permission that was denied.`).join("");
  yield* rest(
    actor,
    "wait for the person",
    `The team rests, and ${open === 1 ? "one task is" : `${open} tasks are`} open.${stuck}${invite(actor, "I wait for you: write to me or to a teammate, and it goes on.")}`,
  );
}

async function* helpStuck(lead: Lead): Line<void> {
  const { actor } = lead;
  const letters = [...lead.stuck].map((to) => ({
    to,
    text: "The person has written to me. Please ask again.",
    summary: "Ask again",
  }));
  lead.stuck.clear();
  yield* write(actor, "help", "I ask the teammate that is stuck to try again.", letters);
  yield* rest(actor, "take note", "It asks again. The decision is yours.");
}

/** All reports are in: the lead looks for itself, asks the teammates to stop, one after another, and ends the team. */
async function* close(lead: Lead, told: string): Line<void> {
  const { actor, left, askedToStop } = lead;
  if (!lead.checked) yield* checkWork(lead);
  const staying = TEAMMATES.filter((name) => !left.has(name));
  const [next] = staying.filter((name) => !askedToStop.has(name));
  if (staying.length === 0) return yield* finish(lead);
  if (next === undefined || staying.some((name) => askedToStop.has(name))) {
    return yield* rest(actor, "wait for it to stop", `${told} I wait for ${staying.join(" and ")}.`.trim());
  }
  askedToStop.add(next);
  actor.stage.mark(`${next} was asked to stop`);
  const request = { type: "shutdown_request", recipient: next, content: "All tasks are done. Thank you." };
  const text = left.size === 0 ? "Everything is as it should be. Now the team can stop, one after another." : told;
  const sent = resultAt(yield* act(actor, `ask ${next} to stop`, text, [call("SendMessage", request)]), 0);
  if (isToNobody(sent)) {
    noteLeft(lead, next);
    return yield* rest(actor, "it is gone", `${next} is gone already.`);
  }
  expectThat(resultObject(sent)["success"] === true, "the request to stop to be sent", quote(sent.text));
  yield* rest(actor, "wait for it to stop", `I wait until ${next} has stopped.`);
}

async function* checkWork(lead: Lead): Line<void> {
  const { actor, tasks } = lead;
  await actor.stage.untilSettled(TEAMMATES, actor.turn);
  const text = "All three reports are in. I look for myself before I call it done.";
  const read = call("Read", { file_path: projectFile(actor, "src/receipt.js") });
  const results = yield* act(actor, "check the work", text, [call("TaskList"), read]);
  const list = checkResult(resultAt(results, 0));
  const open = tasks.filter((id) => !new RegExp(`^#${id} \\[completed\\]`, "m").test(list));
  expectThat(open.length === 0, `tasks ${tasks.map((id) => `#${id}`).join(", ")} to be completed`, quote(list));
  checkResult(resultAt(results, 1), SAMPLE_EDITS.receipt[1].to.split("\n")[1]);
  lead.checked = true;
}

async function* finish(lead: Lead): Line<void> {
  const { actor } = lead;
  const result = resultAt(
    yield* act(actor, "delete the team", "Both have stopped. I take the team down.", [call("TeamDelete")]),
    0,
  );
  if (result.isError || resultObject(result)["success"] !== true) {
    // Somebody else may have joined meanwhile: then the person has to say what is to become of them.
    yield* rest(
      actor,
      "the team stays",
      `The team cannot be deleted yet: ${result.text.slice(0, 300)}${invite(actor, "Stop who is left, and write to me.")}`,
    );
    return;
  }
  lead.deleted = true;
  yield* rest(
    actor,
    "tell the person",
    [
      "The till is mended, and its whole test suite passes.",
      "",
      "- `src/offers.js`: one of every full three is free (nora, with the plan that you approved).",
      "- `src/table.js`: columns are as wide as their longest cell (theo).",
      "- `src/receipt.js` says what the customer saved; `CHANGELOG.md` has all three changes.",
      "",
      "Nothing is left open.",
    ].join("\n"),
  );
}
