import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isAborted } from "../base/abort.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { Emitter, type Event } from "../base/emitter.ts";
import { errorMessage } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { SerialQueue } from "../base/serial.ts";
import { checkRequest } from "./checkRequest.ts";
import type { Fault } from "./fault.ts";
import {
  type ApiError,
  apiError,
  type ContentBlock,
  type MessagesRequest,
  memberNamed,
  scriptError,
} from "./messagesApi.ts";
import type { Pace, ScriptedTeam } from "./script.ts";
import { type ScriptAnswer, type ScriptedReply, ScriptSession } from "./scriptSession.ts";
import { sendError, sendReply } from "./sendReply.ts";
import { countTokens, createUsageMeter, type InputUsage } from "./usageMeter.ts";

export interface MessagesServerOptions {
  /** The only key that is accepted; without it, any. */
  apiKey?: string;
  /** Replaces the script's own pace. */
  pace?: Pace;
  /** Longest prompt in tokens; a longer one is refused as the API does. */
  contextWindow?: number;
  clock?: Clock;
  /** Default: any free port. */
  port?: number;
  /** How many requests `requests` keeps, the newest ones (default 1,000). */
  keep?: number;
}

/** One request as it was received and answered. `at`, `endedAt`: ms. */
export interface RequestRecord {
  at: number;
  endedAt: number | null;
  /** Null where the request was refused before its member was known. */
  member: string | null;
  step: number | null;
  /** Name of the step that answered. */
  stepName: string | null;
  /** Header fields in lower case, keys left out. */
  headers: Readonly<Record<string, string>>;
  request: MessagesRequest;
  /** HTTP status; null while it is being answered; 0: the connection was closed without one. */
  status: number | null;
  /** The reply, or null where an error was sent. */
  reply: readonly ContentBlock[] | null;
}

export interface MessagesServer {
  /** Base URL without a slash at its end: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Well-formed requests, oldest first. */
  readonly requests: readonly RequestRecord[];
  /** Every sentence that was answered with HTTP 400: refused requests and scripts that were not sent what they expect. */
  readonly failures: readonly string[];
  /** Fires when a request has come in, before it is answered. */
  readonly onRequest: Event<RequestRecord>;
  /** Makes the next `times` (1) answers fail; to one member, where it is named. The script goes on at the retry. */
  inject(fault: Fault, options?: { member?: string; times?: number }): void;
  /** Ends every connection and releases the port. */
  close(): Promise<void>;
}

/**
 * Starts a server on loopback that speaks the Messages API (`POST /v1/messages`, streamed or not) and answers each
 * member by its script. Requests are checked as the API does.
 */
export async function startMessagesServer(
  team: ScriptedTeam,
  options: MessagesServerOptions = {},
): Promise<MessagesServer> {
  const state = createState(team, options);
  const { createServer } = await import("node:http"); // a third of a program's start, so only where there is a server
  const server = createServer((request, response) => void serve(state, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: state.requests,
    failures: state.failures,
    onRequest: state.received.event,
    inject: (fault, { member, times = 1 } = {}) => state.faults.push({ fault, member, times }),
    close: async () => {
      state.closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      state.received.dispose();
    },
  };
}

interface ServerState {
  team: ScriptedTeam;
  options: MessagesServerOptions;
  clock: Clock;
  pace: Pace;
  sessions: Map<string, ScriptSession>;
  queue: SerialQueue;
  meter: ReturnType<typeof createUsageMeter>;
  requests: RequestRecord[];
  failures: string[];
  faults: { fault: Fault; member: string | undefined; times: number }[];
  received: Emitter<RequestRecord>;
  closing: AbortController;
}

/** Largest body that the API takes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

function createState(team: ScriptedTeam, options: MessagesServerOptions): ServerState {
  return {
    team,
    options,
    clock: options.clock ?? systemClock,
    pace: options.pace ?? team.pace ?? { firstByteMs: 0, pieceMs: 0 },
    sessions: new Map(),
    queue: new SerialQueue(),
    meter: createUsageMeter(),
    requests: [],
    failures: [],
    faults: [],
    received: new Emitter(),
    closing: new AbortController(),
  };
}

async function serve(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.on("error", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, state.closing.signal]);
  try {
    const body = await acceptedBody(state, request);
    if ("status" in body) return refuse(state, response, body);
    await answer(state, body, request, response, signal);
  } catch (error) {
    if (signal.aborted || isAborted(error)) response.destroy();
    else refuse(state, response, scriptError(500, `The scripted server failed: ${errorMessage(error)}`));
  }
}

function refuse(state: ServerState, response: ServerResponse, error: ApiError): void {
  if (error.status === 400 || error.status === 500) state.failures.push(error.message);
  if (response.headersSent) response.destroy();
  else sendError(response, error);
}

/** The checked body of a request, or the error that it is refused with. */
async function acceptedBody(state: ServerState, request: IncomingMessage): Promise<MessagesRequest | ApiError> {
  const path = (request.url ?? "").split("?")[0];
  if (path !== "/v1/messages" || request.method !== "POST") {
    return apiError(404, `Not found: ${request.method} ${path}`);
  }
  const text = await readBody(request);
  const keyFault = faultOfKey(request, state.options.apiKey);
  if (keyFault !== undefined) return apiError(401, keyFault);
  if (request.headers["anthropic-version"] === undefined) return apiError(400, "anthropic-version: header is required");
  if (text === undefined) return apiError(413, "Request exceeds the maximum size");
  const parsed = parseJson(text);
  if (parsed === undefined) return apiError(400, "The request body is not valid JSON");
  const checked = checkRequest(parsed);
  if (!checked.ok) return apiError(400, checked.message);
  const tokens = countTokens(text);
  const window = state.options.contextWindow ?? Number.POSITIVE_INFINITY;
  return tokens > window ? apiError(400, `prompt is too long: ${tokens} tokens > ${window} maximum`) : checked.request;
}

function faultOfKey(request: IncomingMessage, expected: string | undefined): string | undefined {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const key = request.headers["x-api-key"] || bearer;
  if (key === undefined) return "x-api-key header is required";
  return expected === undefined || key === expected ? undefined : "invalid x-api-key";
}

async function answer(
  state: ServerState,
  request: MessagesRequest,
  http: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const member = (state.team.memberOf ?? memberNamed)(request) ?? null;
  const record = keepRecord(state, request, member, http);
  const finish = (status: number) => {
    record.status = status;
    record.endedAt = state.clock.now();
  };
  try {
    const injected = takeFault(state, member);
    const given = replacesReply(injected) ? undefined : await scripted(state, request, member, signal);
    if (given?.kind === "mismatch") {
      refuse(state, response, scriptError(400, given.message));
      return finish(400);
    }
    if (given !== undefined) note(record, given);
    const sent = await send(state, request, response, given, injected, signal);
    finish(sent.status);
    if (sent.whole && given?.delivered === false) {
      given.delivered = true;
      given.reply.delivered?.();
    }
  } catch (error) {
    finish(0);
    throw error;
  }
}

function keepRecord(
  state: ServerState,
  request: MessagesRequest,
  member: string | null,
  http: IncomingMessage,
): RequestRecord {
  const headers = Object.fromEntries(
    Object.entries(http.headers)
      .filter(([name]) => name !== "x-api-key" && name !== "authorization")
      .map(([name, value]) => [name, String(value)]),
  );
  const at = state.clock.now();
  const record: RequestRecord = {
    at,
    endedAt: null,
    member,
    step: null,
    stepName: null,
    headers,
    request,
    status: null,
    reply: null,
  };
  state.requests.push(record);
  if (state.requests.length > (state.options.keep ?? 1000)) state.requests.shift();
  state.received.fire(record);
  return record;
}

function note(record: RequestRecord, given: ScriptedReply): void {
  record.step = given.step;
  record.stepName = given.reply.step ?? null;
  record.reply = given.blocks;
}

function takeFault(state: ServerState, member: string | null): Fault | undefined {
  const index = state.faults.findIndex((one) => one.member === undefined || one.member === member);
  const found = state.faults[index];
  if (found === undefined) return undefined;
  found.times -= 1;
  if (found.times <= 0) state.faults.splice(index, 1);
  return found.fault;
}

/** Whether a fault needs no reply: the request then leaves the script where it is. */
function replacesReply(fault: Fault | undefined): boolean {
  return fault?.kind === "status" || fault?.kind === "hang_up";
}

/** The script's answer; requests of one member wait for each other. */
async function scripted(
  state: ServerState,
  request: MessagesRequest,
  member: string | null,
  signal: AbortSignal,
): Promise<ScriptAnswer> {
  if (member === null) {
    return {
      kind: "mismatch",
      step: 0,
      message: "The system prompt has no line `Your name: NAME`, so no script can answer.",
    };
  }
  const session = sessionOf(state, member);
  if (session === undefined)
    return { kind: "mismatch", step: 0, message: `There is no script for the member "${member}".` };
  return state.queue.run(member, () => session.answer(request, signal));
}

function sessionOf(state: ServerState, member: string): ScriptSession | undefined {
  const known = state.sessions.get(member);
  const script = known === undefined ? state.team.scriptOf(member) : undefined;
  if (script === undefined) return known;
  const session = new ScriptSession(member, script);
  state.sessions.set(member, session);
  return session;
}

function send(
  state: ServerState,
  request: MessagesRequest,
  response: ServerResponse,
  given: ScriptedReply | undefined,
  injected: Fault | undefined,
  signal: AbortSignal,
): Promise<{ status: number; whole: boolean }> {
  const inputUsage: InputUsage = state.meter.measure(request);
  const calls = (given?.reply.calls ?? []).length > 0;
  const stopReason = given?.reply.stopReason ?? (calls ? "tool_use" : "end_turn");
  const fault = injected ?? (given?.sends === 1 ? given.reply.fault : undefined);
  const message = { model: request.model, blocks: given?.blocks ?? [], stopReason, inputUsage };
  return sendReply(response, message, {
    stream: request.stream === true,
    pace: state.pace,
    fault,
    clock: state.clock,
    signal,
  });
}

/** The body as text, or undefined where it is too large; it is read to its end in both cases. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString("utf8");
}
