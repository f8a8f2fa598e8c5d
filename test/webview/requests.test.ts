import { describe, expect, test } from "vitest";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { stateMessage } from "./support/fixtures.ts";
import { button, decisions, openRequests, pressWhenThere, queueSuite } from "./support/queue.ts";
import {
  answerRequest,
  commandRequest,
  commandText,
  editRequest,
  manyRequests,
  planRequest,
  threeRequests,
} from "./support/requestFixtures.ts";
import { focused, settled, webviewSuite } from "./support/suite.ts";

const openView = webviewSuite();
const openQueue = queueSuite(openView);

describe("the queue", () => {
  test("the oldest request is open, the others are closed", async () => {
    const view = await openQueue();
    expect(await openRequests(view)).toEqual(["perm-1"]);
    expect(await view.page.locator(".req-head").allTextContents()).toHaveLength(3);
    expect(await view.page.getByRole("heading", { name: /Needs you/ }).textContent()).toContain("3");
  });

  test("a new request is put at the end, closed, and moves nothing that is open", async () => {
    const view = await openQueue([commandRequest(), editRequest()]);
    await view.page.locator(".req-head", { hasText: "Edit retry" }).click();
    const before = await view.page.locator(".req-open").boundingBox();
    await view.send(stateMessage({ attention: [commandRequest(), editRequest(), planRequest()] }));
    expect(await openRequests(view)).toEqual(["perm-2"]);
    expect(await view.page.locator(".req-open").boundingBox()).toEqual(before);
    expect(await view.page.locator(".req-inert").count()).toBe(0);
  });

  test("a request that the person closed stays closed when another one comes", async () => {
    const view = await openQueue([commandRequest()]);
    await view.page.locator(".req-head").click();
    await view.send(stateMessage({ attention: [commandRequest(), planRequest()] }));
    expect(await openRequests(view)).toEqual([]);
  });

  test("with no request there is one quiet line", async () => {
    const view = await openQueue([]);
    expect(await view.page.getByText("Nothing waits for you").isVisible()).toBe(true);
    expect(await view.page.locator(".btn-primary").count()).toBe(0);
    // what waits for a decision elsewhere is not known here
    await view.send(stateMessage({ attention: [], readOnly: "Another window runs this team." }));
    await view.page.getByText("Another window runs this team.").waitFor();
    expect(await view.page.getByText("Nothing waits for you").count()).toBe(0);
  });

  test("only the open request has a filled button", async () => {
    const view = await openQueue();
    expect(await view.page.locator(".btn-primary:not(.split-drop)").count()).toBe(1);
  });
});

describe("a decision", () => {
  test("takes the request away, opens the next in its place and gives its title the focus", async () => {
    const view = await openQueue();
    await button(view, "Allow Once").click();
    expect(await decisions(view)).toEqual([["perm-1", { kind: "allow", scope: "once" }]]);
    expect(await openRequests(view)).toEqual(["perm-2"]);
    expect(await focused(view)).toBe("title perm-2");
    await expect.poll(() => view.page.getByRole("status").textContent()).toBe("Allowed once: Run psql. 2 left.");
  });

  test("after the last one the focus goes to the tab", async () => {
    const view = await openQueue([commandRequest()]);
    await button(view, "Allow Once").click();
    expect(await focused(view)).toBe("tab conversation");
    const said = "Allowed once: Run psql. Nothing waits for you.";
    await expect.poll(() => view.page.getByRole("status").textContent()).toBe(said);
  });

  test("of the newest one gives the focus to the one before", async () => {
    const view = await openQueue();
    await view.page.locator(".req-head", { hasText: "Plan" }).click();
    await button(view, /more lines$/).click();
    await button(view, "Approve").click();
    expect(await focused(view)).toBe("title perm-2");
  });

  test("stays away while the host still lists the request, and comes back with the reason when it failed", async () => {
    const view = await openQueue();
    await button(view, "Allow Once").click();
    await view.send(stateMessage());
    expect(await view.page.locator("[data-request=perm-1]").count()).toBe(0);
    const [intent] = await view.actions();
    if (intent?.type !== "decide") throw new Error("no decision was posted");
    await view.send({ type: "done", intent: intent.intent, error: "The request is gone." });
    await view.page.locator("[data-request=perm-1] .req-head").click();
    expect(await view.page.getByText("The request is gone.").first().isVisible()).toBe(true);
  });

  test("for the session and for always goes through the menu, which shows the rule", async () => {
    const view = await openQueue();
    await button(view, /^More ways/).click();
    const items = view.page.getByRole("menuitem");
    expect(await items.allTextContents()).toEqual([
      'Allow for This SessionBash(psql "$PAYMENTS_TEST_URL":*)',
      'Always AllowBash(psql "$PAYMENTS_TEST_URL":*)Saved in your own settings',
    ]);
    await items.first().click();
    await settled(view);
    await button(view, /^More ways/).click();
    await items.nth(1).click();
    expect(await decisions(view)).toEqual([
      ["perm-1", { kind: "allow", scope: "session" }],
      ["perm-2", { kind: "allow", scope: "always" }],
    ]);
  });

  test("the rule can be written differently before it is kept: the host says whether it is one, and what to mind", async () => {
    const view = await openQueue([commandRequest({ rules: ["Bash(npm test)"], changeable: ["Bash(npm test)"] })]);
    const change = async () => {
      await button(view, /^More ways/).click();
      await view.page.getByRole("menuitem", { name: "Change the Rule…" }).click();
    };
    const rule = view.page.getByRole("textbox", { name: "Rule, one in a line" });
    const asked = async () => (await view.actions()).flatMap((it) => (it.type === "checkRule" ? [it.text] : []));
    const found = (text: string, fault: string | null, ...warnings: string[]) =>
      view.send({ type: "ruleCheck", request: "perm-1", text, fault, warnings });
    const held = () => button(view, "Allow for This Session").getAttribute("aria-disabled");
    await change();
    expect(await rule.inputValue()).toBe("Bash(npm test)");
    expect(await held()).toBe("true");
    await found("Bash(npm test)", null);
    expect(await held()).toBe("false");
    await rule.fill("Bash(npm");
    await expect.poll(asked).toEqual(["Bash(npm test)", "Bash(npm"]);
    await found("Bash(npm test)", null); // the answer to what stood there before
    expect(await held()).toBe("true");
    await found("Bash(npm", "That is not a rule.");
    expect(await view.page.locator(".req-field .error-line").innerText()).toBe("That is not a rule.");
    await view.page.keyboard.press("Control+Enter");
    expect(await decisions(view)).toEqual([]);
    await view.page.keyboard.press("Escape");
    await expect.poll(() => focused(view)).toContain("More ways");
    await change();
    expect(await rule.inputValue()).toBe("Bash(npm");
    await rule.fill("Bash(npm:*)");
    await found("Bash(npm:*)", null, "It allows much.");
    expect(await view.page.locator(".req-field .warning-line").innerText()).toBe("It allows much.");
    await button(view, "Always Allow").click();
    expect(await decisions(view)).toEqual([["perm-1", { kind: "allow", scope: "always", rules: ["Bash(npm:*)"] }]]);
  });

  test("without a rule there is no menu", async () => {
    const view = await openQueue([commandRequest({ rules: [] })]);
    expect(await button(view, /^More ways/).count()).toBe(0);
  });

  test("denying takes a reason in place of the buttons, or none", async () => {
    const view = await openQueue();
    await button(view, "Deny…").click();
    expect(await focused(view)).toBe("Reason, optional");
    expect(await button(view, "Allow Once").count()).toBe(0);
    await view.page.keyboard.type("不要把数据发到外部地址。");
    await button(view, "Deny").click();
    await settled(view);
    await button(view, "Deny…").click();
    await button(view, "Deny").click();
    expect(await decisions(view)).toEqual([
      ["perm-1", { kind: "deny", reason: "不要把数据发到外部地址。" }],
      ["perm-2", { kind: "deny" }],
    ]);
  });

  test("a plan is approved with the mode that was chosen", async () => {
    const view = await openQueue([planRequest()]);
    await view.page.getByRole("combobox", { name: "After approval" }).click();
    await view.page.getByRole("option", { name: "Accept edits" }).click();
    await button(view, /more lines$/).click();
    await button(view, "Approve").click();
    expect(await decisions(view)).toEqual([["plan-1", { kind: "approve", mode: "acceptEdits" }]]);
  });

  test("a plan is approved with the mode that the host preselects", async () => {
    const view = await openQueue([planRequest({ afterMode: "acceptEdits" })]);
    await button(view, /more lines$/).click();
    await button(view, "Approve").click();
    expect(await decisions(view)).toEqual([["plan-1", { kind: "approve", mode: "acceptEdits" }]]);
  });

  test("a plan goes back only with what should change", async () => {
    const view = await openQueue([planRequest()]);
    await button(view, "Send Back…").click();
    await button(view, "Send Back").click({ force: true });
    expect(await decisions(view)).toEqual([]);
    await view.page.getByLabel("What should change").fill("Use 10,000 sequences.");
    await button(view, "Send Back").click();
    expect(await decisions(view)).toEqual([["plan-1", { kind: "reject", feedback: "Use 10,000 sequences." }]]);
  });

  test("an edited command is allowed once as it was edited", async () => {
    const view = await openQueue([commandRequest()]);
    await button(view, "Edit…").click();
    const field = view.page.getByLabel("Command to run instead");
    expect(await field.inputValue()).toBe(commandText);
    await field.fill("npm test");
    await button(view, "Allow Edited Command").click();
    expect(await decisions(view)).toEqual([
      ["perm-1", { kind: "allow", scope: "once", updatedInput: { command: "npm test" } }],
    ]);
  });

  test("a lead that waits for an answer gets the composer", async () => {
    const view = await openQueue([answerRequest()]);
    await button(view, "Answer").click();
    expect(await focused(view)).toBe("Message to team-lead");
    expect(await view.actions()).toEqual([]);
  });
});

describe("buttons that have just come", () => {
  test("do nothing for a second click at the same place", async () => {
    const view = await openQueue(manyRequests(3));
    await button(view, "Allow Once").dblclick();
    expect(await decisions(view)).toHaveLength(1);
    await button(view, "Deny…").click({ force: true });
    expect(await view.page.locator(".req-field").count()).toBe(0);
    await settled(view);
    await button(view, "Allow Once").click();
    expect((await decisions(view)).map(([id]) => id)).toEqual(["perm-1", "perm-2"]);
  });

  test("do nothing for a second key", async () => {
    const view = await openQueue(manyRequests(3));
    await view.page.locator(".req-head").first().focus();
    await view.page.keyboard.press("Control+Enter");
    await view.page.keyboard.press("Control+Enter");
    await view.page.keyboard.press("Control+Backspace");
    await view.page.keyboard.press("Alt+ArrowDown");
    expect(await decisions(view)).toHaveLength(1);
    expect(await view.page.locator(".req-field, [role=menu]").count()).toBe(0);
    await settled(view);
    await view.page.keyboard.press("Control+Enter");
    expect(await decisions(view)).toHaveLength(2);
  });

  test("wait at least 500 ms", async () => {
    const view = await openQueue(manyRequests(2));
    const waited = await view.page.evaluate(async () => {
      document.querySelector<HTMLElement>("[data-choice=primary]")?.click();
      const from = performance.now();
      await new Promise(requestAnimationFrame);
      while (document.querySelector(".req-inert")) await new Promise(requestAnimationFrame);
      return performance.now() - from;
    });
    expect(waited).toBeGreaterThanOrEqual(500);
  });

  test("also when a request came by itself", async () => {
    const view = await openQueue([]);
    const pressedAtOnce = (message: HostMessage, request: string) =>
      view.page.evaluate(pressWhenThere, [message, `[data-request=${request}] [data-choice=primary]`] as const);
    expect(await pressedAtOnce(stateMessage({ attention: manyRequests(2) }), "perm-1")).toBe(1);
    expect(await decisions(view)).toEqual([]);
    await settled(view);
    await button(view, "Allow Once").click();
    expect(await decisions(view)).toHaveLength(1);
  });

  test("look held, and are announced as disabled", async () => {
    const view = await openQueue(manyRequests(2));
    await button(view, "Allow Once").click();
    const next = view.page.locator("[data-request=perm-2] [data-choice=primary]");
    expect(await next.getAttribute("aria-disabled")).toBe("true");
    expect(await next.evaluate((element) => getComputedStyle(element).opacity)).toBe("0.6");
    await settled(view);
    expect(await next.getAttribute("aria-disabled")).toBe("false");
  });
});

describe("keys", () => {
  test("Enter alone and Esc alone never decide", async () => {
    const view = await openQueue();
    await view.page.locator(".req-head").first().focus();
    await view.page.keyboard.press("Escape");
    await view.page.keyboard.press("Enter");
    expect(await openRequests(view)).toEqual([]);
    await view.page.keyboard.press("Enter");
    expect(await openRequests(view)).toEqual(["perm-1"]);
    await button(view, "Deny…").click();
    await view.page.keyboard.press("Enter");
    await view.page.keyboard.press("Escape");
    expect(await view.page.locator(".req-field").count()).toBe(0);
    expect(await focused(view)).toBe("Deny…");
    expect(await decisions(view)).toEqual([]);
  });

  test("a modifier with Enter takes the primary choice, also in the reason", async () => {
    const view = await openQueue();
    await view.page.locator(".req-head").first().focus();
    await view.page.keyboard.press("Control+Backspace");
    await view.page.keyboard.type("no");
    await view.page.keyboard.press("Control+Backspace");
    await view.page.keyboard.type("not now");
    await view.page.keyboard.press("Control+Enter");
    await settled(view);
    await view.page.keyboard.press("Meta+Enter");
    expect(await decisions(view)).toEqual([
      ["perm-1", { kind: "deny", reason: "not now" }],
      ["perm-2", { kind: "allow", scope: "once" }],
    ]);
  });

  test("a key that is held down decides once", async () => {
    const view = await openQueue(manyRequests(2));
    await view.page.locator(".req-head").first().focus();
    await view.page.keyboard.down("Control");
    await view.page.keyboard.down("Enter");
    await settled(view);
    await view.page.keyboard.down("Enter");
    await view.page.keyboard.up("Enter");
    await view.page.keyboard.up("Control");
    expect(await decisions(view)).toHaveLength(1);
  });

  test("arrows, Home and End move over the titles", async () => {
    const view = await openQueue();
    await view.page.locator(".req-head").first().focus();
    const seen: string[] = [];
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Home", "End", "ArrowUp"]) {
      await view.page.keyboard.press(key);
      seen.push(await focused(view));
    }
    expect(seen).toEqual(["perm-2", "plan-1", "plan-1", "perm-1", "plan-1", "perm-2"].map((id) => `title ${id}`));
  });

  test("Alt and arrow down open the menu; Esc closes it and goes back to its button", async () => {
    const view = await openQueue();
    await view.page.locator(".req-head").first().focus();
    await view.page.keyboard.press("Alt+ArrowDown");
    expect(await focused(view)).toContain("Allow for This Session");
    await view.page.keyboard.press("ArrowDown");
    expect(await focused(view)).toContain("Always Allow");
    await view.page.keyboard.press("Escape");
    expect(await view.page.getByRole("menu").count()).toBe(0);
    expect(await focused(view)).toMatch(/^More ways/);
    expect(await decisions(view)).toEqual([]);
  });

  test("the command of the extension opens a request and focuses its title, not a button", async () => {
    const view = await openQueue();
    await view.page.locator(".req-head").first().click(); // a pointer's focus draws no ring
    await view.send({ type: "reveal", what: { kind: "request", id: "plan-1" } });
    expect(await openRequests(view)).toEqual(["plan-1"]);
    expect(await focused(view)).toBe("title plan-1");
    const ring = (at: string) => view.page.locator(at).evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(await ring("[data-request=plan-1] .req-head")).toBe("solid");
  });

  test("so it does where it comes before the team, as in a view that was hidden", async () => {
    const view = await openView();
    await view.send({ type: "reveal", what: { kind: "request", id: "plan-1" } });
    await view.send(stateMessage({ attention: threeRequests() }));
    expect(await openRequests(view)).toEqual(["plan-1"]);
    expect(await focused(view)).toBe("title plan-1");
  });

  test("a request that comes takes no focus", async () => {
    const view = await openQueue([]);
    await view.page.getByLabel("Message to team-lead").focus();
    await view.send(stateMessage({ attention: threeRequests() }));
    expect(await focused(view)).toBe("Message to team-lead");
    await expect.poll(() => view.page.getByRole("status").textContent()).toContain("backend asks: Run psql.");
  });
});
