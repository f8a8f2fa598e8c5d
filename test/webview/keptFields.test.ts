import { expect, test } from "vitest";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import type { Decision } from "../../src/protocol/request.ts";
import { stateMessage } from "./support/fixtures.ts";
import type { View } from "./support/page.ts";
import { button, decisions, openRequests, queueSuite } from "./support/queue.ts";
import { alikeRequests, commandRequest, editRequest, planRequest } from "./support/requestFixtures.ts";
import { focused, settled, webviewSuite } from "./support/suite.ts";

const openQueue = queueSuite(webviewSuite());

const changeable = commandRequest({ rules: ["Bash(npm test)"], changeable: ["Bash(npm test)"] });
const chooseRule = async (view: View) => {
  await button(view, /^More ways/).click();
  await view.page.getByRole("menuitem", { name: "Change the Rule…" }).click();
};
const press = (name: string) => (view: View) => button(view, name).click();

interface Way {
  item: AttentionItem;
  open: (view: View) => Promise<void>;
  field: string;
  sent: Decision;
}
const once = { kind: "allow", scope: "once" } as const;
const WAYS: [string, Way][] = [
  [
    "a reason",
    {
      ...{ item: commandRequest(), open: press("Deny…"), field: "Reason, optional" },
      sent: { kind: "deny", reason: "echo safe" },
    },
  ],
  [
    "an edited command",
    {
      ...{ item: commandRequest(), open: press("Edit…"), field: "Command to run instead" },
      sent: { ...once, updatedInput: { command: "echo safe" } },
    },
  ],
  [
    "what should change",
    {
      ...{ item: planRequest(), open: press("Send Back…"), field: "What should change" },
      sent: { kind: "reject", feedback: "echo safe" },
    },
  ],
  [
    "a changed rule",
    {
      ...{ item: changeable, open: chooseRule, field: "Rule, one in a line" },
      sent: { kind: "allow", scope: "session", rules: ["echo safe"] },
    },
  ],
];

test.each(WAYS)("%s is open with its text after a reload, takes no focus, and is what is sent", async (_name, way) => {
  const { item, open, field, sent } = way;
  const view = await openQueue([item]);
  await open(view);
  await view.page.getByLabel(field).fill("echo safe");
  await view.reload();
  await view.send(stateMessage({ attention: [item, editRequest()] }));
  await settled(view);
  expect(await view.page.getByLabel(field).inputValue()).toBe("echo safe");
  expect(await focused(view)).toBe("nothing");
  await view.send({ type: "ruleCheck", request: item.id, text: "echo safe", fault: null, warnings: [] });
  await view.page.getByLabel(field).focus();
  await view.page.keyboard.press("Control+Enter");
  expect(await decisions(view)).toEqual([[item.id, sent]]);
});

test("a field whose request comes back after another one is open once the person comes to it, and then closes as any", async () => {
  const view = await openQueue([planRequest()]);
  const field = view.page.getByLabel("What should change");
  const head = (id: string) => view.page.locator(`[data-request="${id}"] .req-head`);
  await button(view, "Send Back…").click();
  await field.fill("echo safe");
  await view.reload();
  await view.send(stateMessage({ attention: [editRequest()] }));
  await view.send(stateMessage({ attention: [editRequest(), planRequest()] }));
  expect(await openRequests(view)).toEqual([editRequest().id]);
  await head(planRequest().id).click();
  expect(await field.inputValue()).toBe("echo safe");
  await head(editRequest().id).click();
  await head(planRequest().id).click();
  expect(await field.count()).toBe(0);
});

test("a field that waits for its request outlasts a decision about another one", async () => {
  const view = await openQueue([planRequest()]);
  await button(view, "Send Back…").click();
  await view.page.getByLabel("What should change").fill("echo safe");
  await view.reload();
  await view.send(stateMessage({ attention: [editRequest()] }));
  await view.send(stateMessage({ attention: [editRequest(), planRequest()] }));
  await settled(view);
  await button(view, /^Allow Once/).click();
  expect(await openRequests(view)).toEqual([planRequest().id]);
  expect(await view.page.getByLabel("What should change").inputValue()).toBe("echo safe");
});

test("of several requests that would be one row the one with the field stays alone and open", async () => {
  const [one, two, three] = alikeRequests(3);
  const view = await openQueue([two!]);
  await button(view, "Edit…").click();
  await view.page.getByLabel("Command to run instead").fill("echo safe");
  await view.reload();
  await view.send(stateMessage({ attention: [one!, two!, three!] }));
  expect(await openRequests(view)).toEqual(["alike-2"]);
  expect(await view.page.getByLabel("Command to run instead").inputValue()).toBe("echo safe");
});

test("a command that was edited, in a field that is closed, says that it runs as it stands", async () => {
  const NOTE = "It runs as it stands above. What you changed is kept behind Edit….";
  const [one, two] = alikeRequests(2);
  const view = await openQueue([one!]);
  const notes = () => view.page.locator(".req-open .req-note", { hasText: NOTE }).count();
  await button(view, "Edit…").click();
  await view.page.keyboard.press("Escape");
  expect(await notes()).toBe(0);
  await button(view, "Edit…").click();
  await view.page.getByLabel("Command to run instead").fill("echo safe");
  expect(await notes()).toBe(0);
  await view.page.keyboard.press("Escape");
  expect(await notes()).toBe(1);
  await view.page.locator(".req-head").click();
  await view.send(stateMessage({ attention: [one!, two!] }));
  await view.page.locator(".req-head").click();
  expect(await button(view, "Allow All 2").count()).toBe(1);
  expect(await notes()).toBe(1);
  await button(view, "One by One").click();
  await button(view, "Edit…").click();
  await button(view, "Cancel").click();
  expect(await notes()).toBe(0);
});
