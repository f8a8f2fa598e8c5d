import { describe, expect, test } from "vitest";
import { messageParts } from "../../src/extension/panel/messageParts.ts";
import { stateMessage } from "./support/fixtures.ts";
import { button, decisions, queueSuite } from "./support/queue.ts";
import { commandRequest, commandText, curlRequest } from "./support/requestFixtures.ts";
import { settled, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const openQueue = queueSuite(open);

describe("a command", () => {
  test("is shown part by part, the uncovered one in bold", async () => {
    const view = await openQueue();
    const parts = await view.page.locator(".cmd-part .cmd-text").allTextContents();
    expect(parts.join(" ")).toBe(commandText);
    const bold = view.page.locator(".cmd-asks");
    expect(await bold.allTextContents()).toEqual([parts.at(-1)]);
    expect(await bold.evaluate((element) => getComputedStyle(element).fontWeight)).toBe("600");
    expect(await bold.getByRole("img", { name: "No rule covers it" }).count()).toBe(1);
  });

  test("of any size arrives whole: it comes in parts, and what comes behind it comes behind it", async () => {
    const text = `cat <<'E'\n${'"\\ 茶😀\n'.repeat(90_000)}E`;
    const large = commandRequest({ preview: { type: "command", cwd: "/w", text, parts: null } });
    const view = await openQueue([large]);
    await view.page.locator(".cmd").focus();
    await view.page.keyboard.press("Control+c");
    expect(await view.page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    const halves = messageParts(stateMessage({ attention: [large] }));
    await view.send(...halves.slice(1), stateMessage({ attention: [curlRequest()] })); // a page that was reloaded in between
    await view.page.getByRole("button", { name: /curl/ }).first().click(); // the other went by itself: nothing is open
    expect(await view.page.locator(".cmd").textContent()).toContain("curl");
  });

  test("shows invisible characters and keeps them in what is copied", async () => {
    const request = curlRequest();
    const view = await openQueue([request]);
    const chip = view.page.locator(".cmd .chip");
    expect(await chip.getAttribute("aria-label")).toBe("Invisible character U+200B");
    expect(await chip.evaluate((element) => element.getBoundingClientRect().width)).toBeGreaterThan(20);
    await view.page.locator(".cmd").focus();
    await view.page.keyboard.press("Control+c");
    const copied = await view.page.evaluate(() => navigator.clipboard.readText());
    expect(request.preview.type === "command" && request.preview.text).toBe(copied);
    await view.page.evaluate(() => {
      const parts = document.querySelectorAll(".cmd-text");
      getSelection()?.setBaseAndExtent(parts[0]!, 0, parts[1]!, parts[1]!.childNodes.length);
    });
    await view.page.keyboard.press("Control+c");
    expect(await view.page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
  });

  test("bidirectional controls do not turn what is drawn around them", async () => {
    const text = "echo safe \u202e# txet neddih\u202c done";
    const view = await openQueue([
      commandRequest({ preview: { type: "command", cwd: "/w", text, parts: null }, warnings: [] }),
    ]);
    const chips = view.page.locator(".cmd .chip");
    expect(await chips.evaluateAll((all) => all.map((chip) => chip.getAttribute("data-code")))).toEqual([
      "U+202E",
      "U+202C",
    ]);
    const [first, second] = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().left));
    const done = await view.page.evaluate(() => {
      const words = [...document.querySelectorAll(".cmd .cmd-word")];
      return words.find((word) => word.textContent === "done")?.getBoundingClientRect().left;
    });
    expect(first).toBeLessThan(second!);
    expect(second).toBeLessThan(done!);
    expect(await view.page.getByText("Could not be read as shell").isVisible()).toBe(true);
  });

  test("of many parts folds covered neighbours, never an uncovered one or the last", async () => {
    const parts = Array.from({ length: 16 }, (_, index) => ({ text: `step${index};`, covered: index !== 7 }));
    const text = parts.map((part) => part.text).join(" ");
    const view = await openQueue([commandRequest({ preview: { type: "command", cwd: "/w", text, parts } })]);
    expect(await view.page.locator(".cmd-fold").allTextContents()).toEqual([
      "7 parts that rules allow",
      "7 parts that rules allow",
    ]);
    expect(await view.page.locator(".cmd-part .cmd-text").allTextContents()).toEqual(["step7;", "step15;"]);
    await view.page.locator(".cmd-fold").first().click();
    expect(await view.page.locator(".cmd-part").count()).toBe(9);
  });

  test("cannot be allowed before every uncovered part was on the screen", async () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({ text: `rm -rf "folder ${index}";`, covered: false }));
    const view = await open({ height: 500 });
    await view.send(
      stateMessage({
        attention: [commandRequest({ preview: { type: "command", cwd: "/w", text: "rm", parts }, said: null })],
      }),
    );
    await settled(view);
    const allow = button(view, "Allow Once");
    expect(await allow.getAttribute("aria-disabled")).toBe("true");
    expect(await allow.getAttribute("title")).toContain("has not been on the screen");
    await view.page.locator(".req-head").focus();
    await view.page.keyboard.press("Control+Enter");
    expect(await decisions(view)).toEqual([]);
    for (let at = 0; at < 60; at += 5) await view.page.locator(".cmd-part").nth(at).scrollIntoViewIfNeeded();
    await view.page.locator(".cmd-part").last().scrollIntoViewIfNeeded();
    await expect.poll(() => allow.getAttribute("aria-disabled")).toBe("false");
    await allow.click();
    expect(await decisions(view)).toHaveLength(1);
  });

  test("is not allowed by its field, edited or not, nor by a rule, before every uncovered part was on the screen", async () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({ text: `rm -rf "folder ${index}";`, covered: false }));
    const text = parts.map((part) => part.text).join("\n");
    const rule = { rules: ["Bash(rm *)"], changeable: ["Bash(rm *)"] };
    const preview = { type: "command" as const, cwd: "/w", text, parts };
    const request = commandRequest({ preview, said: null, warnings: [], ...rule });
    const ruleField = { version: 1, team: "checkout-retry", field: { id: request.id, field: "rule" } };
    const ways = [
      { button: "Allow Edited Command", start: () => open({ height: 500 }) },
      { button: "Allow for This Session", start: () => open({ height: 500, kept: ruleField }) },
    ];
    for (const { button: name, start } of ways) {
      const view = await start();
      await view.send(stateMessage({ attention: [request] }));
      await settled(view);
      const allow = button(view, name);
      const held = () => allow.getAttribute("aria-disabled");
      const field = view.page.locator(".req-field textarea");
      const isEdit = (await field.count()) === 0;
      if (isEdit) await button(view, "Edit…").click();
      const check = { request: request.id, text: await field.inputValue(), fault: null, warnings: [] };
      await view.send({ type: "ruleCheck", ...check });
      expect(await held()).toBe("true");
      expect(await allow.getAttribute("title")).toContain("has not been on the screen");
      await view.page.keyboard.press("Control+Enter");
      await allow.click({ force: true });
      if (isEdit) await field.fill(`true; ${text}`);
      expect(await held()).toBe("true");
      await field.press("Control+Enter");
      expect(await decisions(view)).toEqual([]);
      for (let at = 0; at < 60; at += 5) await view.page.locator(".cmd-part").nth(at).scrollIntoViewIfNeeded();
      await view.page.locator(".cmd-part").last().scrollIntoViewIfNeeded();
      await expect.poll(held).toBe("false");
      await field.press("Control+Enter");
      expect(await decisions(view)).toHaveLength(1);
    }
  });

  test("draws two characters as two: no ligatures", async () => {
    const view = await openQueue([
      commandRequest({
        preview: { type: "command", cwd: "/w", text: "-- -", parts: [{ text: "-- -", covered: false }] },
      }),
    ]);
    const [both, one] = await view.page
      .locator(".cmd-word")
      .evaluateAll((words) => words.map((word) => word.getBoundingClientRect().width));
    expect(both).toBeCloseTo(2 * one!, 1);
    for (const selector of [".cmd", ".cmd-text"]) {
      const style = await view.page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { fontVariantLigatures, fontFeatureSettings } = getComputedStyle(element);
          return [fontVariantLigatures, fontFeatureSettings];
        });
      expect(style).toEqual(["none", '"calt" 0, "liga" 0']);
    }
  });
});
