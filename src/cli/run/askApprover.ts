import { createInterface, type Interface } from "node:readline/promises";
import { isAborted } from "../../base/abort.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { AFTER_PLAN_MODES } from "../../protocol/panel.ts";
import type { Decision, PendingRequest, PermissionRequest, PlanRequest } from "../../protocol/request.ts";
import { suggestedRules } from "../../team/previews.ts";
import type { CliIo } from "../cliIo.ts";
import { visibleLine } from "../render/visibleText.ts";
import type { Decider } from "./approver.ts";

/** The terminal as the prompts need it. */
export interface AskTerminal {
  io: CliIo;
  /** What a person needs for the decision. */
  show(request: PendingRequest): string;
  /** Other output waits until the returned function is called. */
  holdOutput(): () => void;
  /** Ctrl-C, which the terminal hands to the prompt instead of the process. */
  onInterrupt(): void;
}

/**
 * `--approve ask`: asks for one request after the other on the terminal, oldest first. Nothing is preselected: an empty or
 * unknown answer is asked again, the end of the input is a no. A request that is withdrawn while it is shown is taken away.
 */
export function approveByAsking(terminal: AskTerminal, decider: Decider, report: (error: unknown) => void): Disposable {
  const owned = new DisposableStore();
  const stopped = new AbortController();
  owned.defer(() => stopped.abort());
  let asking = false;
  const askNext = async () => {
    if (asking) return;
    asking = true;
    try {
      for (let next = decider.desk.pending[0]; next && !stopped.signal.aborted; next = decider.desk.pending[0])
        await askOne(next, terminal, decider, stopped.signal);
    } finally {
      asking = false;
    }
  };
  const look = () => void askNext().catch(report);
  owned.add(decider.desk.onDidChange(look));
  look();
  return owned;
}

async function askOne(
  request: PendingRequest,
  terminal: AskTerminal,
  decider: Decider,
  stopped: AbortSignal,
): Promise<void> {
  const withdrawn = new AbortController();
  const inputEnded = new AbortController();
  const subscription = decider.desk.onDidChange(() => {
    if (!decider.desk.pending.some(({ id }) => id === request.id)) withdrawn.abort();
  });
  const release = terminal.holdOutput();
  const lines = createInterface({ input: terminal.io.stdin, output: process.stderr, terminal: true });
  lines.on("SIGINT", () => terminal.onInterrupt());
  lines.on("close", () => inputEnded.abort());
  try {
    terminal.io.stderr.write(`\n${terminal.show(request)}\n`);
    const decision = await askDecision(request, lines, AbortSignal.any([withdrawn.signal, stopped, inputEnded.signal]));
    await decider.decide(request.id, decision, "person");
  } catch (error) {
    if (!isAborted(error)) throw error;
    if (stopped.aborted) return;
    terminal.io.stderr.write(withdrawn.signal.aborted ? "\nNo longer needed.\n" : "\nNo.\n");
    if (!withdrawn.signal.aborted) await decider.decide(request.id, noAnswer(request), "person");
  } finally {
    subscription.dispose();
    lines.close();
    release();
  }
}

/** The end of the input (Ctrl-D) says no. */
function noAnswer(request: PendingRequest): Decision {
  return request.kind === "plan" ? { kind: "reject", feedback: "" } : { kind: "deny" };
}

interface Choice {
  key: string;
  label: string;
  decision(lines: Interface, signal: AbortSignal): Promise<Decision>;
}

async function askDecision(request: PendingRequest, lines: Interface, signal: AbortSignal): Promise<Decision> {
  const choices = request.kind === "plan" ? planChoices(request) : permissionChoices(request);
  const question = `${choices.map(({ key, label }) => `[${key}] ${label}`).join("   ")}\n> `;
  for (;;) {
    const answer = (await lines.question(question, { signal })).trim().toLowerCase();
    const chosen = choices.find(({ key }) => key === answer);
    if (chosen) return chosen.decision(lines, signal);
  }
}

function permissionChoices(request: PermissionRequest): Choice[] {
  const rules = suggestedRules(request.suggestions);
  const allow =
    (scope: "once" | "session" | "always"): Choice["decision"] =>
    () =>
      Promise.resolve({ kind: "allow", scope });
  const shown = visibleLine(rules.join(", "));
  return [
    { key: "y", label: "allow once", decision: allow("once") },
    ...(rules.length === 0
      ? []
      : [
          { key: "s", label: "allow for this session", decision: allow("session") },
          { key: "a", label: `always allow ${shown}`, decision: allow("always") },
        ]),
    { key: "n", label: "deny", decision: askReason },
  ];
}

async function askReason(lines: Interface, signal: AbortSignal): Promise<Decision> {
  const reason = (await lines.question("Why not? (Enter: no reason) ", { signal })).trim();
  return reason === "" ? { kind: "deny" } : { kind: "deny", reason };
}

function planChoices(request: PlanRequest): Choice[] {
  const modes = [request.afterMode, ...AFTER_PLAN_MODES.filter((mode) => mode !== request.afterMode)];
  const approvals = modes.slice(0, 2).map((mode, index) => ({
    key: index === 0 ? "y" : "d",
    label: `approve, then ${mode}`,
    decision: () => Promise.resolve<Decision>({ kind: "approve", mode }),
  }));
  return [...approvals, { key: "n", label: "send back with comments", decision: askComments }];
}

async function askComments(lines: Interface, signal: AbortSignal): Promise<Decision> {
  for (;;) {
    const feedback = (await lines.question("What should change? ", { signal })).trim();
    if (feedback !== "") return { kind: "reject", feedback };
  }
}
