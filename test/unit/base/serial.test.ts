import { expect, it } from "vitest";
import { SerialQueue } from "../../../src/base/serial.ts";

it("a queue is idle when no job is left, one that failed or was asked for meanwhile included", async () => {
  const queue = new SerialQueue();
  const done: string[] = [];
  const job = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    done.push(name);
  };
  await queue.idle();
  void queue.run("a", async () => {
    await job("first")();
    void queue.run("b", job("asked for meanwhile"));
  });
  queue.run("a", () => Promise.reject(new Error("no"))).catch(() => done.push("failed"));
  void queue.run("a", job("last"));
  await queue.idle();
  expect(done.sort()).toEqual(["asked for meanwhile", "failed", "first", "last"]);
});
