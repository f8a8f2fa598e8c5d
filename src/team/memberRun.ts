import { runAgent } from "../agent/runAgent.ts";
import type { AgentEvent, AgentInput, AgentPorts, RunLimits, RunOutcome, Tool } from "../agent/types.ts";
import { AbortedError } from "../base/abort.ts";
import { isoTime } from "../base/clock.ts";
import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { type TranscriptRecord, textOf } from "../protocol/transcript.ts";
import { runAsAgent } from "./agentContext.ts";
import { gateOf, type MemberContext, type RunningMember } from "./context.ts";
import { endedByHold, isFree, untilFree } from "./limits/hold.ts";
import { type OutageWatch, watchOutage } from "./limits/outage.ts";
import { personInput } from "./mail/mailInputs.ts";
import { prepareRequest, type RequestParts } from "./prompts/prepareRequest.ts";
import { authorizeCall } from "./requests/authorize.ts";
import { apiWait } from "./views/apiWait.ts";
import { toolArgument } from "./views/toolArgument.ts";

const LIMITS: RunLimits = { maxTurns: 200, maxBadInputs: 3 };

/**
 * One run of a member: the inputs go into its transcript, then the loop goes on until it rests. The state is `working`
 * or `waiting` meanwhile; what it is afterwards is the caller's to say.
 */
export async function runMember(
  context: MemberContext,
  running: RunningMember,
  tools: readonly Tool[],
  inputs: readonly AgentInput[],
  signal: AbortSignal,
): Promise<RunOutcome> {
  const interrupt = new AbortController();
  const runSignal = AbortSignal.any([signal, interrupt.signal]);
  const outage = watchOutage(context, running, () => interrupt.abort());
  const run: MemberRun = { context, running, tools, outage };
  running.interrupt = interrupt;
  running.member.setState("working");
  running.takesTask = false;
  try {
    const outcome = await runOnce(run, inputs, runSignal);
    if (outage.failure && outcome.kind === "aborted") return { kind: "failed", failure: outage.failure };
    if (outcome.kind !== "failed" || outcome.failure.cause !== "prompt_too_long") return outcome;
    running.compactor.demand();
    return await runOnce(run, [], runSignal);
  } finally {
    outage.dispose();
    running.interrupt = null;
    running.member.setActivity(null);
    context.texts.fire({ member: running.member.name, text: null });
  }
}

interface MemberRun {
  context: MemberContext;
  running: RunningMember;
  tools: readonly Tool[];
  outage: OutageWatch;
}

async function runOnce(
  { context, running, tools, outage }: MemberRun,
  inputs: readonly AgentInput[],
  signal: AbortSignal,
): Promise<RunOutcome> {
  const first = [...inputs];
  const { name } = running.member;
  const gate = gateOf(() => context);
  const ports: AgentPorts = {
    model: context.modelOf(name, (listener) => onMessage(context, running, listener)),
    tools: tools.map((tool) => endedByHold(tool, gate, name)),
    async authorize(call, callSignal) {
      await untilFree(gate, name, callSignal);
      const authorization = await authorizeCall(context, running, call, callSignal);
      await untilFree(gate, name, callSignal); // what was decided meanwhile runs when the team goes on
      return authorization;
    },
    prepareRequest: (transcript, callSignal) =>
      prepareRequest(context, running, { tools, transcript, onSummary: keepSummary(context, running) }, callSignal),
    takeSteering: async (callSignal) => {
      const held = gate.holdOf(name) !== null;
      if (!(await isFree(gate, name, callSignal))) return [];
      if (held) await running.mailroom?.check(); // what was said meanwhile is there, whatever the watcher saw
      const given = first.splice(0);
      return [...given, ...takeWords(running), ...newerThan(given, personMail(running))];
    },
    async emit(event) {
      await handleEvent(context, running, event);
      outage.seen(event);
    },
    now: () => context.options.clock.now(),
  };
  return runAsAgent(running.member, () => runAgent(running.transcript, ports, LIMITS, signal));
}

/** Keeps what shortening the conversation cost, so that it counts after a reload and in what the team leaves too. */
function keepSummary(context: MemberContext, running: RunningMember): RequestParts["onSummary"] {
  return async (spent) => {
    const record: TranscriptRecord = { kind: "summary", at: isoTime(context.options.clock.now()), ...spent };
    await handleEvent(context, running, { type: "record", record });
    running.transcript.push(record);
  };
}

/** Tells of each message that comes in for a member from now on. */
function onMessage({ changes }: MemberContext, running: RunningMember, listener: () => void): Disposable {
  const waiting = () => running.words.length + (running.mailroom?.toDeliver.length ?? 0);
  let known = waiting();
  const look = () => {
    const before = known;
    known = waiting();
    if (known > before) listener();
  };
  const owned = new DisposableStore();
  owned.add(changes.event(look));
  if (running.mailroom) owned.add(running.mailroom.onDidChange(look));
  return owned;
}

/** What the person said beside the inbox. */
export function takeWords(running: RunningMember): AgentInput[] {
  return running.words
    .splice(0)
    .map(({ text, images }) => ({ origin: "person", content: [{ type: "text", text }, ...images] }));
}

/** The person's own words are the only mail that enters a running run. */
function personMail(running: RunningMember): AgentInput[] {
  const words = running.mailroom?.toDeliver.filter((mail) => mail.authority === "person") ?? [];
  return words.map(personInput);
}

/** Mail that woke the member is among its first inputs, and unread until these are stored. */
function newerThan(given: readonly AgentInput[], mail: readonly AgentInput[]): AgentInput[] {
  const taken = new Set(given.flatMap(({ msgIds }) => msgIds ?? []));
  return mail.filter(({ msgIds }) => !msgIds?.some((id) => taken.has(id)));
}

/** Stores and tells what a run does. Rejects with AbortedError once the session is suspended. */
export async function handleEvent(context: MemberContext, running: RunningMember, event: AgentEvent): Promise<void> {
  if (context.suspended) throw new AbortedError(); // what is not stored was never said: the next process goes on before it
  const { member } = running;
  switch (event.type) {
    case "record":
      return handleRecord(context, running, event.record);
    case "text_delta":
      context.texts.fire({ member: member.name, text: event.text });
      return;
    case "thinking_delta":
      return;
    case "retrying":
      context.texts.fire({ member: member.name, text: null });
      member.setState("working", apiWait(event.failure, context.options.clock.now() + event.delayMs));
      return;
    case "closed":
      member.setState("working", apiWait(null, event.until));
      return;
    case "asking":
      member.setState("working");
      return;
    case "tool_start":
      member.setActivity({ tool: event.call.name, argument: toolArgument(event.call.name, event.call.input) });
      context.events.fire({
        type: "tool_start",
        member: member.name,
        id: event.call.id,
        name: event.call.name,
        input: event.call.input,
      });
      return;
    case "tool_end":
      member.setActivity(null);
      context.events.fire({ type: "tool_end", member: member.name, id: event.id, ok: event.ok, ms: event.ms });
      return;
  }
}

async function handleRecord(context: MemberContext, running: RunningMember, record: TranscriptRecord): Promise<void> {
  const { member } = running;
  await context.options.store.transcripts.append(running.owner, record);
  context.records.fire({ member: member.name, record });
  if (record.kind === "input" && record.msgIds) await running.mailroom?.markDelivered(record.msgIds);
  if (record.kind === "reply") {
    context.texts.fire({ member: member.name, text: null });
    if (member.state === "working") member.setState("working");
  } else if (record.kind !== "summary") return;
  member.addUsage(record);
  const text = record.kind === "reply" ? textOf(record.content) : "";
  if (text.trim() !== "") context.events.fire({ type: "text", member: member.name, text });
  context.events.fire({ type: "usage", member: member.name, ...record.usage });
}
