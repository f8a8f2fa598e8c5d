import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { freePort, isFree } from "../host/ports.ts";

/** Ports below are the system's own, and the largest there is. */
const SMALLEST = 1024;
const LARGEST = 65_535;

/** A port of loopback to serve on. */
interface KeptPort {
  port: number;
  /** The port of the earlier starts, where another program has it now. */
  taken?: number;
  /** Why the file could not be written: the next start may have another port. */
  obstacle?: string;
}

/**
 * The port that `file` keeps, while it is free; else a free one, which the file keeps from then on. A browser keeps what
 * VS Code remembers by address, port included. A file that holds no port counts as none.
 */
export async function keptPort(file: string): Promise<KeptPort> {
  const kept = readPort(file);
  if (kept !== undefined && (await isFree(kept))) return { port: kept };
  const port = await freePort();
  const obstacle = writePort(file, port);
  return { port, ...(kept === undefined ? {} : { taken: kept }), ...(obstacle ? { obstacle } : {}) };
}

function readPort(file: string): number | undefined {
  try {
    const text = readFileSync(file, "utf8");
    const port = /^\d{4,5}\n?$/.test(text) ? Number(text) : 0;
    return port >= SMALLEST && port <= LARGEST ? port : undefined;
  } catch {
    return undefined; // absent, or no file that can be read
  }
}

/** Returns why it could not be written. A link of that name is replaced, and not followed. */
function writePort(file: string, port: number): string | undefined {
  const staging = `${file}.${process.pid}`;
  try {
    writeFileSync(staging, `${port}\n`);
    renameSync(staging, file);
    return undefined;
  } catch (error) {
    rmSync(staging, { force: true });
    return (error as Error).message;
  }
}
