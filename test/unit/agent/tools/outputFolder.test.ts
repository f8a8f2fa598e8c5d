import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { outputFolder } from "../../../../src/agent/tools/commandOutput.ts";
import { eventually } from "../../../support/eventually.ts";

it("a member's folder of outputs is told of before it is there, and goes with the member", async () => {
  const lifetime = new AbortController();
  const told: { folder: string; there: boolean }[] = [];
  const folder = outputFolder(undefined, lifetime.signal, (own) => told.push({ folder: own, there: existsSync(own) }));
  expect(told).toEqual([]);
  const made = await folder();
  expect(await folder()).toBe(made);
  expect(told).toEqual([{ folder: made, there: false }]);
  expect(existsSync(made)).toBe(true);
  lifetime.abort();
  await eventually("the folder to go", () => !existsSync(made));
});

it("no folder of outputs is made for a member that is gone", async () => {
  const told: string[] = [];
  const folder = outputFolder(undefined, AbortSignal.abort(), (own) => told.push(own));
  await expect(folder()).rejects.toThrow();
  expect(told).toEqual([]);
});
