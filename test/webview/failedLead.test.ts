import { describe, expect, test } from "vitest";
import { stateMessage } from "./support/fixtures.ts";
import { answerLast, button, queueSuite } from "./support/queue.ts";
import { answerRequest } from "./support/requestFixtures.ts";
import { webviewSuite } from "./support/suite.ts";

const openQueue = queueSuite(webviewSuite());

describe("a lead whose run failed", () => {
  test("says why, and offers another try and another key; nothing of it looks like the lead's words", async () => {
    const text = "The API rejected the key (401): set **another** one.";
    const refused = answerRequest({ failure: "key", title: "team-lead could not go on", text });
    const view = await openQueue([refused]);
    expect(await view.page.locator(".error-line").textContent()).toBe(text);
    expect(await view.page.locator(".req-said").count()).toBe(0);
    await button(view, "Set API Key…").click();
    await button(view, "Try Again").click();
    expect(await view.actions()).toMatchObject([
      { type: "command", command: "setApiKey" },
      { type: "send", to: "team-lead", text: "Try again." },
    ]);
    const away = "Cannot reach the API at http://127.0.0.1:9. Check the network and the base URL, then try again.";
    await view.send(stateMessage({ attention: [answerRequest({ failure: "server", text: away })] }));
    expect(await button(view, "Set API Key…").count()).toBe(0);
    await button(view, "Set Base URL").click();
    expect((await view.actions()).at(-1)).toMatchObject({ type: "command", command: "setBaseUrl" });
    const lost = "Another program deleted the files of team demo.";
    await view.send(stateMessage({ attention: [answerRequest({ failure: "other", text: lost })] }));
    expect(await view.page.getByRole("button", { name: /^Set / }).count()).toBe(0); // no key helps there
  });

  test("is told to try again once, whatever is pressed before that was answered and the request goes", async () => {
    const view = await openQueue([answerRequest({ failure: "other", text: "The network is gone." })]);
    const again = button(view, "Try Again");
    await again.dblclick();
    await view.page.keyboard.press("Control+Enter");
    expect(await view.actions()).toHaveLength(1);
    expect(await again.getAttribute("title")).toBe("Sent to team-lead.");
    await answerLast(view, "The disk is full.");
    await again.dblclick();
    await answerLast(view, null);
    await again.click({ force: true }); // the lead has it, and the state that says so comes later
    expect(await view.actions()).toHaveLength(2);
  });
});
