import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

/** Serves one page and the files that it names, on loopback. */
export interface PageServer {
  /** `http://127.0.0.1:{port}` */
  readonly origin: string;
  close(): Promise<void>;
}

/** What is served. `keeps`: the browser may keep files, with what it made of them, from one page to the next. */
export interface ServedPage {
  /** The document at `/`, as it is now; at `/nothing` there is an empty one. */
  html(): string;
  /** A file by its path (`/main.js`). */
  read(pathname: string): Buffer | undefined;
  keeps: boolean;
}

const TYPES: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };
const DOCUMENT = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };

/** Starts a server: a browser loads from it in half the time that it takes where its requests are intercepted. */
export async function startPageServer({ html, read, keeps }: ServedPage): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/") return void response.writeHead(200, DOCUMENT).end(html());
    if (pathname === "/nothing") return void response.writeHead(200, DOCUMENT).end("<!doctype html>");
    const body = read(pathname);
    if (!body) return void response.writeHead(404).end();
    const type = TYPES[path.extname(pathname)] ?? "text/plain";
    response.writeHead(200, { "content-type": type, "cache-control": keeps ? "max-age=3600" : "no-store" }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
