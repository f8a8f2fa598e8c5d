import { isAborted, raceAbort } from "../base/abort.ts";
import type { TranscriptRecord } from "../protocol/transcript.ts";
import { MAY_HAVE_RUN } from "./messages.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { refuseToolCalls, runToolCalls } from "./toolCalls.ts";
import {
  type AgentPorts,
  type ModelFailure,
  type ModelOutcome,
  type RunLimits,
  type RunOutcome,
  type ToolCall,
  toolCallsOf,
} from "./types.ts";
import { unfinishedReply } from "./unfinishedRun.ts";

/**
 * Runs an agent until it rests: request, reply, tools, and again. Every record is stored through `ports.emit` and then
 * appended to `transcript`; the last one is `run_end`. What goes wrong with the model or a tool is data: in the result,
 * or in a tool result. Rejects only when a port fails otherwise (a record that cannot be stored, as a rule).
 *
 * A transcript whose last run has no end is gone on with: calls that began get a result that says so, unless their tool
 * is `repeatable`; calls that did not begin are judged and run now.
 */
export async function runAgent(
  transcript: TranscriptRecord[],
  ports: AgentPorts,
  limits: RunLimits,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const run: Run = { transcript, ports, limits, signal, record: createRecorder(transcript, ports), fruitless: 0 };
  const outcome = await takeTurns(run);
  const reason = reasonOf(outcome);
  await run.record({ kind: "run_end", outcome: outcome.kind, ...(reason === undefined ? {} : { reason }) });
  return outcome;
}

interface Run {
  transcript: TranscriptRecord[];
  ports: AgentPorts;
  limits: RunLimits;
  signal: AbortSignal;
  record: Recorder;
  /** Replies in a row that came to nothing: cut by a token limit, or with nothing but bad inputs. */
  fruitless: number;
}

/** What follows a reply: another one, rest, or the end of the run. */
type Next = "go on" | "rest" | RunOutcome;

async function takeTurns(run: Run): Promise<RunOutcome> {
  const { maxTurns } = run.limits;
  let next = await takeUp(run);
  for (let turn = 0; ; turn++) {
    if (typeof next === "object") return next;
    if (next === "rest" && (turn === maxTurns || !(await takeInputs(run)))) return { kind: "completed" };
    if (run.signal.aborted) return { kind: "aborted" };
    if (turn === maxTurns)
      return { kind: "ended", by: "limit", reason: `The run reached its limit of ${maxTurns} turns.` };
    next = await takeTurn(run);
  }
}

/** Goes on where a process that is gone left the run; for a new run there is nothing to take up. */
async function takeUp(run: Run): Promise<Next> {
  const reply = unfinishedReply(run.transcript);
  if (!reply) return "go on";
  const repeatable = new Set(run.ports.tools.flatMap(({ name, repeatable }) => (repeatable ? [name] : [])));
  const lost = reply.started.filter(({ name }) => !repeatable.has(name));
  await refuseToolCalls(lost, MAY_HAVE_RUN, run.record);
  const calls = [...reply.started.filter(({ name }) => repeatable.has(name)), ...reply.waiting];
  if (calls.length > 0) return runBatch(calls, run);
  return reply.rests ? "rest" : "go on";
}

async function takeTurn(run: Run): Promise<Next> {
  const { ports, transcript, signal } = run;
  try {
    await takeInputs(run);
    const request = await raceAbort(ports.prepareRequest(transcript, signal), signal);
    const outcome = await streamReply(ports.model.stream(request, signal), ports);
    return await settle(outcome, run);
  } catch (error) {
    if (signal.aborted && isAborted(error)) return { kind: "aborted" };
    throw error;
  }
}

/** Puts what the person said meanwhile into the transcript; false if that was nothing. */
async function takeInputs({ ports, record, signal }: Run): Promise<boolean> {
  if (signal.aborted) return false;
  const inputs = await ports.takeSteering(signal);
  for (const input of inputs) await record({ kind: "input", ...input });
  return inputs.length > 0;
}

async function streamReply(
  stream: ReturnType<AgentPorts["model"]["stream"]>,
  ports: AgentPorts,
): Promise<ModelOutcome> {
  for await (const event of stream) {
    if (event.type === "finished") return event.outcome;
    if (event.type !== "tool_use_started") await ports.emit(event);
  }
  return { kind: "failed", failure: refused("The model ended without an answer. Try again.") };
}

/** Stores a reply, then runs what it asks for, or says why that did not run. */
async function settle(outcome: ModelOutcome, run: Run): Promise<Next> {
  if (outcome.kind === "failed") return outcome;
  const calls = uniqueCalls(outcome);
  await recordReply(outcome, run.record);
  if (outcome.kind === "reply") return afterReply(outcome.stopReason, calls, run);
  await refuseToolCalls(calls, "The reply was interrupted: this call did not run.", run.record);
  return outcome.kind === "cut" ? { kind: "failed", failure: outcome.failure } : { kind: "aborted" };
}

/** The API gives every call its own id; of two with the same one only the first could get a result. */
function uniqueCalls({ content }: Exclude<ModelOutcome, { kind: "failed" }>): ToolCall[] {
  const calls = toolCallsOf(content);
  return calls.filter(({ id }, index) => calls.findIndex((call) => call.id === id) === index);
}

async function recordReply(outcome: Exclude<ModelOutcome, { kind: "failed" }>, record: Recorder): Promise<void> {
  const { content, model, usage } = outcome;
  if (outcome.kind === "reply") return record({ kind: "reply", model, content, stopReason: outcome.stopReason, usage });
  const cost = usage.input_tokens + usage.output_tokens + usage.cache_read_input_tokens;
  if (content.length === 0 && cost === 0) return;
  await record({ kind: "reply", model, content, stopReason: null, usage, incomplete: true });
}

/** Stop reasons as in the Messages API; one that is not known is the end of a turn, and nothing runs because of it. */
async function afterReply(stopReason: string, calls: readonly ToolCall[], run: Run): Promise<Next> {
  switch (stopReason) {
    case "tool_use":
    case "end_turn":
    case "stop_sequence":
      return calls.length > 0 ? runBatch(calls, run) : "rest";
    case "pause_turn":
      return calls.length > 0 ? runBatch(calls, run) : "go on";
    case "max_tokens":
    case "model_context_window_exceeded":
      return afterTokenLimit(calls, run);
    case "refusal":
      await refuseToolCalls(calls, "The model declined to go on: this call did not run.", run.record);
      return {
        kind: "failed",
        failure: refused("The model declined to answer this. Say it in another way, or ask for something else."),
      };
    default:
      await refuseToolCalls(
        calls,
        `The reply ended for an unknown reason (${stopReason}): this call did not run.`,
        run.record,
      );
      return "rest";
  }
}

async function runBatch(calls: readonly ToolCall[], run: Run): Promise<Next> {
  const { allBad, endRun } = await runToolCalls(calls, run.ports, run.record, run.signal);
  if (endRun !== undefined) return { kind: "ended", by: "tool", reason: endRun };
  if (run.signal.aborted) return { kind: "aborted" };
  if (allBad) return countFruitless(run, "had only tool calls that could not run");
  run.fruitless = 0;
  return "go on";
}

/** The call that the limit cut is not in the reply; those before it did not run either, so that their order holds. */
async function afterTokenLimit(calls: readonly ToolCall[], run: Run): Promise<Next> {
  await refuseToolCalls(
    calls,
    "The reply reached its token limit before it was complete: this call did not run.",
    run.record,
  );
  const next = countFruitless(run, "reached their token limit");
  if (next === "go on") {
    const text =
      "Your last reply reached its token limit and was cut. A tool call that it had begun did not run. Go on in smaller steps.";
    await run.record({ kind: "input", origin: "system", content: [{ type: "text", text }] });
  }
  return next;
}

function countFruitless(run: Run, what: string): Next {
  run.fruitless += 1;
  if (run.fruitless < run.limits.maxBadInputs) return "go on";
  return { kind: "ended", by: "limit", reason: `${run.fruitless} replies in a row ${what}.` };
}

function refused(message: string): ModelFailure {
  return { reason: "api_refused", message, retryable: false };
}

function reasonOf(outcome: RunOutcome): string | undefined {
  if (outcome.kind === "failed") return outcome.failure.message;
  return outcome.kind === "ended" ? outcome.reason : undefined;
}
