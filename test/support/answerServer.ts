import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it came. */
export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown> & { messages: { role: string; content: unknown }[] };
}

/** What the server does with the next request. */
export type Answer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

/**
 * A server on loopback that answers requests in order, by a list: byte by byte where a test wants a stream that the
 * scripted server of the demo (`src/demo/messagesServer.ts`) would never send.
 */
export interface AnswerServer extends AsyncDisposable {
  url: string;
  requests: SeenRequest[];
  /** Settles when a connection was closed by the other side before its answer was complete. */
  hungUp: Promise<void>;
}

/** Starts it on a free port; a request beyond the list gets an error 500. */
export async function startAnswerServer(answers: readonly Answer[]): Promise<AnswerServer> {
  const requests: SeenRequest[] = [];
  const hangUp = Promise.withResolvers<void>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    response.on("close", () => response.writableFinished || hangUp.resolve());
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as SeenRequest["body"];
      const request = { path: incoming.url ?? "", headers: incoming.headers, body };
      const answer = answers[requests.push(request) - 1] ?? answerError(500, "api_error", "no answer left");
      void answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    hungUp: hangUp.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An error as the Messages API writes it. */
export function answerError(status: number, type: string, message: string, headers = {}, details?: unknown): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ type: "error", error: { type, message, details }, request_id: "req_1" }));
  };
}

/** A stream of events; the connection is closed after the last one. */
export function answerEvents(events: readonly StreamEvent[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events) writeEvent(response, event);
    response.end();
  };
}

/** An event of a stream, as the Messages API names and fills it. */
export type StreamEvent = { type: string; [key: string]: unknown };

/** Writes one event of a stream (SSE). */
export function writeEvent(response: ServerResponse, event: StreamEvent): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The events of a whole reply, its blocks streamed in pieces. */
export function replyEvents(blocks: readonly StreamEvent[], stopReason = "end_turn"): StreamEvent[] {
  return [
    messageStart(),
    ...blocks.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 42 } },
    { type: "message_stop" },
  ];
}

/** The event that a stream begins with. */
export function messageStart(): StreamEvent {
  const usage = { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 30, cache_creation_input_tokens: null };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "model-x",
    content: [],
    stop_reason: null,
    usage,
  };
  return { type: "message_start", message };
}

/** Start, pieces and stop of one block. */
export function blockEvents(block: StreamEvent, index: number): StreamEvent[] {
  const start = (content: StreamEvent) => ({ type: "content_block_start", index, content_block: content });
  const deltas = (type: string, key: string, whole: string) =>
    [whole.slice(0, whole.length / 2), whole.slice(whole.length / 2)].map((part) => ({
      type: "content_block_delta",
      index,
      delta: { type, [key]: part },
    }));
  const stop = { type: "content_block_stop", index };
  switch (block.type) {
    case "text":
      return [start({ type: "text", text: "" }), ...deltas("text_delta", "text", String(block["text"])), stop];
    case "thinking":
      return [
        start({ type: "thinking", thinking: "", signature: "" }),
        ...deltas("thinking_delta", "thinking", String(block["thinking"])),
        { type: "content_block_delta", index, delta: { type: "signature_delta", signature: block["signature"] } },
        stop,
      ];
    case "tool_use": {
      const json = typeof block["json"] === "string" ? block["json"] : JSON.stringify(block["input"]);
      const content = { type: "tool_use", id: block["id"], name: block["name"], input: {} };
      return [start(content), ...deltas("input_json_delta", "partial_json", json), stop];
    }
    default:
      return [start(block), stop];
  }
}
