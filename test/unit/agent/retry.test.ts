import { describe, expect, it } from "vitest";
import { createRequestLimiter } from "../../../src/agent/requestLimiter.ts";
import { newContact, withRetry } from "../../../src/agent/retry.ts";
import type { Model, ModelEvent, ModelFailure, ModelOutcome, ModelRequest } from "../../../src/agent/types.ts";
import { ZERO_USAGE } from "../../../src/protocol/transcript.ts";
import { instantClock, stoppedClock } from "../../support/manualClock.ts";
import { reply, scriptedModel } from "../../support/scriptedModel.ts";

const request: ModelRequest = { model: "m", system: [], messages: [], tools: [], maxTokens: 10, thinking: "off" };
const busy: ModelFailure = {
  reason: "api_refused",
  message: "Busy.",
  status: 529,
  retryable: true,
  cause: "overloaded",
};
const failed = (failure: ModelFailure): ModelOutcome => ({ kind: "failed", failure });
const times = (n: number, outcome: ModelOutcome) => Array.from({ length: n }, () => outcome);

async function all(model: Model, signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

describe("withRetry", () => {
  it("waits longer each time, from 1 s to 60 s, tells each wait, and gives up after 8 tries", async () => {
    const clock = instantClock();
    const script = scriptedModel(times(8, failed(busy)));
    const events = await all(withRetry(script, { clock, random: () => 0.999999 }));
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]);
    expect(events.filter(({ type }) => type === "retrying")).toHaveLength(7);
    expect(events[0]).toEqual({ type: "retrying", attempt: 1, delayMs: 1_000, failure: busy });
    expect(events.at(-1)).toEqual({ type: "finished", outcome: failed(busy) });
    expect(script.requests).toHaveLength(8);
  });

  it("jitters down to no wait at all, but never below what the API asked for", async () => {
    const clock = instantClock();
    const limited: ModelFailure = { ...busy, status: 429, retryAfterMs: 7_000, cause: "rate_limited" };
    const model = scriptedModel([failed(busy), failed(limited), reply("Done.")]);
    const events = await all(withRetry(model, { clock, random: () => 0 }));
    expect(clock.sleeps).toEqual([0, 7_000]);
    expect(events.at(-1)).toMatchObject({ outcome: { kind: "reply" } });
  });

  it("does not wait where the API asks for longer than ten minutes", async () => {
    const clock = instantClock();
    const script = scriptedModel([failed({ ...busy, retryAfterMs: 3_600_000 })]);
    expect(await all(withRetry(script, { clock, random: () => 0 }))).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });

  it("asks again after a cut, and the reply is the second one alone", async () => {
    const cut: ModelOutcome = {
      kind: "cut",
      content: [{ type: "text", text: "Do" }],
      usage: ZERO_USAGE,
      model: "m",
      failure: busy,
    };
    const events = await all(withRetry(scriptedModel([cut, "Done."]), { clock: instantClock(), random: () => 0 }));
    expect(events.map(({ type }) => type)).toEqual(["retrying", "asking", "finished"]);
    expect(events.at(-1)).toEqual({ type: "finished", outcome: reply("Done.") });
  });

  it("does not ask again after a failure that stays", async () => {
    const script = scriptedModel([failed({ reason: "no_key", message: "Set a key.", retryable: false })]);
    expect(await all(withRetry(script, { clock: instantClock(), random: () => 0 }))).toHaveLength(1);
  });

  it("gives up early on an address that never answered, and late on one that did", async () => {
    const down = failed({ reason: "api_unreachable", message: "Nobody there.", retryable: true });
    const never = scriptedModel(times(8, down));
    await all(withRetry(never, { clock: instantClock(), random: () => 0 }));
    expect(never.requests).toHaveLength(3);

    const later = scriptedModel([reply("Hello."), ...times(8, down)]);
    const model = withRetry(later, { clock: instantClock(), random: () => 0 });
    await all(model);
    await all(model);
    expect(later.requests).toHaveLength(1 + 8);
  });

  it("an abort ends the wait at once", async () => {
    const controller = new AbortController();
    const clock = stoppedClock();
    const events: ModelEvent[] = [];
    for await (const event of withRetry(scriptedModel([failed(busy)]), { clock, random: () => 1 }).stream(
      request,
      controller.signal,
    )) {
      events.push(event);
      if (event.type === "retrying") queueMicrotask(() => queueMicrotask(() => controller.abort()));
    }
    expect(events.at(-1)).toMatchObject({ type: "finished", outcome: { kind: "aborted", content: [] } });
  });
});

describe("the limiter of requests", () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const never = new AbortController().signal;

  it("lets n in, the others in order of asking, and skips one that was aborted", async () => {
    const limiter = createRequestLimiter(2);
    const entered: string[] = [];
    const releases = new Map<string, () => void>();
    const controller = new AbortController();
    const enter = async (name: string, signal = never) => {
      releases.set(name, await limiter.acquire(signal));
      entered.push(name);
    };
    const waits = ["a", "b", "c"].map((name) => enter(name));
    const aborted = enter("d", controller.signal);
    waits.push(enter("e"));
    await turn();
    expect(entered).toEqual(["a", "b"]);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: "AbortedError" });
    releases.get("a")?.();
    releases.get("a")?.();
    await turn();
    expect(entered).toEqual(["a", "b", "c"]);
    releases.get("b")?.();
    await Promise.all(waits);
    expect(entered).toEqual(["a", "b", "c", "e"]);
    await expect(limiter.acquire(AbortSignal.abort())).rejects.toMatchObject({ name: "AbortedError" });
  });

  it("bounds the open requests of several models, and a wait between tries holds no slot", async () => {
    const limiter = createRequestLimiter(2);
    let open = 0;
    let most = 0;
    const slow = (): Model => {
      let tries = 0;
      return {
        async *stream() {
          most = Math.max(most, ++open);
          await turn();
          open -= 1;
          yield { type: "finished", outcome: ++tries < 3 ? failed(busy) : reply("Done.") };
        },
      };
    };
    const runs = Array.from({ length: 6 }, () =>
      all(withRetry(slow(), { clock: instantClock(), random: () => 0, limiter })),
    );
    for (const events of await Promise.all(runs)) expect(events.at(-1)).toMatchObject({ outcome: { kind: "reply" } });
    expect(most).toBe(2);
    expect(open).toBe(0);
  });

  it("lets nobody of the API ask while it told one of them to wait, whoever waits for a slot (row 77)", async () => {
    const clock = instantClock();
    const contact = newContact();
    const limiter = createRequestLimiter(2);
    const limited: ModelFailure = { ...busy, status: 429, retryAfterMs: 30_000, cause: "rate_limited" };
    const askedAt: number[] = [];
    const member = (): Model => ({
      async *stream() {
        const first = askedAt.length === 0;
        askedAt.push(clock.now());
        await turn();
        yield { type: "finished", outcome: first ? failed(limited) : reply("Done.") };
      },
    });
    const runs = Array.from({ length: 8 }, () =>
      all(withRetry(member(), { clock, random: () => 0, limiter, contact })),
    );
    const told = (await Promise.all(runs)).map((events) => {
      expect(events.at(-1)).toMatchObject({ outcome: { kind: "reply" } });
      return events.slice(0, -1).map((event) => (event.type === "closed" ? `closed until ${event.until}` : event.type));
    });
    expect(told[0]).toEqual(["retrying", "asking"]);
    expect(told[2]).toEqual(["closed until 30000", "asking"]); // who has to wait says until when
    expect(askedAt.filter((at) => at < 30_000)).toHaveLength(2); // those that were open when the API said so
    expect(askedAt).toHaveLength(9);
    expect(contact.closedUntil).toBe(30_000);
  });

  it.each([
    { failure: busy, requests: 2 },
    { failure: { ...busy, retryAfterMs: 30_000 }, requests: 1 },
  ])("a message ends a wait of ours, not one that the API asked for (row 77)", async ({ failure, requests }) => {
    const clock = stoppedClock();
    const controller = new AbortController();
    const script = scriptedModel([failed(failure), reply("Done.")]);
    let hurry = () => {};
    const onHurry = (listener: () => void) => {
      hurry = listener;
      return { dispose: () => {} };
    };
    const run = all(withRetry(script, { clock, random: () => 0.5, onHurry }), controller.signal);
    await turn();
    expect(script.requests).toHaveLength(1);
    hurry();
    await turn();
    expect(script.requests).toHaveLength(requests);
    controller.abort();
    expect((await run).at(-1)).toMatchObject({ outcome: { kind: requests === 2 ? "reply" : "aborted" } });
  });

  it("gives the slot back when the reader leaves in the middle", async () => {
    const limiter = createRequestLimiter(1);
    const chatty: Model = {
      async *stream() {
        yield { type: "text_delta", text: "Hel" };
        yield { type: "finished", outcome: reply("Hello.") };
      },
    };
    for await (const _ of withRetry(chatty, { clock: instantClock(), random: () => 0, limiter }).stream(request, never))
      break;
    const release = await limiter.acquire(never);
    expect(release).toBeTypeOf("function");
  });
});
