import { describe, expect, test } from "vitest";
import { stateMessage } from "./support/fixtures.ts";
import { button, decisions, queueSuite } from "./support/queue.ts";
import { editRequest, longInputRequest, planRequest } from "./support/requestFixtures.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const openQueue = queueSuite(webviewSuite());

describe("an edit and a plan", () => {
  test("a diff shows 40 lines, then the rest on request, then points to the diff editor", async () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({
      kind: "added" as const,
      line: index + 1,
      text: `line ${index + 1}`,
    }));
    const preview = { type: "edit" as const, path: "a.ts", lines, added: 212, removed: 0, omitted: 152 };
    const view = await openQueue([editRequest({ preview })]);
    expect(await view.page.locator(".diff-line").count()).toBe(40);
    await button(view, "Show 20 More Lines").click();
    expect(await view.page.locator(".diff-line").count()).toBe(60);
    await button(view, "152 more lines in the diff").click();
    await button(view, "Open Diff").click();
    expect(await view.actions()).toEqual([
      { type: "openDiff", request: "perm-2" },
      { type: "openDiff", request: "perm-2" },
    ]);
  });

  test("an edit cannot be allowed while a part of it is neither shown nor opened", async () => {
    const lines = Array.from({ length: 60 }, (_, at) => ({ kind: "added" as const, line: at + 1, text: `line ${at}` }));
    const edit = (id: string, omitted: number) =>
      editRequest({ id, preview: { type: "edit", path: "a.ts", lines, added: 60 + omitted, removed: 0, omitted } });
    const view = await openQueue([edit("cut", 0)]);
    const allow = button(view, "Allow Once");
    const held = () => allow.getAttribute("aria-disabled");
    expect(await held()).toBe("true");
    expect(await allow.getAttribute("title")).toContain("has not been shown yet");
    expect(await button(view, /^More ways/).getAttribute("aria-disabled")).toBe("true");
    await view.page.locator(".req-head").focus();
    await view.page.keyboard.press("Control+Enter");
    expect(await decisions(view)).toEqual([]);
    await button(view, "Show 20 More Lines").click();
    expect(await held()).toBe("false");
    await view.send(stateMessage({ attention: [edit("longer", 152)] }));
    await settled(view);
    await button(view, "Show 20 More Lines").click();
    expect(await held()).toBe("true");
    await button(view, "Open Diff").click();
    expect(await held()).toBe("false");
    await allow.click();
    expect(await decisions(view)).toEqual([["longer", { kind: "allow", scope: "once" }]]);
  });

  test("an input that is cut cannot be allowed before it was opened, alone or with others", async () => {
    const view = await openQueue(["one", "two"].map((id) => longInputRequest({ id })));
    const all = button(view, "Allow All 2");
    const held = () => all.getAttribute("aria-disabled");
    const rest = button(view, "Open the input: 5000 more characters");
    expect(await held()).toBe("true");
    expect(await all.getAttribute("title")).toContain("has not been shown yet");
    await rest.first().click();
    expect(await held()).toBe("true");
    await button(view, "One by One").click();
    const allow = button(view, "Allow Once");
    await expect.poll(() => allow.getAttribute("aria-disabled")).toBe("false");
    await allow.click();
    await settled(view);
    expect(await allow.getAttribute("aria-disabled")).toBe("true");
    await rest.click();
    await allow.click();
    const opened = (await view.actions()).filter(({ type }) => type === "openDiff");
    expect(opened).toEqual(["one", "two"].map((request) => ({ type: "openDiff", request })));
    expect((await decisions(view)).map(([request]) => request)).toEqual(["one", "two"]);
  });

  test("a plan shows its beginning, then all of it; its document opens in the editor", async () => {
    const view = await openQueue([planRequest()]);
    const plan = view.page.locator(".plan");
    expect(await plan.textContent()).not.toContain("Refunds across currencies");
    await button(view, /more lines$/).click();
    expect(await plan.textContent()).toContain("Refunds across currencies");
    await button(view, "Open Plan").click();
    expect(await view.actions()).toEqual([{ type: "showPlan", request: "plan-1" }]);
  });
});
