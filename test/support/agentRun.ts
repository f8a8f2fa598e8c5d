import * as z from "zod";
import { toMessages } from "../../src/agent/messages.ts";
import { runAgent } from "../../src/agent/runAgent.ts";
import { toolDefinition } from "../../src/agent/toolDefinition.ts";
import type { AgentEvent, AgentInput, AgentPorts, Model, RunLimits, RunOutcome, Tool } from "../../src/agent/types.ts";
import { type ToolResultBlock, type TranscriptRecord, textOf } from "../../src/protocol/transcript.ts";

/** One run over memory: the transcript begins with the person's "Go.", everything is allowed unless `ports` say else. */
export interface AgentRun {
  transcript: TranscriptRecord[];
  events: AgentEvent[];
  ports: AgentPorts;
  start(signal?: AbortSignal, limits?: Partial<RunLimits>): Promise<RunOutcome>;
  /** The transcript as short lines, for comparison. */
  lines(): string[];
  results(): ToolResultBlock[];
}

/** A run that has not begun; `ports` stand in place of what is made here. */
export function agentRun(model: Model, tools: readonly Tool[] = [], ports: Partial<AgentPorts> = {}): AgentRun {
  const transcript: TranscriptRecord[] = [
    { kind: "input", at: "2026-01-01T00:00:00.000Z", origin: "person", content: [{ type: "text", text: "Go." }] },
  ];
  const events: AgentEvent[] = [];
  let now = Date.parse("2026-01-01T00:00:01.000Z");
  const all: AgentPorts = {
    model,
    tools,
    authorize: async () => ({ allow: true }),
    prepareRequest: async (records) => ({
      model: "scripted",
      system: [{ text: "You test." }],
      messages: toMessages(records),
      tools: tools.map(toolDefinition),
      maxTokens: 1000,
      thinking: "off",
    }),
    takeSteering: async () => [],
    emit: async (event) => void events.push(event),
    now: () => now++,
    ...ports,
  };
  return {
    transcript,
    events,
    ports: all,
    start: (signal = new AbortController().signal, limits = {}) =>
      runAgent(transcript, all, { maxTurns: 20, maxBadInputs: 3, ...limits }, signal),
    lines: () => transcript.map(line),
    results: () => transcript.flatMap((record) => (record.kind === "tool_result" ? [record.result] : [])),
  };
}

/** A tool that takes `{ text }` and gives it back. */
export function echoTool(changes: Partial<Tool<{ text: string }>> = {}): Tool<{ text: string }> {
  return {
    name: "Echo",
    description: "Gives the text back.",
    inputSchema: z.strictObject({ text: z.string() }),
    parallel: false,
    run: async ({ text }) => ({ content: text }),
    ...changes,
  };
}

/** What the person says, as an input of a run. */
export function person(text: string): AgentInput {
  return { origin: "person", content: [{ type: "text", text }] };
}

function line(record: TranscriptRecord): string {
  switch (record.kind) {
    case "session":
      return `session ${record.agent}`;
    case "input":
      return `input ${record.origin}: ${textOf(record.content)}`;
    case "reply": {
      const blocks = record.content.map((block) =>
        block.type === "text" ? block.text : block.type === "tool_use" ? `${block.name}#${block.id}` : block.type,
      );
      return `reply ${record.incomplete ? "incomplete" : record.stopReason}: ${blocks.join(" ")}`;
    }
    case "summary":
      return "summary";
    case "tool_start":
      return `start ${record.toolUseId}`;
    case "tool_result":
      return `${record.result.is_error ? "error" : "result"} ${record.result.tool_use_id}: ${textOf(record.result.content)}`;
    case "run_end":
      return `end ${record.outcome}${record.reason ? `: ${record.reason}` : ""}`;
  }
}
