import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort, isFree } from "../../../scripts/host/ports.ts";
import { keptPort } from "../../../scripts/start/keptPort.ts";

describe("the port of a VS Code that npm start serves", () => {
  let folder: string;
  let file: string;
  let servers: Server[];
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "muster-port-"));
    file = path.join(folder, "port");
    servers = [];
  });
  afterEach(async () => {
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  async function listen(port: number, address = "127.0.0.1"): Promise<void> {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, address, resolve));
  }

  it("is a free one at first, and the same at each later start", async () => {
    const first = await keptPort(file);
    expect(first).toEqual({ port: expect.any(Number) });
    expect(readFileSync(file, "utf8")).toBe(`${first.port}\n`);
    await listen(first.port);
    await new Promise((resolve) => servers.pop()?.close(resolve)); // the first start has ended
    expect(await keptPort(file)).toEqual(first);
    expect(await keptPort(file)).toEqual(first);
    expect(readdirSync(folder)).toEqual(["port"]);
  });

  it.each(["127.0.0.1", "0.0.0.0"])(
    "is another one while a program listens on it at %s, kept then",
    async (address) => {
      const { port } = await keptPort(file);
      await listen(port, address);
      const second = await keptPort(file);
      expect(second).toEqual({ port: expect.any(Number), taken: port });
      expect(second.port).not.toBe(port);
      await new Promise((resolve) => servers.pop()?.close(resolve));
      expect(await keptPort(file)).toEqual({ port: second.port });
    },
  );

  it.each([
    ["nothing", ""],
    ["words", "not a port"],
    ["a port of the system", "443\n"],
    ["a number that is no port", "70000\n"],
    ["more than a port", "45000 45001\n"],
    ["half a line", "450"],
    ["bytes", "\0\xff\0"],
  ])("is a fresh one where the file holds %s, which the file keeps", async (_what, text) => {
    writeFileSync(file, text);
    const { port, taken } = await keptPort(file);
    expect(taken).toBeUndefined();
    expect(readFileSync(file, "utf8")).toBe(`${port}\n`);
    expect(await keptPort(file)).toEqual({ port });
  });

  it("is not written through a link of that name", async () => {
    const foreign = path.join(folder, "foreign.txt");
    writeFileSync(foreign, "somebody's");
    symlinkSync(foreign, file);
    const { port } = await keptPort(file);
    expect(readFileSync(foreign, "utf8")).toBe("somebody's");
    expect(readFileSync(file, "utf8")).toBe(`${port}\n`);
  });

  it("is a fresh one, and says why it is not kept, where a folder has the file's name", async () => {
    mkdirSync(path.join(file, "deep"), { recursive: true });
    const { port, obstacle } = await keptPort(file);
    expect(await isFree(port)).toBe(true);
    expect(obstacle).toMatch(/port/);
    expect(readdirSync(folder)).toEqual(["port"]);
    expect(readdirSync(file)).toEqual(["deep"]);
  });
});

it("a host of the tests gets a free port", async () => {
  expect(await isFree(await freePort())).toBe(true);
});
