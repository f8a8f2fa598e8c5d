import { describe, expect, it, vi } from "vitest";

const HOUR = 3_600_000;

async function formatIn(lang: string) {
  vi.resetModules();
  vi.stubGlobal("document", { documentElement: { lang } });
  return import("../../../webview/format.ts");
}

describe("lengths of time", () => {
  it("are said in hours and minutes, however long they are", async () => {
    const { duration } = await formatIn("en");
    const said = [8_000, 12 * 60_000, HOUR, 1.2 * HOUR, 24 * HOUR, 25 * HOUR, 25 * HOUR + 60_000].map(duration);
    expect(said).toEqual(["8 s", "12 min", "1 h", "1 h 12 min", "24 h", "25 h", "25 h 1 min"]);
  });

  it("of tools are never sixty seconds", async () => {
    const { toolTime } = await formatIn("en");
    const said = [20, 300, 59_949, 59_950, 59_999, 60_000, 125_000].map(toolTime);
    expect(said).toEqual(["20 ms", "0.3 s", "59.9 s", "1 min", "1 min", "1 min", "2 min"]);
  });
});

describe("a clock time", () => {
  it("of another day has its date, of another year the year too, in both languages", async () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 30, 0, 5) });
    const times = [new Date(2026, 10, 30, 0, 1), new Date(2026, 10, 29, 23, 59), new Date(2025, 11, 31, 9, 7)];
    for (const [lang, expected] of [
      ["en", ["00:01", "Nov 29 23:59", "Dec 31, 2025 09:07"]],
      ["zh-cn", ["00:01", "11月29日 23:59", "2025年12月31日 09:07"]],
    ] as const) {
      const { clock } = await formatIn(lang);
      expect(times.map((time) => clock(time.getTime()))).toEqual(expected);
    }
    vi.useRealTimers();
  });
});
