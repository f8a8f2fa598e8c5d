import { lookup as systemLookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AbortedError, raceAbort } from "../../base/abort.ts";
import { errorMessage } from "../../base/errors.ts";
import { failTool } from "./filePaths.ts";

/** Of a longer body only so much is read, unpacked. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** How long one of several addresses has to take a connection. */
const CONNECT_MS = 5_000;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_ADDRESSES = 4;

/** What a server answered. `location`: where a redirect leads, as it was sent. `type`: of the content, with parameters. */
export interface WebAnswer {
  url: string;
  status: number;
  location: string | undefined;
  type: string;
  body: Buffer;
  /** The body is longer than what was read. */
  cut: boolean;
}

/** The IP addresses of a URL's host. */
export type Resolver = (url: URL, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * A resolver that asks once for each name: what was judged is what is connected to, whatever the name leads to by then.
 * `lookup` is the system's by default.
 */
export function createResolver(lookup: (host: string) => Promise<readonly string[]> = lookupAll): Resolver {
  const known = new Map<string, Promise<readonly string[]>>();
  return async (url, signal) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host)) return [host];
    const asked = known.get(host) ?? lookup(host);
    known.set(host, asked);
    const addresses = await raceAbort(asked, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      failTool(`The host ${host} was not found: ${errorMessage(error)}`);
    });
    const found = addresses.filter((address) => isIP(address) !== 0);
    if (found.length === 0) failTool(`The host ${host} has no address.`);
    return found;
  };
}

async function lookupAll(host: string): Promise<string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address);
}

/** One GET, without cookies and without following anything, to one of `addresses`. Rejects with a sentence for the model. */
export async function fetchOnce(
  url: URL,
  addresses: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<WebAnswer> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([signal, deadline]);
  try {
    const response = await connect(url, addresses.slice(0, MAX_ADDRESSES), stop);
    return await readAnswer(url, response, stop);
  } catch (error) {
    if (signal.aborted) throw new AbortedError();
    if (deadline.aborted) failTool(`${url.href} did not answer in full within ${timeoutMs / 1000} seconds.`);
    failTool(`${url.href} cannot be fetched: ${errorMessage(error)}`);
  }
}

/** Tries the addresses one after the other until one takes the connection. */
async function connect(url: URL, addresses: readonly string[], stop: AbortSignal): Promise<http.IncomingMessage> {
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    try {
      return await send(url, address, isLast ? undefined : CONNECT_MS, stop);
    } catch (error) {
      if (isLast || stop.aborted || !(error instanceof NotConnected)) throw error;
    }
  }
  throw new Error("the host has no address.");
}

class NotConnected extends Error {}

function send(
  url: URL,
  address: string,
  connectMs: number | undefined,
  stop: AbortSignal,
): Promise<http.IncomingMessage> {
  const name = url.hostname.replace(/^\[|\]$|\.$/g, "");
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request({
      host: address,
      port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      agent: false,
      ...(secure && isIP(name) === 0 ? { servername: name } : {}),
      headers: {
        host: url.host,
        accept: "text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.5",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "Muster-WebFetch",
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal: stop,
    });
    const connected = () => request.socket?.setTimeout(0);
    let taken = false;
    request.on("socket", (socket) => {
      socket.once(secure ? "secureConnect" : "connect", () => {
        taken = true;
        connected();
      });
      if (connectMs !== undefined)
        socket.setTimeout(connectMs, () => request.destroy(new Error("it took no connection in time.")));
    });
    request.on("error", (error) => reject(taken ? error : new NotConnected(errorMessage(error))));
    request.on("response", resolve);
    request.end();
  });
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function readAnswer(url: URL, response: http.IncomingMessage, stop: AbortSignal): Promise<WebAnswer> {
  const { statusCode: status = 0, headers } = response;
  const answer = { url: url.href, status, type: headers["content-type"] ?? "" };
  try {
    if (REDIRECTS.has(status) && headers.location !== undefined)
      return { ...answer, location: headers.location, body: Buffer.alloc(0), cut: false };
    const { body, cut } = await readBody(response, headers["content-encoding"] ?? "", stop);
    return { ...answer, location: undefined, body, cut };
  } finally {
    response.destroy();
  }
}

/** Ways of packing a body; each is unpacked up to the bound only, so that little can never become much. */
const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

async function readBody(
  response: Readable,
  encoding: string,
  stop: AbortSignal,
): Promise<{ body: Buffer; cut: boolean }> {
  const name = encoding.trim().toLowerCase();
  const plain = name === "" || name === "identity";
  const unpacker = plain ? undefined : UNPACKERS[name]?.();
  if (!plain && !unpacker) throw new Error(`its content is packed as ${name}, which cannot be read.`);
  const source = unpacker ? response.pipe(unpacker) : response;
  const onFault = (error: Error) => source.destroy(error);
  const onStop = () => source.destroy(new AbortedError());
  if (unpacker) response.once("error", onFault);
  stop.addEventListener("abort", onStop, { once: true });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (stop.aborted) onStop();
    for await (const chunk of source as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_BODY_BYTES) break;
    }
  } finally {
    stop.removeEventListener("abort", onStop);
    source.destroy();
  }
  return { body: Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), cut: length > MAX_BODY_BYTES };
}
