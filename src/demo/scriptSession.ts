import { errorMessage } from "../base/errors.ts";
import { ScriptMismatch } from "./expectations.ts";
import { isStateText, readIncoming } from "./incoming.ts";
import type { ApiMessage, ContentBlock, MessagesRequest } from "./messagesApi.ts";
import { replyBlocks } from "./replyBlocks.ts";
import type { MemberScript, Reply, Script, Turn } from "./script.ts";

/** A reply with its blocks. `sends` counts how often it was asked for; `delivered`: once it was sent whole. */
export interface ScriptedReply {
  kind: "reply";
  step: number;
  reply: Reply;
  blocks: readonly ContentBlock[];
  sends: number;
  delivered: boolean;
}

/** What a session answers: a reply, or the sentence that says what the script did not expect. */
export type ScriptAnswer = ScriptedReply | { kind: "mismatch"; step: number; message: string };

/**
 * Where one member is in its script. A request that repeats (a retry) gets the same reply; a request without replies
 * begins the script anew; a first request that holds replies replays the script up to them, so that a run goes on
 * with a server that was started anew. Callers ask one request after another.
 */
export class ScriptSession {
  private readonly member: string;
  private readonly begin: MemberScript;
  private script: Script | undefined;
  private step = 0;
  private stepName: string | undefined;
  private last: { messages: string; answer: ScriptAnswer } | undefined;

  constructor(member: string, begin: MemberScript) {
    this.member = member;
    this.begin = begin;
  }

  /** The answer to a checked request; never rejects. */
  async answer(request: MessagesRequest, signal: AbortSignal): Promise<ScriptAnswer> {
    const messages = lasting(request.messages);
    if (this.last?.messages === messages) return this.repeat(this.last.answer);
    const fresh = !request.messages.some((message) => message.role === "assistant");
    if (this.last?.answer.kind === "mismatch" && !fresh) return this.last.answer;
    const answer = await this.advance(request, fresh, signal);
    this.last = { messages, answer };
    return answer;
  }

  private repeat(answer: ScriptAnswer): ScriptAnswer {
    if (answer.kind === "reply") answer.sends += 1;
    return answer;
  }

  private async advance(request: MessagesRequest, fresh: boolean, signal: AbortSignal): Promise<ScriptAnswer> {
    try {
      if (fresh) this.forget();
      const reply =
        this.script === undefined
          ? await this.replay(request, signal)
          : await this.ask(request, request.messages, false, signal);
      this.checkTools(reply, request);
      return { kind: "reply", step: this.step, reply, blocks: replyBlocks(reply, request), sends: 1, delivered: false };
    } catch (error) {
      return { kind: "mismatch", step: this.step, message: this.sentence(error) };
    }
  }

  private forget(): void {
    this.script = undefined;
    this.step = 0;
    this.stepName = undefined;
  }

  /** Runs the script over every turn that the request holds; the last one is the new one. */
  private async replay(request: MessagesRequest, signal: AbortSignal): Promise<Reply> {
    for (const past of pastTurns(request.messages)) {
      const reply = await this.ask(request, past, true, signal);
      reply.delivered?.();
    }
    return this.ask(request, request.messages, false, signal);
  }

  private async ask(
    request: MessagesRequest,
    messages: readonly ApiMessage[],
    replay: boolean,
    signal: AbortSignal,
  ): Promise<Reply> {
    this.step += 1;
    const incoming = readIncoming(messages);
    const turn: Turn = { member: this.member, step: this.step, request, incoming, replay, signal };
    let result: IteratorResult<Reply, void>;
    if (this.script === undefined) {
      this.script = this.begin(turn);
      result = await this.script.next();
    } else {
      result = await this.script.next(turn);
    }
    if (result.done)
      throw new ScriptMismatch("no further request, as the script has ended", JSON.stringify(incoming.text));
    this.stepName = result.value.step;
    return result.value;
  }

  private checkTools(reply: Reply, request: MessagesRequest): void {
    const offered = (request.tools ?? []).map((tool) => tool.name);
    const missing = (reply.calls ?? []).filter((one) => one.unlisted !== true && !offered.includes(one.tool));
    if (missing.length === 0) return;
    throw new ScriptMismatch(
      `a request that offers the tool ${missing.map((one) => one.tool).join(", ")}`,
      `one that offers ${offered.length === 0 ? "none" : offered.join(", ")}`,
    );
  }

  private sentence(error: unknown): string {
    const after = this.stepName === undefined ? "" : `, after or in "${this.stepName}"`;
    const problem = error instanceof ScriptMismatch ? error.message : `the script failed: ${errorMessage(error)}`;
    return `Script of "${this.member}", step ${this.step}${after}: ${problem}.`;
  }
}

/** The conversation up to each reply that it holds; replies in a row count as one. */
function pastTurns(messages: readonly ApiMessage[]): ApiMessage[][] {
  return messages.flatMap((message, index) =>
    message.role === "assistant" && messages[index - 1]?.role === "user" ? [messages.slice(0, index)] : [],
  );
}

/** What of a conversation stays the same when it is sent again: cache marks and texts about the state of things do not. */
function lasting(messages: readonly ApiMessage[]): string {
  return JSON.stringify(messages, (key, value: unknown) => {
    if (key === "cache_control") return undefined;
    return key === "text" && typeof value === "string" && isStateText(value) ? "" : value;
  });
}
