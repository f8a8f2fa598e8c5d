import { createServer } from "node:net";

/** Why a port cannot be listened on, when another program or the system has it. */
const TAKEN = new Set(["EADDRINUSE", "EACCES"]);

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  return await listenBriefly(0);
}

/** Whether this port of loopback can be listened on. */
export async function isFree(port: number): Promise<boolean> {
  try {
    await listenBriefly(port);
    return true;
  } catch (error) {
    if (TAKEN.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

async function listenBriefly(port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
