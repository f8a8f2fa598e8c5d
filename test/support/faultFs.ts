import type { StoreFs } from "../../src/store/storeFs.ts";

/**
 * What happens at the `at`-th call (from 1): `fail` instead of it, `failAfter` it was done, `cut` half-way through what
 * it writes; `delay` by `delayMs` (20); `freeze` before it, half-way or after it: from there on no call is ever answered, as if the process had
 * been killed there.
 */
export interface Fault {
  at: number;
  action: "fail" | "failAfter" | "cut" | "delay" | "freeze" | "freezeCut" | "freezeAfter";
  code?: string;
  delayMs?: number;
}

/** A file system with one fault. */
export interface FaultFs extends StoreFs {
  /** Names of the calls so far. */
  readonly calls: string[];
  /** Resolves when the fault has come. */
  readonly struck: Promise<void>;
}

/** A file system that works until the fault, and after it unless it froze. */
export function faultFs(inner: StoreFs, fault?: Fault, onStrike: () => void = () => {}): FaultFs {
  const calls: string[] = [];
  const struck = Promise.withResolvers<void>();
  let frozen = false;
  const call = async (name: keyof StoreFs, args: unknown[]): Promise<unknown> => {
    if (frozen) return await never();
    const real = (...given: unknown[]) => (inner[name] as (...all: unknown[]) => Promise<unknown>)(...given);
    if (calls.push(name) !== fault?.at) return await real(...args);
    onStrike();
    struck.resolve();
    const { action, code = "EIO", delayMs = 20 } = fault;
    if (action === "delay") {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return await real(...args);
    }
    frozen = action.startsWith("freeze");
    if (action === "failAfter" || action === "freezeAfter") await real(...args);
    const isCut = action === "cut" || action === "freezeCut";
    if (isCut && writesData(name)) await real(...halved(args)).catch(() => {});
    if (frozen) return await never();
    throw Object.assign(new Error(`injected ${code} at ${name}`), { code });
  };
  const names = Object.keys(inner) as (keyof StoreFs)[];
  const port = Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => call(name, args)]));
  return Object.assign(port as unknown as StoreFs, { calls, struck: struck.promise });
}

/** Whether a call writes data, so that it can be cut. */
export function writesData(name: string): boolean {
  return ["writeNew", "overwrite", "append"].includes(name);
}

function halved(args: unknown[]): unknown[] {
  const [path, data, ...rest] = args as [string, string | Uint8Array, ...unknown[]];
  const half = typeof data === "string" ? Buffer.from(data) : data;
  return [path, half.subarray(0, Math.floor(half.length / 2)), ...rest];
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/** A file call that always fails with this code, such as `EACCES`. */
export function refuseWith(code: string) {
  return async (): Promise<never> => {
    throw Object.assign(new Error(code), { code });
  };
}
