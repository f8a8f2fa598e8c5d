import { createInterface } from "node:readline";
import * as z from "zod";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { parseJson } from "../../base/json.ts";
import { givenModeSchema, resolveMode } from "../../protocol/mode.ts";
import type { Decision, PendingRequest } from "../../protocol/request.ts";
import type { CliIo } from "../cliIo.ts";
import { tellSentence } from "../tellSentence.ts";
import { type Decider, decideByPolicy, type Policy } from "./approver.ts";

/** One line of standard input with `--approve stdin`. */
const decisionLineSchema = z.object({
  id: z.string(),
  decision: z.enum(["allow", "deny", "approve", "reject"]),
  reason: z.optional(z.string()),
  updatedInput: z.optional(z.record(z.string(), z.unknown())),
  mode: z.optional(givenModeSchema.transform(resolveMode)),
});
type DecisionLine = z.infer<typeof decisionLineSchema>;

/**
 * `--approve stdin`: decisions come as JSON Lines on standard input, made by a person. A line that is malformed or that no
 * request waits for is reported once and does nothing. After the end of the input `afterEnd` decides what waits and what
 * comes later.
 */
export function approveByStdin(
  io: CliIo,
  decider: Decider,
  report: (error: unknown) => void,
  afterEnd: Policy,
): Disposable {
  const owned = new DisposableStore();
  const warn = (sentence: string) => tellSentence(io, sentence);
  const lines = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  owned.defer(() => lines.close());
  let closing = false;
  owned.defer(() => {
    closing = true;
  });
  let queue = Promise.resolve();
  lines.on("line", (line) => {
    queue = queue.then(() => takeLine(line, decider, warn)).catch(report);
  });
  lines.on("close", () => {
    queue = queue.then(() => {
      if (closing) return;
      owned.add(decideByPolicy(afterEnd, decider, report));
    });
  });
  return owned;
}

async function takeLine(line: string, decider: Decider, warn: (sentence: string) => void): Promise<void> {
  if (line.trim() === "") return;
  const parsed = decisionLineSchema.safeParse(parseJson(line));
  if (!parsed.success)
    return warn(`A line of standard input is not a decision and was left out: ${JSON.stringify(line.slice(0, 120))}.`);
  const request = decider.desk.pending.find(({ id }) => id === parsed.data.id);
  if (!request)
    return warn(`No request ${JSON.stringify(parsed.data.id)} waits for a decision; the line was left out.`);
  const decision = decisionOf(parsed.data, request);
  if (!decision)
    return warn(
      `A ${request.kind} cannot be decided with ${JSON.stringify(parsed.data.decision)}; the line was left out.`,
    );
  const result = await decider.decide(request.id, decision, "person");
  if (result !== "decided")
    warn(`The request ${JSON.stringify(request.id)} was decided or withdrawn already; the line was left out.`);
}

function decisionOf(line: DecisionLine, request: PendingRequest): Decision | null {
  const { reason, updatedInput } = line;
  const forPlan = line.decision === "approve" || line.decision === "reject";
  if (forPlan !== (request.kind === "plan")) return null;
  switch (line.decision) {
    case "allow":
      return { kind: "allow", scope: "once", ...(updatedInput ? { updatedInput } : {}) };
    case "deny":
      return { kind: "deny", ...(reason === undefined ? {} : { reason }) };
    case "approve":
      return { kind: "approve", mode: line.mode ?? (request.kind === "plan" ? request.afterMode : "default") };
    case "reject":
      return { kind: "reject", feedback: reason ?? "" };
  }
}
