import { afterEach, expect, it, vi } from "vitest";
import { counted } from "../../../src/base/counted.ts";
import { dollars } from "../../../src/base/dollars.ts";

afterEach(() => void vi.unstubAllGlobals());

it("a budget is told with cents or without any, as the panel tells it", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
  const { dollars: dollarsOfPanel } = await import("../../../webview/format.ts");
  for (const [amount, told] of [
    [0.2, "$0.20"],
    [7.5, "$7.50"],
    [5, "$5"],
    [2 * 0.35, "$0.70"],
  ] as const)
    expect([dollars(amount), dollarsOfPanel(amount)]).toEqual([told, told]);
});

it("one thing is no things", () => {
  expect([0, 1, 2].map((count) => counted(count, "line"))).toEqual(["0 lines", "1 line", "2 lines"]);
});
