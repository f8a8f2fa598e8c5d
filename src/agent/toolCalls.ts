import { isAborted, raceAbort } from "../base/abort.ts";
import { errorMessage } from "../base/errors.ts";
import type { Recorder } from "./recorder.ts";
import type { AgentPorts, Authorization, Tool, ToolCall, ToolContext, ToolOutput } from "./types.ts";

/** The only key of an input that stands for text which was not a JSON object; its value is that text. */
export const UNPARSED_INPUT = "__unparsed_json";

/** What a batch of calls came to. `allBad`: no call got as far as being judged. */
export interface BatchEnd {
  allBad: boolean;
  endRun?: string;
}

interface Batch {
  tools: ReadonlyMap<string, Tool>;
  ports: AgentPorts;
  record: Recorder;
  signal: AbortSignal;
  end: BatchEnd;
}

/** A call that may run: its input has passed its schema and its authorization. */
interface ReadyCall {
  call: ToolCall;
  tool: Tool;
  input: unknown;
  note: string;
}

const NOT_STARTED = "Interrupted: this call did not run.";
const NOT_FINISHED =
  "Interrupted before it finished: this call may have taken effect in part. Check before you repeat it.";

/**
 * Runs the calls of one reply: those of consecutive `parallel` tools side by side, the others in order. Every call
 * gets exactly one result, after an abort too, which this does not wait for a tool to notice. Rejects only when a
 * record cannot be stored.
 */
export async function runToolCalls(
  calls: readonly ToolCall[],
  ports: AgentPorts,
  record: Recorder,
  signal: AbortSignal,
): Promise<BatchEnd> {
  const tools = new Map(ports.tools.map((tool) => [tool.name, tool]));
  const batch: Batch = { tools, ports, record, signal, end: { allBad: calls.length > 0 } };
  for (const group of groupCalls(calls, tools)) await runGroup(group, batch);
  return batch.end;
}

/** Gives every call an error result without running it. */
export async function refuseToolCalls(calls: readonly ToolCall[], reason: string, record: Recorder): Promise<void> {
  for (const call of calls) await recordResult(call, { content: reason, isError: true }, 0, record);
}

function groupCalls(calls: readonly ToolCall[], tools: ReadonlyMap<string, Tool>): ToolCall[][] {
  const groups: ToolCall[][] = [];
  let joins = false;
  for (const call of calls) {
    const parallel = tools.get(call.name)?.parallel ?? false;
    if (joins && parallel) groups.at(-1)?.push(call);
    else groups.push([call]);
    joins = parallel;
  }
  return groups;
}

/** Judges the calls of a group in order, then runs those that may. */
async function runGroup(group: readonly ToolCall[], batch: Batch): Promise<void> {
  const ready: ReadyCall[] = [];
  for (const call of group) {
    const judged = await judge(call, batch);
    if (typeof judged === "string") await recordResult(call, { content: judged, isError: true }, 0, batch.record);
    else ready.push(judged);
  }
  const runs = await Promise.allSettled(ready.map((call) => runCall(call, batch)));
  for (const run of runs) if (run.status === "rejected") throw run.reason;
}

/** The call, ready to run, or why it may not. */
async function judge(call: ToolCall, batch: Batch): Promise<ReadyCall | string> {
  if (batch.signal.aborted) return stopped(batch, NOT_STARTED);
  const tool = batch.tools.get(call.name);
  if (!tool) return `There is no tool named ${call.name}. The tools are: ${shownNames(batch.ports.tools)}.`;
  const asked = parseInput(tool, call.input);
  if (!asked.ok) return asked.reason;
  batch.end.allBad = false;
  const authorization = await authorize(call, batch);
  if (!authorization) return stopped(batch, NOT_STARTED);
  if (!authorization.allow) return authorization.reason;
  if (!authorization.input) return { call, tool, input: asked.input, note: "" };
  const changed = parseInput(tool, authorization.input);
  if (!changed.ok) return `The call was allowed with a changed input. ${changed.reason}`;
  const note = `This call ran with a changed input: ${JSON.stringify(authorization.input)}\n\n`;
  return { call: { ...call, input: authorization.input }, tool, input: changed.input, note };
}

function shownNames(tools: readonly Tool[]): string {
  return tools.flatMap(({ name, hidden }) => (hidden ? [] : [name])).join(", ");
}

function stopped(batch: Batch, reason: string): string {
  batch.end.allBad = false;
  return reason;
}

/** Undefined after an abort. A fault of the port denies the call: nothing runs unjudged. */
async function authorize(call: ToolCall, { ports, signal }: Batch): Promise<Authorization | undefined> {
  try {
    return await raceAbort(ports.authorize(call, signal), signal);
  } catch (error) {
    if (signal.aborted && isAborted(error)) return undefined;
    return { allow: false, reason: `The permission for this call could not be decided: ${errorMessage(error)}` };
  }
}

type Parsed = { ok: true; input: unknown } | { ok: false; reason: string };

function parseInput(tool: Tool, input: Record<string, unknown>): Parsed {
  if (typeof input[UNPARSED_INPUT] === "string")
    return { ok: false, reason: `The input of ${tool.name} is not a JSON object: ${input[UNPARSED_INPUT]}` };
  const parsed = tool.inputSchema.safeParse(input);
  if (parsed.success) return { ok: true, input: parsed.data };
  const issues = parsed.error.issues.map(({ path, message }) =>
    path.length ? `${path.join(".")}: ${message}` : message,
  );
  return { ok: false, reason: `The input of ${tool.name} is not valid. ${issues.join("; ")}` };
}

async function runCall({ call, tool, input, note }: ReadyCall, batch: Batch): Promise<void> {
  const { ports, record } = batch;
  await record({ kind: "tool_start", toolUseId: call.id, name: call.name });
  await ports.emit({ type: "tool_start", call });
  const startedAt = ports.now();
  const output = await runTool(tool, input, call, batch);
  const ms = ports.now() - startedAt;
  if (output.endRun !== undefined) batch.end.endRun ??= output.endRun;
  await recordResult(call, note ? withNote(output, note) : output, ms, record);
  await ports.emit({ type: "tool_end", id: call.id, name: call.name, ok: !output.isError, ms });
}

async function runTool(tool: Tool, input: unknown, call: ToolCall, batch: Batch): Promise<ToolOutput> {
  const { signal } = batch;
  if (signal.aborted) return { content: NOT_STARTED, isError: true };
  const context: ToolContext = {
    toolUseId: call.id,
    signal,
    authorize: async (step) =>
      (await authorize({ ...call, input: step }, batch)) ?? { allow: false, reason: NOT_STARTED },
  };
  try {
    return await raceAbort(tool.run(input, context), signal);
  } catch (error) {
    if (signal.aborted && isAborted(error)) return { content: NOT_FINISHED, isError: true };
    return { content: errorMessage(error), isError: true };
  }
}

function withNote(output: ToolOutput, note: string): ToolOutput {
  if (typeof output.content === "string") return { ...output, content: note + output.content };
  return { ...output, content: [{ type: "text", text: note.trimEnd() }, ...output.content] };
}

function recordResult(call: ToolCall, output: ToolOutput, ms: number, record: Recorder): Promise<void> {
  const { content, isError } = output;
  const result = { type: "tool_result" as const, tool_use_id: call.id, content };
  return record({ kind: "tool_result", result: isError ? { ...result, is_error: true } : result, ms });
}
