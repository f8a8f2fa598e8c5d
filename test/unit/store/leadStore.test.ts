import { describe, expect, test } from "vitest";
import type { Processes, ProcessIdentity, ProcessState } from "../../../src/store/processIdentity.ts";
import { createDemo, LEAD_SESSION, openTempStore } from "../../support/tempStore.ts";

describe("the lead's lease", () => {
  const here: ProcessIdentity = { pid: 100, host: "here", startTime: "1" };
  const other: ProcessIdentity = { pid: 200, host: "here", startTime: "2" };
  const processes = (self: ProcessIdentity, states: Record<number, ProcessState>): Processes => ({
    self: async () => self,
    state: async ({ pid }) => states[pid] ?? "unknown",
  });

  test("is one window's; a second one is told who leads, until that one has ended or died", async () => {
    const states: Record<number, ProcessState> = { 100: "alive", 200: "alive" };
    await using first = await openTempStore({ processes: processes(here, states) });
    await using second = await openTempStore({ root: first.root, processes: processes(other, states) });
    await createDemo(first.store);
    await first.store.leads.acquire("demo", LEAD_SESSION);
    await first.store.leads.acquire("demo", LEAD_SESSION);
    await expect(second.store.leads.acquire("demo", "s-2")).rejects.toMatchObject({
      reason: "lead_elsewhere",
      message: expect.stringMatching(/process 100 on here/),
    });
    await expect(second.store.leads.acquire("demo", LEAD_SESSION)).rejects.toMatchObject({ reason: "lead_elsewhere" });
    await second.store.leads.release("demo", "s-2");
    expect(await first.store.leads.read("demo")).toMatchObject({ sessionId: LEAD_SESSION, pid: 100 });
    states[100] = "dead";
    await second.store.leads.acquire("demo", "s-2");
    await expect(first.store.leads.renew("demo", LEAD_SESSION)).rejects.toMatchObject({ reason: "lead_elsewhere" });
    await second.store.leads.renew("demo", "s-2");
    await second.store.leads.release("demo", "s-2");
    expect(await first.store.leads.read("demo")).toBeNull();
  });

  test("of another host ends when it is silent", async () => {
    let now = 1_000;
    const clock = { now: () => now, sleep: async () => {} };
    await using first = await openTempStore({ clock, processes: processes({ ...here, host: "far" }, {}) });
    await using second = await openTempStore({ root: first.root, clock, processes: processes(other, {}) });
    await createDemo(first.store);
    await first.store.leads.acquire("demo", LEAD_SESSION);
    now += 29_000;
    await expect(second.store.leads.acquire("demo", "s-2")).rejects.toMatchObject({ reason: "lead_elsewhere" });
    await first.store.leads.renew("demo", LEAD_SESSION);
    now += 29_000;
    await expect(second.store.leads.acquire("demo", "s-2")).rejects.toMatchObject({ reason: "lead_elsewhere" });
    now += 2_000;
    expect(await second.store.leads.acquire("demo", "s-2")).toMatchObject({ sessionId: "s-2", since: now });
  });

  test("is not taken, and no second job runs, while somebody looks who leads", async () => {
    const states: Record<number, ProcessState> = { 100: "alive", 200: "alive" };
    await using first = await openTempStore({ processes: processes(here, states) });
    await using second = await openTempStore({ root: first.root, processes: processes(other, states) });
    await createDemo(first.store);
    const order: string[] = [];
    const open = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const job = first.store.leads.withLead("demo", async (lease) => {
      began.resolve();
      await open.promise;
      order.push(`nobody leads: ${lease === null}`);
    });
    await began.promise;
    const taken = second.store.leads.acquire("demo", "s-2").then(() => order.push("taken"));
    const next = second.store.leads.withLead("demo", async () => void order.push("next"));
    open.resolve();
    await Promise.all([job, taken, next]);
    expect(order[0]).toBe("nobody leads: true");
    expect(order.slice(1).sort()).toEqual(["next", "taken"]);
    expect(await first.store.leads.withLead("demo", async (lease) => lease)).toMatchObject({ sessionId: "s-2" });
    states[200] = "dead";
    expect(await first.store.leads.withLead("demo", async (lease) => lease)).toBeNull();
    await expect(first.store.leads.withLead("demo", () => Promise.reject(new Error("No.")))).rejects.toThrow("No.");
  });
});
