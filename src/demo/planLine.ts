import { type Actor, act, type Line, resultAt } from "./actor.ts";
import { checkResult, expectThat, quote } from "./expectations.ts";
import { blocksOf, type MessagesRequest, systemText, textsOf } from "./messagesApi.ts";
import { call } from "./script.ts";

/** A decision on a plan, as the result of ExitPlanMode tells it. */
export type PlanVerdict = { approved: true } | { approved: false; feedback: string };

/** Writes a plan and submits it until it is approved; `planOf` makes the text of each version from all comments so far. */
export async function* planUntilApproved(actor: Actor, planOf: (comments: readonly string[]) => string): Line<void> {
  const file = yield* findPlanFile(actor);
  const comments: string[] = [];
  for (;;) {
    yield* writePlan(actor, file, planOf(comments), comments);
    const text =
      comments.length === 0
        ? "Here is my plan. I wait for the decision."
        : "Here is the plan with your comments worked in.";
    const result = resultAt(yield* act(actor, "submit the plan", text, [call("ExitPlanMode")]), 0);
    const verdict = readVerdict(result.text);
    expectThat(
      verdict !== undefined,
      "a result of ExitPlanMode that says approved, or sent back with comments",
      quote(result.text),
    );
    if (verdict.approved) return;
    comments.push(verdict.feedback);
  }
}

/** Reads a result of ExitPlanMode; undefined: it holds no decision. What comes first in it counts. */
export function readVerdict(text: string): PlanVerdict | undefined {
  const word = /\b(?:not approved|reject\w*|sent (?:it |the plan |your plan )?back|send back|approved?)\b/i
    .exec(text)?.[0]
    .toLowerCase();
  if (word === undefined) return undefined;
  return word.startsWith("approve") ? { approved: true } : { approved: false, feedback: feedbackOf(text) };
}

async function* writePlan(actor: Actor, file: string, plan: string, comments: readonly string[]): Line<void> {
  const last = comments.at(-1);
  const text =
    last === undefined
      ? "I write down what I would change, and how it can be checked."
      : `My plan came back with a comment: “${last}” I work it in.`;
  checkResult(
    resultAt(yield* act(actor, "write the plan", text, [call("Write", { file_path: file, content: plan })]), 0),
  );
}

/** The plan file that the request names; where it names none, the one that ExitPlanMode asks for. */
async function* findPlanFile(actor: Actor): Line<string> {
  const { request } = actor.turn;
  const newest = textsOf(request.messages.at(-1)?.content ?? "").join("\n");
  const named = writtenPlan(request) ?? planPathIn(`${systemText(request)}\n${newest}`);
  if (named !== undefined) return named;
  const result = resultAt(
    yield* act(actor, "ask for the plan file", "I ask where the plan belongs.", [call("ExitPlanMode")]),
    0,
  );
  const path = planPathIn(result.text);
  expectThat(path !== undefined, "a result of ExitPlanMode that names the plan file", quote(result.text));
  return path;
}

/** The path of a plan file in a text, in quotes or not. Folders may have blanks in their names. */
export function planPathIn(text: string): string | undefined {
  const quoted = /[`"']((?:\/|[A-Za-z]:[\\/])[^`"'\n]*[\\/]plans[\\/][\w.-]+\.md)[`"']/.exec(text)?.[1];
  return quoted ?? /(?:^|[\s(:])((?:\/|[A-Za-z]:[\\/])[^`"'\n]*?[\\/]plans[\\/][\w.-]+\.md)/m.exec(text)?.[1];
}

/** The plan file that the member has written already, where the request shows that: after a replay it is not named again. */
function writtenPlan(request: MessagesRequest): string | undefined {
  const writes = request.messages
    .flatMap((message) => blocksOf(message.content))
    .filter((block) => block.type === "tool_use" && block["name"] === "Write");
  const paths = writes.map((block) => String((block["input"] as { file_path?: unknown }).file_path));
  return paths.find((path) => planPathIn(path) !== undefined);
}

/** The person's comments: what follows a label, or the first line; sentences about what to call next are not theirs. */
function feedbackOf(text: string): string {
  const labelled = /\b(?:feedback|comments?|said|reason)\b[^:\n]*:\s*([\s\S]+)/i.exec(text)?.[1];
  const after = text.includes("\n") ? text.slice(text.indexOf("\n") + 1) : text;
  const lines = (labelled ?? after).split("\n").filter((line) => !line.includes("ExitPlanMode"));
  return lines.join("\n").trim();
}
