import { describe, expect, test } from "vitest";
import { conversation, conversationMessage, stateMessage, streamingText, teamMessages } from "./support/fixtures.ts";
import { eightMembers, members } from "./support/memberFixtures.ts";
import { SCREENS, show } from "./support/screens.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const WIDTHS = { en: [200, 240, 300, 360, 420, 480, 540, 600], "zh-cn": [200, 300, 420] };
const LANGUAGES = ["en", "zh-cn"] as const;

describe("at every width from 200 to 600 px nothing leaves the view and nothing that matters is cut", () => {
  // what a person does to get to a screen goes by English names
  const cases = LANGUAGES.flatMap((language) =>
    SCREENS.filter(({ act }) => language === "en" || !act).map((screen) => [language, screen.name, screen] as const),
  );
  test.each(cases)("%s: %s", async (language, _name, screen) => {
    const view = await open({ width: 420, height: 900, language });
    await show(view, screen);
    const faults: string[] = [];
    for (const width of WIDTHS[language]) {
      await view.resize(width, 900);
      faults.push(...(await view.page.evaluate(measure)).map((fault) => `${width}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

/** Runs in the page: what leaves the view, and what is wider than its box. */
function measure(): string[] {
  const faults: string[] = [];
  const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.className}`;
  for (const element of document.querySelectorAll("#root *")) {
    if (element.closest(".vh, vscode-single-select > *")) continue;
    const box = element.getBoundingClientRect();
    const clipped = element.parentElement && getComputedStyle(element.parentElement).overflowX === "hidden";
    if (box.width === 0 || box.height === 0 || clipped) continue;
    if (box.right > innerWidth + 0.5 || box.left < -0.5) faults.push(`${name(element)} leaves the view`);
  }
  const whole =
    ".cmd, .cmd *, .diff, .diff *, .diff-path, .req-body, .req-note, .warning-line, .req-row, .btn, .mem-word, .mems-shared-text > li, .code-block";
  for (const element of document.querySelectorAll<HTMLElement>(`:is(${whole}):not(.chip, .chip *)`)) {
    if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth) faults.push(`${name(element)} is cut`);
  }
  const scroller = document.querySelector(".scroller, .emp");
  if (scroller && scroller.scrollWidth > scroller.clientWidth) faults.push("the view scrolls sideways");
  if (document.documentElement.scrollHeight > innerHeight) faults.push("the page scrolls");
  return [...new Set(faults)];
}

test("there is one scroller: nothing inside it scrolls but a code block that was opened", async () => {
  const view = await open();
  await view.send(...teamMessages());
  const scrollers = await view.page
    .locator("#root *")
    .evaluateAll((all) =>
      all
        .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY) && element.tagName !== "TEXTAREA")
        .map((element) => element.className),
    );
  expect(scrollers).toEqual(["scroller"]);
});

test("the heading and the tabs stay while the rest scrolls, and the heading leads back", async () => {
  const view = await open({ height: 440 });
  await view.send(...teamMessages());
  const { page } = view;
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, 3000);
  await expect.poll(() => page.locator(".needs-now").count()).toBe(1);
  expect(await page.locator(".needs-now").textContent()).toBe("Run psql");
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y;
  expect(await top(".needs-title")).toBe(0);
  expect(await top(".tabs")).toBe(28);
  await page.getByRole("button", { name: /^Needs you/ }).click();
  expect(await page.locator(".scroller").evaluate((element) => element.scrollTop)).toBe(0);
});

test("below 420 px of height the composer is one line", async () => {
  const view = await open({ height: 700 });
  await view.send(...teamMessages());
  const height = async () => (await view.page.locator(".cmp").boundingBox())?.height ?? 0;
  const usual = await height();
  await view.resize(300, 400);
  expect(await height()).toBeLessThan(34);
  expect(usual).toBeGreaterThan(50);
});

test("the hover text of a member has a colon only before what it does or waits for", async () => {
  const hints = async (over: object, language = "en") => {
    const view = await open({ language });
    await view.send(...teamMessages({ members: members.map((row) => ({ ...row, ...idle, ...over })), attention: [] }));
    return await view.page.locator(".mem-row").first().getAttribute("title");
  };
  const idle = { state: "idle" as const, since: Date.now() - 125_000, tokens: 1200, detail: "" };
  expect(await hints({})).toMatch(/\nIdle for 2 min\n/);
  expect(await hints({ detail: "#2 after #1" })).toMatch(/\nIdle for 2 min: #2 after #1\n/);
  expect(await hints({ since: null })).toMatch(/\nIdle\n/);
  expect(await hints({ since: null, detail: "#2 after #1" })).toMatch(/\nIdle: #2 after #1\n/);
  expect(await hints({}, "zh-cn")).toMatch(/\n空闲，已 2 ?分钟?\n/);
});

test("states begin at one line, and long names are cut with the whole name as hover text", async () => {
  const view = await open();
  await view.send(...teamMessages({ members: eightMembers, attention: [] }));
  const starts = await view.page
    .locator(".mem-does")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  expect(new Set(starts).size).toBe(1);
  expect(await view.page.locator(".mem-row .who-name", { hasText: "ledger" }).getAttribute("title")).toBe(
    "ledger-and-idempotency-reviewer",
  );
});

test.each([240, 300, 420])(
  "where nothing hovers, a member's actions cover nothing of its line at %i px",
  async (width) => {
    const view = await open({ width });
    const touch = await view.page.context().newCDPSession(view.page);
    try {
      const metrics = { width, height: 980, deviceScaleFactor: 1, mobile: true };
      await touch.send("Emulation.setDeviceMetricsOverride", metrics);
      await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true });
      await view.send(...teamMessages({ members: eightMembers, attention: [] }));
      expect(await view.page.evaluate(() => matchMedia("(hover: none)").matches)).toBe(true);
      const gaps = await view.page.locator(".mem").evaluateAll((rows) =>
        rows.map((row) => {
          const more = row.querySelector(".mem-more")?.getBoundingClientRect();
          const parts = [...row.querySelectorAll(".mem-does, .mem-tokens, .mem-age")];
          const end = Math.max(...parts.map((part) => part.getBoundingClientRect().right));
          return (more?.width ?? 0) > 0 ? Math.round((more?.left ?? 0) - end) : null;
        }),
      );
      expect(gaps).toHaveLength(eightMembers.length);
      for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(0);
    } finally {
      await touch.send("Emulation.clearDeviceMetricsOverride");
      await touch.send("Emulation.setTouchEmulationEnabled", { enabled: false });
      await touch.detach();
    }
  },
);

test("each member's line says in words how it is", async () => {
  const view = await open({ width: 300 });
  const [first, ...rest] = eightMembers;
  const members = [
    { ...first!, waitsForApi: true, detail: "until 14:10:05" },
    { ...first!, name: "x", detail: "" },
  ];
  await view.send(...teamMessages({ attention: [], members: [...members, ...rest] }));
  const lines = await view.page.locator(".mem-does").evaluateAll((all) =>
    all.map((line) =>
      [...line.children]
        .filter((part) => part.getBoundingClientRect().width > 2)
        .map(({ textContent }) => textContent)
        .join(" "),
    ),
  );
  expect(lines.slice(0, 3)).toEqual(["Waiting until 14:10:05", "Working", "Needs you 2 requests"]);
  expect(lines.filter((line) => line === "")).toEqual([]);
});

test("where a path has no room its folders are cut, not the name of the file; the way to the end covers no edge", async () => {
  const view = await open({ width: 300, height: 560 });
  const item = conversation.find((one) => one.type === "tool" && one.name === "Read")!;
  const long = { ...item, argument: "/srv/work/of/somebody/who/nests/deeply/services/payments/src/client/retry.ts" };
  const paths = Array.from({ length: 12 }, (_, n) => ({ ...long, name: n % 2 === 0 ? "Read" : "Edit" }));
  const talk = paths.flatMap((tool) => [tool, { type: "text" as const, at: item.at, text: "Next." }]);
  await view.send(stateMessage({ attention: [] }), conversationMessage("team-lead", talk));
  const name = view.page.locator(".tool-file").first();
  const cut = await name.evaluate((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return text.getBoundingClientRect().width - one.getBoundingClientRect().width;
  });
  expect([await name.textContent(), cut > 0.01]).toEqual(["/retry.ts", false]);
  await view.page.locator(".scroller").evaluate((scroller) => scroller.scrollTo(0, 0));
  const end = await view.page.getByRole("button", { name: "Go to the End" }).boundingBox();
  const composer = await view.page.locator(".cmp").boundingBox();
  expect(end!.y + end!.height).toBeLessThanOrEqual(composer!.y);
});

const TOOLS: [string, string][] = [
  ["mcp__issue_tracker__list_issues_with_labels_and_comments", "label:bug"],
  ["mcp__issue_tracker__list_issues_with_labels_and_comments", ""],
  ["Read", "/tmp/muster-host-x/tmp/muster-demo-y/state/plans/copper-planting-willow.md"],
  ["Edit", "src/b.ts"],
  ["Edit", "lib/i/b.ts"],
  ["Edit", "i/b.ts"],
  ["Read", "/b.ts"],
  ["Write", `/srv/${"a-very-long-name-of-a-file-".repeat(4)}.ts`],
];

test.each([
  [{ width: 200, height: 900 }, [200, 300, 420, 600]],
  [{ surface: "board", width: 300, height: 900 } as const, [250, 300, 600, 860, 1100]],
])("a tool's icon and time stay in its line, whatever it is called and works on: %j", async (options, widths) => {
  const view = await open(options);
  const run = { type: "tool", at: 1, state: "ok", ms: 12_345, detail: "text" } as const;
  const items = TOOLS.flatMap(([name, argument]) => [
    { ...run, name, argument },
    { type: "text" as const, at: 1, text: "Next." },
  ]);
  await view.send(stateMessage({ attention: [] }), conversationMessage("team-lead", items));
  const lines = view.page.locator(".conv-tool > .tool-line");
  await lines.first().waitFor();
  for (const width of widths) {
    await view.resize(width, 900);
    expect(await lines.evaluateAll(outsideLine), `${width}`).toEqual([]);
    expect(await lines.evaluateAll(gaps), `${width}`).toEqual([]);
  }
  expect(await lines.locator("b").evaluateAll((all) => all.map((one) => one.getAttribute("title")))).toEqual(
    TOOLS.map(([name]) => name),
  );
});

/** Runs in the page: paths with a gap between the text of their folders and the name of their file. */
function gaps(lines: Element[]): string[] {
  return lines.flatMap((line) => {
    const [folder, file] = [".tool-folder", ".tool-file"].map((part) => line.querySelector(part));
    if (!folder || !file) return [];
    const text = document.createRange();
    text.selectNodeContents(folder);
    const end = Math.min(text.getBoundingClientRect().right, folder.getBoundingClientRect().right);
    const gap = file.getBoundingClientRect().left - end;
    return Math.abs(gap) < 1 ? [] : [`${folder.textContent} ${gap} ${file.textContent}`];
  });
}

/** Runs in the page: what is not whole in its line, and where folders are cut so far that nothing says so. */
function outsideLine(lines: Element[]): string[] {
  const faults: string[] = [];
  for (const line of lines) {
    const name = line.querySelector("b")?.textContent;
    const { right } = line.getBoundingClientRect();
    const limit = Math.min(right, line.closest(".conv, .bd-col-in")?.getBoundingClientRect().right ?? 0);
    const parts = [...line.querySelectorAll(":scope > .codicon, :scope > .meta")];
    for (const part of parts) {
      const its = part.getBoundingClientRect();
      if (its.right > limit + 0.5) faults.push(`${name}: ${part.className} is ${its.right - limit} px outside`);
    }
    const cut = (part: Element | null) => part !== null && part.scrollWidth > part.clientWidth;
    const [folder, file] = [".tool-folder", ".tool-file"].map((part) => line.querySelector(part));
    const room = folder?.getBoundingClientRect().width ?? 0;
    if (folder && cut(folder) && room < 16) faults.push(`${name}: no room for …`);
    if (file && cut(file) && room > 40) faults.push(`${name}: its file is cut before its folders`);
    if (["Read", "Edit", "Write"].includes(name ?? "") && cut(line.querySelector("b"))) faults.push(`${name} is cut`);
  }
  return faults;
}

test("with reduced motion nothing moves, and text that is written comes in whole lines", async () => {
  const view = await open({ reducedMotion: true });
  await view.send(...teamMessages({ attention: [] }), {
    type: "streaming",
    member: "team-lead",
    text: `A whole line.\n\n${streamingText}`,
  });
  expect(await view.page.locator(".conv-streaming").textContent()).toBe("A whole line.\n");
  const running = await view.page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === "running").length,
  );
  expect(running).toBe(0);
});
