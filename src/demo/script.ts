import type { Fault } from "./fault.ts";
import type { Incoming } from "./incoming.ts";
import type { MessagesRequest } from "./messagesApi.ts";

/** A tool call of a scripted reply. `unlisted`: the request need not offer the tool. */
export interface ScriptedCall {
  tool: string;
  input: Record<string, unknown>;
  unlisted?: boolean;
}

/** What a scripted model says. */
export interface Reply {
  /** Name of the step, for error messages and the log. */
  step?: string;
  /** Sent as a thinking block where the request asks for thinking. */
  thinking?: string;
  text?: string;
  calls?: readonly ScriptedCall[];
  /** By default `tool_use` with calls, else `end_turn`. */
  stopReason?: string;
  /** What goes wrong when this reply is sent for the first time; a request that repeats gets it whole. */
  fault?: Fault;
  /** Called once, when the whole reply was sent. */
  delivered?: () => void;
}

/** One request as its script sees it. */
export interface Turn {
  member: string;
  /** Counts the replies of this member, from 1. */
  step: number;
  request: MessagesRequest;
  incoming: Incoming;
  /**
   * The turn was answered before, by a server that is gone: the script is brought to where it was, and must not wait.
   */
  replay: boolean;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

/** A script that runs: each reply is yielded, the next turn comes back. */
export type Script = AsyncGenerator<Reply, void, Turn>;

/** Begins the script of a member with its first turn. It must depend on the turns alone, so that it can be replayed. */
export type MemberScript = (first: Turn) => Script;

/** The scripts of a team. `memberOf` replaces the line `Your name: NAME` of the system prompt. */
export interface ScriptedTeam {
  scriptOf(member: string): MemberScript | undefined;
  memberOf?(request: MessagesRequest): string | undefined;
  pace?: Pace;
}

/** How fast replies are sent: wait before the first byte and between two pieces of text, in ms. */
export interface Pace {
  firstByteMs: number;
  pieceMs: number;
}

/** A reply, its text alone, or what makes one of a turn. */
export type Step = Reply | string | ((turn: Turn) => Reply | string | Promise<Reply | string>);

/** A script of steps, one a request. A request after the last one fails, unless `then` answers the rest. */
export function steps(list: readonly Step[], then?: Step): MemberScript {
  return async function* (first) {
    let turn = first;
    for (const step of list) turn = yield await replyOf(step, turn);
    while (then !== undefined) turn = yield await replyOf(then, turn);
  };
}

/** A script that answers every request with the same step. */
export function always(step: Step): MemberScript {
  return steps([], step);
}

/** A team of scripts by name; `others` plays everyone who is not named. */
export function scriptedTeam(members: Readonly<Record<string, MemberScript>>, others?: MemberScript): ScriptedTeam {
  return { scriptOf: (member) => (Object.hasOwn(members, member) ? members[member] : others) };
}

/** A call, for the `calls` of a reply. */
export function call(tool: string, input: Record<string, unknown> = {}): ScriptedCall {
  return { tool, input };
}

async function replyOf(step: Step, turn: Turn): Promise<Reply> {
  const reply = typeof step === "function" ? await step(turn) : step;
  return typeof reply === "string" ? { text: reply } : reply;
}
