import type { ServerResponse } from "node:http";
import type { Clock } from "../base/clock.ts";
import type { Fault } from "./fault.ts";
import { type ApiError, apiError } from "./messagesApi.ts";
import { newId } from "./replyBlocks.ts";
import { earlyEnd, messageBody, type ReplyMessage, type StreamEvent, streamEvents } from "./replyStream.ts";
import type { Pace } from "./script.ts";

/** How a reply is sent. */
export interface Sending {
  stream: boolean;
  pace: Pace;
  fault: Fault | undefined;
  clock: Clock;
  /** Aborts when the client goes away or the server closes; then the sending rejects. */
  signal: AbortSignal;
}

/**
 * Sends a reply, or what its fault makes of it. Resolves with the HTTP status that was sent and whether the reply was
 * sent whole; status 0: none was sent.
 */
export async function sendReply(
  response: ServerResponse,
  message: ReplyMessage,
  sending: Sending,
): Promise<{ status: number; whole: boolean }> {
  const { fault, clock, pace, signal } = sending;
  await pause(clock, fault?.kind === "slow" ? fault.ms : pace.firstByteMs, signal);
  if (fault?.kind === "hang_up") {
    response.destroy();
    return { status: 0, whole: false };
  }
  if (fault?.kind === "status") {
    const retryAfter = fault.retryAfterSeconds;
    sendError(
      response,
      apiError(fault.status, fault.message ?? `Scripted HTTP ${fault.status}`),
      retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    );
    return { status: fault.status, whole: false };
  }
  return sending.stream ? sendStream(response, message, sending) : sendBody(response, message, sending);
}

/** Sends an error answer as the API does. */
export function sendError(response: ServerResponse, error: ApiError, headers: Record<string, string> = {}): void {
  const requestId = newId("req_01");
  const body = { type: "error", error: { type: error.type, message: error.message }, request_id: requestId };
  response.writeHead(error.status, { "content-type": "application/json", "request-id": requestId, ...headers });
  response.end(JSON.stringify(body));
}

async function sendBody(
  response: ServerResponse,
  message: ReplyMessage,
  { fault, signal }: Sending,
): Promise<{ status: number; whole: boolean }> {
  if (fault?.kind === "stall") await untilAborted(signal);
  if (fault?.kind === "cut" || fault?.kind === "error_event") {
    response.destroy();
    return { status: 0, whole: false };
  }
  const ended = endedBy(message, fault);
  const sent =
    ended === undefined ? message : { ...ended, blocks: message.blocks.filter((block) => block.type === "text") };
  response.writeHead(200, { "content-type": "application/json", "request-id": newId("req_01") });
  response.end(JSON.stringify(messageBody(sent)));
  return { status: 200, whole: ended === undefined };
}

async function sendStream(
  response: ServerResponse,
  message: ReplyMessage,
  sending: Sending,
): Promise<{ status: number; whole: boolean }> {
  const { fault, pace, clock, signal } = sending;
  const events = streamEvents(message);
  const cut = fault !== undefined && "afterPieces" in fault ? cutAfter(events, fault.afterPieces) : events;
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "request-id": newId("req_01"),
  });
  for (const event of cut) {
    if (event.piece) await pause(clock, pace.pieceMs, signal);
    signal.throwIfAborted();
    write(response, event);
  }
  if (cut === events) {
    response.end();
    return { status: 200, whole: true };
  }
  await endBroken(response, message, cut, fault, signal);
  return { status: 200, whole: false };
}

/** What comes after the last piece of a reply that is not sent whole. */
async function endBroken(
  response: ServerResponse,
  message: ReplyMessage,
  sent: readonly StreamEvent[],
  fault: Fault | undefined,
  signal: AbortSignal,
): Promise<void> {
  const ended = endedBy(message, fault);
  if (ended !== undefined) {
    for (const event of earlyEnd(ended, sent)) write(response, event);
    response.end();
  } else if (fault?.kind === "error_event") {
    const error = { type: fault.type ?? "overloaded_error", message: fault.message ?? "Overloaded" };
    write(response, { name: "error", data: { type: "error", error }, piece: false });
    response.end();
  } else if (fault?.kind === "stall") {
    await untilAborted(signal);
  } else {
    // What was written must leave before the connection breaks.
    response.write("", () => response.destroy());
  }
}

/** The message with the ending of a fault that ends it early but properly. */
function endedBy(message: ReplyMessage, fault: Fault | undefined): ReplyMessage | undefined {
  if (fault?.kind === "max_tokens") return { ...message, stopReason: "max_tokens" };
  if (fault?.kind !== "refusal") return undefined;
  return {
    ...message,
    stopReason: "refusal",
    ...(fault.explanation === undefined ? {} : { explanation: fault.explanation }),
  };
}

/** The events up to and with the given number of pieces; a reply with fewer is cut behind its last piece. */
function cutAfter(events: readonly StreamEvent[], count: number): StreamEvent[] {
  const places = events.flatMap((event, index) => (event.piece ? [index] : []));
  const last = count === 0 ? (places[0] ?? 0) - 1 : (places[count - 1] ?? places.at(-1) ?? 0);
  return events.slice(0, last + 1);
}

function write(response: ServerResponse, event: StreamEvent): void {
  response.write(`event: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`);
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await clock.sleep(ms, signal);
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Error("The client went away."));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
