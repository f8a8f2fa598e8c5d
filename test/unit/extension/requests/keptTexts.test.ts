import { expect, it } from "vitest";
import { KeptTexts } from "../../../../src/extension/requests/keptTexts.ts";

it("of the texts of documents the newest fifty stay, and all that are open", () => {
  const open = new Set(["1", "2"]);
  const kept = new KeptTexts((address) => open.has(address));
  const held = () => Array.from({ length: 101 }, (_, n) => `${n}`).filter((address) => kept.get(address) !== undefined);
  for (let n = 0; n < 60; n += 1) expect(kept.set(`${n}`, `text ${n}`)).toBeUndefined();
  expect(held()).toEqual(["1", "2", ...Array.from({ length: 50 }, (_, n) => `${n + 10}`)]);
  expect(kept.set("10", "another text")).toBe("text 10");
  open.delete("1");
  for (let n = 60; n < 100; n += 1) kept.set(`${n}`, "");
  expect(held()).toEqual(["2", "10", ...Array.from({ length: 49 }, (_, n) => `${n + 51}`)]);
  expect(kept.get("10")).toBe("another text");
});
