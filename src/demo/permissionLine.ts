import { type Actor, act, invite, type Line, projectFile, rest, resultAt, write } from "./actor.ts";
import { expectThat, quote } from "./expectations.ts";
import type { ToolResult } from "./incoming.ts";
import type { SampleEdit } from "./sampleProject.ts";
import { call, type ScriptedCall } from "./script.ts";
import { readTestOutput } from "./testOutput.ts";

/** A call that the person may have to allow. */
interface Asking {
  step: string;
  text: string;
  call: ScriptedCall;
  /** Why the member needs it, one sentence. */
  need: string;
  /** A file that it reads before it asks again. */
  file: string;
  /** Whether a result is what the member wanted. An error that is neither that nor a denial fails the script. */
  isDone(result: ToolResult): boolean;
  /** What `isDone` looks for, to complete the sentence "expected …". */
  expected: string;
}

/** Mark: a member was denied so often that it waits for help. */
export function isStuck(member: string): string {
  return `${member} is stuck`;
}

/** How often a member asks before it tells the lead and waits. */
const ASKS_IN_A_ROW = 3;

/** An edit that a restart cut off may have been made: then the file is not as the member knows it. */
const MADE_BEFORE = /has been changed since you read it/;

/** Makes a change of the sample; where it is denied, asks again. The file must hold the new text afterwards. */
export async function* makeEdit(actor: Actor, edit: SampleEdit, text: string): Line<void> {
  const path = projectFile(actor, edit.path);
  const result = yield* ask(actor, {
    step: `edit ${edit.path}`,
    text,
    call: call("Edit", { file_path: path, old_string: edit.from, new_string: edit.to }),
    need: `Without this change of ${edit.path} my task cannot be done.`,
    file: path,
    isDone: (one) => !one.isError || MADE_BEFORE.test(one.text),
    expected: `an edit of ${edit.path}`,
  });
  const step = `check ${edit.path}`;
  const file = resultAt(
    yield* act(actor, step, "I look at what the file says now.", [call("Read", { file_path: path })]),
    0,
  );
  expectThat(
    !file.isError && isMade(edit, file.text),
    `${edit.path} to hold ${quote(newLine(edit))} after the edit, which gave ${quote(result.text)}`,
    quote(file.text),
  );
}

/** Whether a change of the sample stands in this text of its file, as it was read. */
export function isMade(edit: SampleEdit, text: string): boolean {
  return text.includes(newLine(edit));
}

function newLine({ from, to }: SampleEdit): string {
  return to.split("\n").find((one) => one.trim() !== "" && !from.includes(one.trim())) ?? to;
}

/** Runs `npm test` until the person lets it, and expects that the named tests have passed. */
export async function* runTests(actor: Actor, text: string, file: string, tests: readonly string[]): Line<void> {
  const result = yield* ask(actor, {
    step: "run the tests",
    text,
    call: call("Bash", { command: "npm test", description: "Run the project's test suite" }),
    need: "I need `npm test` to know whether the change works: without it I would only guess.",
    file: projectFile(actor, file),
    isDone: (one) => readTestOutput(one.text) !== undefined,
    expected: "the output of the test suite (npm and Node.js 20 or newer must be on PATH)",
  });
  const outcome = readTestOutput(result.text);
  const wrong = tests.filter((test) => outcome?.(test) !== "passed").map((test) => `"${test}" ${outcome?.(test)}`);
  expectThat(
    wrong.length === 0,
    `these tests to pass: ${tests.join("; ")}`,
    `${wrong.join("; ")} in ${quote(result.text)}`,
  );
}

/** Makes a call until it is done. A denial is answered with the need, and after a look at a file the call comes again. */
async function* ask(actor: Actor, asking: Asking): Line<ToolResult> {
  for (let asks = 1; ; asks += 1) {
    const text = asks === 1 ? asking.text : `I ask once more. ${asking.need}`;
    const result = resultAt(yield* act(actor, asking.step, text, [asking.call]), 0);
    if (asking.isDone(result)) return result;
    expectThat(isDenied(result) || !result.isError, asking.expected, `an error: ${quote(result.text)}`);
    if (asks % ASKS_IN_A_ROW === 0) yield* waitForHelp(actor, asking, result);
    else yield* lookAgain(actor, asking, result);
  }
}

async function* lookAgain(actor: Actor, asking: Asking, result: ToolResult): Line<void> {
  const heard = result.isError ? `I was told: “${reasonOf(result)}”` : "That did not give what I need.";
  const text = `${heard} So I go on without it for now, and read the code again. ${asking.need}`;
  yield* act(actor, "look again", text, [call("Read", { file_path: asking.file })]);
}

async function* waitForHelp(actor: Actor, asking: Asking, denial: ToolResult): Line<void> {
  actor.stage.mark(isStuck(actor.name));
  const text = `I am stuck: ${asking.call.tool} was denied ${ASKS_IN_A_ROW} times. ${asking.need} The last answer was: “${reasonOf(denial)}”`;
  const letter = { to: "team-lead", text, summary: "Stuck without a permission" };
  yield* write(actor, "say that it is stuck", "I tell the lead that I am stuck.", [letter]);
  yield* rest(actor, "wait for help", `I wait. ${asking.need}${invite(actor, "Write to me, and I ask again.")}`);
}

function isDenied(result: ToolResult): boolean {
  return result.isError && /den(?:y|ied)|not allowed|refus|declin|reject|permission/i.test(result.text);
}

/** What a person is quoted with: what follows the runtime's own words, where that can be told. */
function reasonOf(denial: ToolResult): string {
  const said = /\b(?:said|reason|because)\b[^:\n]*: *([\s\S]+)/i.exec(denial.text)?.[1] ?? denial.text;
  return said.trim().slice(0, 300);
}
