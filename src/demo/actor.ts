import { checkResult, expectThat, quote, resultObject, ScriptMismatch } from "./expectations.ts";
import type { Mail, ToolResult } from "./incoming.ts";
import type { Letter } from "./letters.ts";
import { call, type Reply, type ScriptedCall, type Turn } from "./script.ts";
import type { Stage } from "./stage.ts";

/** A task that the runtime has put before a member. `started`: it is in progress already. */
export interface GivenTask {
  id: string;
  subject: string;
  started: boolean;
}

/** A scripted member in the middle of its script. */
export interface Actor {
  readonly name: string;
  readonly stage: Stage;
  /** The newest turn. */
  turn: Turn;
  /** Mail that the script has not dealt with. */
  mail: Mail[];
  /** Words of the person that were not answered. */
  words: string[];
  /** Texts of the runtime about the team that the script has not dealt with. */
  news: string[];
  tasks: GivenTask[];
  /** Called when the member is asked to stop, in the middle of whatever it waits for. */
  stop?: (request: Mail) => Line<void>;
}

/** A part of a script: it yields replies and ends with a value. */
export type Line<T> = AsyncGenerator<Reply, T, Turn>;

/** Mark, made beforehand: a team that rests does not wait for the person, its session ends. */
export const ENDS_AT_REST = "the session ends when the team rests";

/** What the person may do while the team rests, to stand behind what is said; nothing where the session ends then. */
export function invite({ stage }: Actor, sentence: string): string {
  return stage.marked(ENDS_AT_REST) ? "" : ` ${sentence}`;
}

/** An actor with its first turn. */
export function createActor(name: string, stage: Stage, first: Turn): Actor {
  const actor: Actor = { name, stage, turn: first, mail: [], words: [], news: [], tasks: [] };
  enter(actor, first);
  return actor;
}

/**
 * Replies with text and calls, and gives their results. Where the run was interrupted before the calls were done, the
 * member makes them again as soon as it is woken.
 */
export async function* act(
  actor: Actor,
  step: string,
  text: string,
  calls: readonly ScriptedCall[],
): Line<readonly ToolResult[]> {
  for (;;) {
    enter(actor, yield { step, text: withAnswer(actor, text), calls });
    const { results } = actor.turn.incoming;
    if (results.length === calls.length && !results.some(isInterrupted)) return results;
    expectThat(
      results.length === 0 || results.some(isInterrupted),
      `${calls.length} tool results`,
      `${results.length}`,
    );
    yield* stopIfAsked(actor);
  }
}

/** Ends the run with a text; comes back when the member is woken. */
export async function* rest(actor: Actor, step: string, text: string): Line<void> {
  const { stage, name } = actor;
  enter(actor, yield { step, text: withAnswer(actor, text), delivered: () => stage.setWorking(name, false) });
  yield* stopIfAsked(actor);
}

/** Whether a message was not sent as its recipient has left: the person may end a member at any time. */
export function isToNobody(result: ToolResult): boolean {
  return result.isError && / is not a member of team /.test(result.text);
}

/** Writes to members, one reply for all; fails where a message to one that is there is not said to be sent. */
export async function* write(
  actor: Actor,
  step: string,
  text: string,
  letters: readonly (Omit<Letter, "from"> & { summary: string })[],
): Line<void> {
  const calls = letters.map(({ to, text: content, summary }) =>
    call("SendMessage", { type: "message", recipient: to, content, summary }),
  );
  const results = yield* act(actor, step, text, calls);
  for (const [index, letter] of letters.entries()) {
    const result = resultAt(results, index);
    if (isToNobody(result)) continue;
    const sent = resultObject(result);
    expectThat(sent["success"] === true, `the message to ${letter.to} to be sent`, quote(JSON.stringify(sent)));
    if (!actor.turn.replay) actor.stage.letters.noteSent({ from: actor.name, to: letter.to, text: letter.text });
  }
}

/** Changes a task; the result must say so. */
export async function* updateTask(
  actor: Actor,
  step: string,
  text: string,
  taskId: string,
  change: Record<string, unknown>,
): Line<void> {
  const results = yield* act(actor, step, text, [call("TaskUpdate", { taskId, ...change })]);
  checkResult(resultAt(results, 0), `Updated task #${taskId}`);
}

/** Takes the mail that `wanted` accepts. */
export function takeMail(actor: Actor, wanted: (mail: Mail) => boolean): Mail[] {
  const taken = actor.mail.filter(wanted);
  actor.mail = actor.mail.filter((mail) => !wanted(mail));
  return taken;
}

/** The result of this number, counted from 0. Throws `ScriptMismatch` where there are not so many. */
export function resultAt(results: readonly ToolResult[], index: number): ToolResult {
  const result = results[index];
  if (result === undefined) throw new ScriptMismatch(`a result number ${index + 1}`, `${results.length} results`);
  return result;
}

/** A path of the sample project: from the folder that the system prompt names, where it does. */
export function projectFile(actor: Actor, path: string): string {
  const { system } = actor.turn.request;
  const text = typeof system === "string" ? system : (system ?? []).map((block) => String(block["text"])).join("\n");
  const folder = /^(?:Folder|Working directory): (.+)$/m.exec(text)?.[1]?.trim();
  return folder === undefined ? path : `${folder}/${path}`;
}

const INTERRUPTED = /^(?:the run was )?interrupted\b/i;

/** Texts that the runtime puts before a model by itself. */
const NEWS = /^(?:The team is at rest\.|All tasks are completed\.|News of the team\.)/;
const RUNTIME = /^(?:Continue from where|The beginning of this conversation|The content of this message)/;
const TASK = /^Task #(\d+): (.+)/;

function isInterrupted(result: ToolResult): boolean {
  return result.isError && INTERRUPTED.test(result.text);
}

/** Takes a turn in: mail, news, tasks and words of the person are sorted, results stay in the turn. */
function enter(actor: Actor, turn: Turn): void {
  const { stage, name } = actor;
  actor.turn = turn;
  stage.setWorking(name, true);
  for (const mail of turn.incoming.mail) takeIn(actor, mail);
  for (const note of turn.incoming.notes) {
    const task = TASK.exec(note);
    if (task !== null)
      actor.tasks.push({ id: task[1] ?? "", subject: task[2] ?? "", started: /is yours and in progress/.test(note) });
    else if (NEWS.test(note)) actor.news.push(note);
    else if (!RUNTIME.test(note)) actor.words.push(note);
  }
}

function takeIn(actor: Actor, mail: Mail): void {
  actor.stage.letters.noteHeard({ from: mail.from, to: actor.name, text: mail.text });
  if (mail.from === "user" && mail.verified) actor.words.push(mail.text);
  else if (mail.content.kind === "task_assignment" && mail.verified) {
    actor.tasks.push({ id: mail.content.body.taskId, subject: mail.content.body.subject, started: false });
  } else actor.mail.push(mail);
}

/** A text that first answers what the person wrote meanwhile. */
function withAnswer(actor: Actor, text: string): string {
  const words = actor.words.splice(0);
  if (words.length === 0) return text;
  const quoted = words.map((one) => `“${one.length > 200 ? `${one.slice(0, 200)}…` : one}”`).join(", ");
  return `You wrote ${quoted}. Thank you. I am a scripted model and cannot follow new instructions, but your words did reach me in the middle of my work.\n\n${text}`;
}

async function* stopIfAsked(actor: Actor): Line<void> {
  const request = takeMail(actor, (mail) => mail.content.kind === "shutdown_request" && mail.verified).at(-1);
  if (request !== undefined && actor.stop !== undefined) yield* actor.stop(request);
}
