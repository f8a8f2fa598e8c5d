import { type Actor, createActor, ENDS_AT_REST, rest } from "./actor.ts";
import { leadScript } from "./demoLead.ts";
import { noraScript } from "./nora.ts";
import { type MemberScript, type ScriptedTeam, scriptedTeam } from "./script.ts";
import { Stage } from "./stage.ts";
import { acknowledge, agreeToStop } from "./teammateLine.ts";
import { theoScript } from "./theo.ts";

/** What the demo's person wants. */
export const DEMO_GOAL =
  "The till of our corner bakery prints wrong receipts, and its test suite fails. Make the suite pass, and let the receipt say what the customer saved.";

/** Id of the demo's model. */
export const DEMO_MODEL = "demo-scripted";

/** The demo's session: its teammates edit without asking, so that who watches has one permission to decide. */
export const DEMO_SETTINGS = {
  model: DEMO_MODEL,
  permissionMode: "acceptEdits",
  afterPlanMode: "acceptEdits",
} as const satisfies Record<string, string>;

export interface DemoScriptOptions {
  /** No pauses, for runs that nobody watches. */
  quick?: boolean;
  /** How long members wait for each other where the order matters, in ms (default 8,000; 15,000 where nobody watches). */
  patienceMs?: number;
  /** The session ends when the team rests, as `muster demo` does; else it waits for the person. */
  endsAtRest?: boolean;
}

/** Longest wait for each other, in ms: where nobody watches, the same order on a slow machine matters more. */
const PATIENCE = { watched: 8_000, quick: 15_000 };

/** How long nora lets theo be first, in ms: who watches should not wait for it while theo waits for a permission. */
const LETS_THEO_TEST = { watched: 2_000, quick: 30_000 };

/**
 * The scripted team of one demo run. It needs the sample project in the session's folder, and a runtime whose system
 * prompts hold the lines `Your name: NAME` and `Folder: PATH`.
 */
export function createDemoScript(options: DemoScriptOptions = {}): ScriptedTeam {
  const { quick = false, patienceMs, endsAtRest = false } = options;
  const audience = quick ? "quick" : "watched";
  const stage = new Stage(patienceMs ?? PATIENCE[audience]);
  if (endsAtRest) stage.mark(ENDS_AT_REST);
  const scripts = {
    "team-lead": leadScript(stage),
    nora: noraScript(stage, LETS_THEO_TEST[audience]),
    theo: theoScript(stage),
  };
  const pace = quick ? { firstByteMs: 0, pieceMs: 0 } : { firstByteMs: 250, pieceMs: 14 };
  return { ...scriptedTeam(scripts, guest(stage)), pace };
}

/** Somebody whom the person has spawned: it knows nothing but to be polite, and to stop. */
function guest(stage: Stage): MemberScript {
  return async function* (first) {
    const actor: Actor = createActor(first.member, stage, first);
    actor.stop = agreeToStop(actor);
    yield* rest(
      actor,
      "greet",
      "I am a scripted model and have no part in this demo. I can only read, and stop when I am asked.",
    );
    for (;;) yield* acknowledge(actor);
  };
}
