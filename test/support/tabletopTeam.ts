import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ContentBlock } from "../../src/demo/messagesApi.ts";
import { wrapForModel } from "../../src/protocol/message.ts";
import { post, requestBody, toolNamed } from "./messagesClient.ts";

/**
 * A team runtime that fits on a table: enough of the flows of a team (delivery, claims, digests, plans, permissions,
 * shutdown) to play a team's scripts through in any order. Files and commands are real; team files are not written.
 * Golden tests play the same scripts with the real runtime.
 */
export interface Tabletop {
  readonly members: Map<string, Seat>;
  readonly tasks: BoardTask[];
  /** What happened, one line each. */
  readonly log: string[];
  say(to: string, text: string): void;
  interrupt(member: string): void;
  /** Resolves when the lead rests and nothing is left to do; throws the first failure of a member. */
  play(goal: string): Promise<void>;
}

export interface TabletopRules {
  /** A plan's decision: null approves, a text sends it back. */
  plan(version: number, plan: string): Promise<string | null>;
  /** A command's decision: null allows, a text denies. */
  command(member: string, times: number): Promise<string | null>;
  autoClaim?: boolean;
  /** Return true to lose a message. */
  drop?(from: string, to: string): boolean;
  /** Replaces the Edit tool. */
  edit?(): Promise<void>;
}

export interface BoardTask {
  id: string;
  subject: string;
  description: string;
  status: "pending" | "in_progress" | "completed";
  owner: string;
  blockedBy: string[];
}

interface Letter {
  from: string;
  text: string;
  summary?: string;
}

export interface Seat {
  name: string;
  messages: { role: "user" | "assistant"; content: ContentBlock[] }[];
  mail: Letter[];
  words: string[];
  working: boolean;
  gone: boolean;
  plans: number;
  commands: number;
  abort: AbortController;
}

type Input = Record<string, unknown>;
class Refused extends Error {}

const TOOLS = "Read Write Edit Bash SendMessage TaskCreate TaskUpdate TaskList ExitPlanMode".split(" ");
const LEAD_TOOLS = [...TOOLS, "TeamCreate", "TeamDelete", "Task"];

/** Lays the table: a server's URL, the project's folder, and how the person decides. */
export function tabletop(url: string, folder: string, rules: TabletopRules): Tabletop {
  const members = new Map<string, Seat>();
  const tasks: BoardTask[] = [];
  const log: string[] = [];
  const idle: string[] = [];
  let failure: Error | undefined;
  let ended = false;
  let known = "";

  const seat = (name: string): Seat => {
    const made: Seat = {
      ...{ name, messages: [], mail: [], words: [], working: false, gone: false, plans: 0, commands: 0 },
      abort: new AbortController(),
    };
    members.set(name, made);
    return made;
  };
  const living = () => [...members.values()].filter((one) => !one.gone);
  const openBlockers = (task: BoardTask) =>
    task.blockedBy.filter((id) => tasks.some((one) => one.id === id && one.status !== "completed"));
  const free = () =>
    tasks.find((task) => task.status === "pending" && task.owner === "" && openBlockers(task).length === 0);
  const statuses = () => tasks.map((task) => task.status).join();

  const system = (member: Seat) =>
    `You are in a team.\nYour name: ${member.name}\nBe brief.\n\n# Project\nFolder: ${folder}\nPlatform: linux`;
  const planFile = (member: Seat) => path.join(folder, "..", "plans", `quiet-${member.name}-plan.md`);
  const state = (member: Seat) =>
    `<team-state>\nTasks: ${tasks.length}\n${living()
      .map((one) => `- ${one.name} ${one.working}`)
      .join("\n")}\nYour plan file: ${planFile(member)}\n</team-state>`;

  async function ask(member: Seat): Promise<ContentBlock[]> {
    const sent = structuredClone(member.messages);
    sent.at(-1)!.content.push({ type: "text", text: state(member) });
    const tools = (member.name === "team-lead" ? LEAD_TOOLS : TOOLS).map(toolNamed);
    const response = await postUntilAnswered(
      requestBody({ system: system(member), messages: sent, tools }),
      member.abort.signal,
    );
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.message);
    member.messages.push({ role: "assistant", content: answer.content });
    return answer.content;
  }

  /** Asks again where the connection breaks: the server may be started anew. */
  async function postUntilAnswered(body: unknown, signal: AbortSignal): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await post(url, body, {}, signal);
      } catch (error) {
        if (signal.aborted || tries === 10) throw error;
        await pause(50);
      }
    }
  }

  function put(member: Seat, blocks: ContentBlock[]): void {
    const last = member.messages.at(-1);
    if (last?.role === "user") last.content.push(...blocks);
    else member.messages.push({ role: "user", content: blocks });
  }

  async function run(member: Seat, texts: string[]): Promise<void> {
    member.working = true;
    member.abort = new AbortController();
    put(
      member,
      texts.map((text) => ({ type: "text", text })),
    );
    try {
      for (;;) {
        put(
          member,
          member.words.splice(0).map((text) => ({ type: "text", text })),
        );
        const calls = (await ask(member)).filter((block) => block.type === "tool_use");
        const results: ContentBlock[] = [];
        for (const call of calls) results.push(await useTool(member, call));
        if (results.length > 0) put(member, results);
        if (calls.length === 0 || member.gone || member.abort.signal.aborted) break;
      }
    } catch (error) {
      if (!member.abort.signal.aborted) throw error;
    }
    const how = member.abort.signal.aborted ? "was interrupted" : "is idle";
    if (!member.gone && member.name !== "team-lead") idle.push(`- ${member.name} ${how}`);
    member.working = false;
  }

  async function useTool(member: Seat, block: ContentBlock): Promise<ContentBlock> {
    const result = (content: string, isError: boolean) => ({
      type: "tool_result",
      tool_use_id: block["id"],
      content,
      is_error: isError,
    });
    if (member.abort.signal.aborted) return result("Interrupted: this call did not run.", true);
    const interrupted = new Promise<never>((_, reject) => {
      member.abort.signal.addEventListener("abort", () => reject(new Refused("Interrupted: this call did not run.")));
    });
    interrupted.catch(() => undefined);
    log.push(`${member.name} ${block["name"]} ${JSON.stringify(block["input"])}`);
    try {
      return result(
        await Promise.race([tools[String(block["name"])]!(block["input"] as Input, member), interrupted]),
        false,
      );
    } catch (error) {
      return result(error instanceof Error ? error.message : String(error), true);
    }
  }

  function deliver(from: string, to: string, text: string, summary?: string): void {
    if (rules.drop?.(from, to) === true) return;
    members.get(to)!.mail.push({ from, text, ...(summary === undefined ? {} : { summary }) });
  }

  const tools: Record<string, (input: Input, member: Seat) => Promise<string>> = {
    Read: async ({ file_path }) =>
      (await readFile(String(file_path), "utf8"))
        .split("\n")
        .map((line, at) => `${at + 1}\t${line}`)
        .join("\n"),
    Write: async ({ file_path, content }) => {
      await mkdir(path.dirname(String(file_path)), { recursive: true });
      await writeFile(String(file_path), String(content));
      return `Wrote ${file_path}`;
    },
    Edit: async ({ file_path, old_string, new_string }) => {
      if (rules.edit !== undefined) await rules.edit();
      else {
        const text = await readFile(String(file_path), "utf8");
        if (text.split(String(old_string)).length !== 2) throw new Refused("old_string was not found once");
        await writeFile(
          String(file_path),
          text.replace(String(old_string), () => String(new_string)),
        );
      }
      return `Edited ${file_path}`;
    },
    Bash: async ({ command }, member) => {
      member.commands += 1;
      const denial = await rules.command(member.name, member.commands);
      if (denial !== null) throw new Refused(`The person denied this call and said: ${denial}`);
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      return new Promise((resolve, reject) => {
        execFile("bash", ["-c", String(command)], { cwd: folder, env }, (error, stdout, stderr) => {
          const text = stdout + stderr;
          if (error === null) resolve(text);
          else reject(new Refused(`Exit code ${error.code}\n${text}`));
        });
      });
    },
    ExitPlanMode: async (_, member) => {
      const plan = await readFile(planFile(member), "utf8");
      member.plans += 1;
      const comment = await rules.plan(member.plans, plan);
      if (comment === null) return "The plan was approved. You may edit now (mode acceptEdits).";
      throw new Refused(`The plan was sent back. Comments:\n${comment}`);
    },
    TaskCreate: async ({ subject, description }) => {
      const id = String(tasks.length + 1);
      tasks.push({
        id,
        subject: String(subject),
        description: String(description),
        status: "pending",
        owner: "",
        blockedBy: [],
      });
      return `Task #${id} created successfully: ${subject}`;
    },
    TaskUpdate: async ({ taskId, ...change }, member) => {
      const task = tasks.find((one) => one.id === taskId)!;
      if (change["status"] === "in_progress" && openBlockers(task).length > 0)
        throw new Refused(`Task #${taskId} is blocked`);
      if (change["status"] === "in_progress" && task.owner === "") task.owner = member.name;
      if (change["status"] !== undefined) task.status = change["status"] as BoardTask["status"];
      if (change["addBlockedBy"] !== undefined) task.blockedBy.push(...(change["addBlockedBy"] as string[]));
      if (change["owner"] !== undefined) {
        task.owner = String(change["owner"]);
        deliver(
          member.name,
          task.owner,
          JSON.stringify({ type: "task_assignment", taskId, subject: task.subject, assignedBy: member.name }),
        );
      }
      log.push(`task #${taskId} ${task.status} ${task.owner}`);
      return `Updated task #${taskId} ${Object.keys(change).join(", ")}`;
    },
    TaskList: async () =>
      tasks
        .map(
          (task) =>
            `#${task.id} [${task.status}] ${task.subject}${task.owner === "" ? "" : ` (${task.owner})`}${blockedText(openBlockers(task))}`,
        )
        .join("\n"),
    TeamCreate: async ({ team_name }) =>
      JSON.stringify({ team_name, team_file_path: "config.json", lead_agent_id: `team-lead@${team_name}` }),
    TeamDelete: async () => {
      if (living().length > 1) return JSON.stringify({ success: false, message: "Members are still there." });
      ended = true;
      return JSON.stringify({ success: true, message: "Deleted.", team_name: "corner-bakery" });
    },
    Task: async ({ name, team_name, prompt }) => {
      const spawned = seat(String(name));
      spawned.mail.push({ from: "team-lead", text: String(prompt) });
      void live(spawned);
      return `Spawned successfully.\nagent_id: ${name}@${team_name}\nname: ${name}\nteam_name: ${team_name}`;
    },
    SendMessage: async ({ type, recipient, content, summary, request_id, approve }, member) => {
      const id = `shutdown-1@${recipient}`;
      if (type === "shutdown_request")
        deliver(
          member.name,
          String(recipient),
          JSON.stringify({ type, requestId: id, from: member.name, reason: content }),
        );
      else if (type === "shutdown_response") {
        if (request_id !== `shutdown-1@${member.name}` || approve !== true) throw new Refused("No such request.");
        member.gone = true;
        deliver(
          "system",
          "team-lead",
          JSON.stringify({ type: "teammate_terminated", message: `${member.name} has shut down.` }),
        );
      } else deliver(member.name, String(recipient), String(content), String(summary));
      return JSON.stringify({ success: true, message: "Sent", request_id: id });
    },
  };

  /** What a member would be woken with now. */
  function wake(member: Seat): string[] | undefined {
    const mail = member.mail.length === 0 ? [] : [wrapForModel(member.mail)];
    const lead = member.name === "team-lead";
    const news = lead ? digest(mail.length > 0) : undefined;
    const words = member.words.splice(0);
    if (words.length + mail.length > 0 || news !== undefined) {
      member.mail = [];
      return [...words, ...mail, ...(news === undefined ? [] : [news])];
    }
    const task = lead || rules.autoClaim === false ? undefined : free();
    if (task === undefined) return undefined;
    Object.assign(task, { status: "in_progress", owner: member.name });
    log.push(`${member.name} claimed #${task.id}`);
    return [
      `Task #${task.id}: ${task.subject}\n\n${task.description}\n\nYou have claimed this task: it is yours and in progress.`,
    ];
  }

  function digest(hasMail: boolean): string | undefined {
    const completed = tasks.length > 0 && tasks.every((task) => task.status === "completed") && known !== statuses();
    const others = living().filter((one) => one.name !== "team-lead");
    const atRest =
      others.length > 0 &&
      others.every((one) => !one.working && one.mail.length === 0 && one.words.length === 0) &&
      (free() === undefined || rules.autoClaim === false);
    const urgent = idle.some((line) => line.endsWith("was interrupted"));
    if (!completed && !urgent && !(atRest && idle.length > 0 && !hasMail)) return undefined;
    known = statuses();
    const head = completed ? "All tasks are completed." : urgent ? "News of the team." : "The team is at rest.";
    return [head, ...idle.splice(0)].join("\n");
  }

  async function live(member: Seat): Promise<void> {
    while (!member.gone && failure === undefined) {
      const inputs = wake(member);
      if (inputs === undefined) {
        if (member.name === "team-lead" && (ended || resting())) return;
        await pause(4);
        continue;
      }
      try {
        await run(member, inputs);
      } catch (error) {
        failure = error as Error;
      }
      // What happens at nearly the same time wakes the lead once.
      if (member.name === "team-lead") await pause(20);
    }
  }

  function resting(): boolean {
    return (
      idle.length === 0 &&
      living().every(
        (one) => one.name === "team-lead" || (!one.working && one.mail.length === 0 && one.words.length === 0),
      )
    );
  }

  return {
    members,
    tasks,
    log,
    say: (to, text) => members.get(to)!.words.push(text),
    interrupt: (name) => members.get(name)!.abort.abort(),
    play: async (goal) => {
      const lead = members.get("team-lead") ?? seat("team-lead");
      lead.words.push(goal);
      await live(lead);
      if (failure !== undefined) throw failure;
    },
  };
}

function blockedText(blockers: readonly string[]): string {
  return blockers.length === 0 ? "" : ` [blocked by ${blockers.map((id) => `#${id}`).join(", ")}]`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
