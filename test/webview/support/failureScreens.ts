import { emptyMessage, teamMessages } from "./fixtures.ts";
import type { View } from "./page.ts";
import { commandRequest } from "./requestFixtures.ts";
import type { Screen } from "./screens.ts";

const QUIET = { attention: [], unread: 0 };

const button = ({ page }: View, name: string | RegExp) => page.getByRole("button", { name }).first();

/** Answers what the person did last, as a host that could not do it. */
async function fail(view: View, error: string): Promise<void> {
  const last = (await view.actions()).at(-1);
  if (!last || !("intent" in last)) throw new Error("nothing was asked");
  await view.send({ type: "done", intent: last.intent, error });
}

/** Opens the field of the rule, and answers what is typed there as the host does. */
async function changeRule(view: View, text: string, fault: string | null, warnings: string[]): Promise<void> {
  await view.page.locator(".req-inert").waitFor({ state: "detached" });
  await button(view, /^More ways/).click();
  await view.page.getByRole("menuitem", { name: "Change the Rule…" }).click();
  await view.page.getByRole("textbox", { name: "Rule, one in a line" }).fill(text);
  await view.send({ type: "ruleCheck", request: "perm-1", text, fault, warnings });
  await view.page.locator(".req-field .error-line, .req-field .warning-line").first().waitFor();
}

const changeable = () =>
  teamMessages({ attention: [commandRequest({ rules: ["Bash(npm test)"], changeable: ["Bash(npm test)"] })] });

/** States in which something is wrong, or nothing is known yet. */
export const FAILURE_SCREENS: readonly Screen[] = [
  { name: "loading", messages: [] },
  {
    name: "rule-fault",
    messages: changeable(),
    act: (view) => changeRule(view, "Bash(npm", "“Bash(npm” is no rule: write Bash(npm test) or Bash(npm test:*).", []),
  },
  {
    name: "rule-warning",
    messages: changeable(),
    act: (view) => changeRule(view, "Bash(npm:*)", null, ["Everything that begins with npm may run, npm publish too."]),
  },
  {
    name: "decision-failed",
    messages: teamMessages({ attention: [commandRequest()] }),
    act: async (view) => {
      await view.page.locator(".req-inert").waitFor({ state: "detached" });
      await button(view, "Allow Once").click();
      await fail(view, "The decision was not kept: the disk is full. Free some space and decide again.");
      await view.page.getByText("The decision was not kept").first().waitFor();
    },
  },
  {
    name: "start-failed",
    messages: [emptyMessage("no_team")],
    act: async (view) => {
      await view.page.getByRole("textbox", { name: "Goal" }).fill("让测试通过，并且写一份说明。");
      await button(view, "Start Team").click();
      await fail(view, "The state root cannot be written: choose another one in the settings.");
      await view.page.getByText("The state root cannot be written").first().waitFor();
    },
  },
  {
    name: "send-failed",
    messages: teamMessages(QUIET),
    act: async (view) => {
      await view.page.locator(".cmp textarea").fill("Keep it under 8 s.");
      await button(view, /^Send/).click();
      await fail(view, "This team is finished: start another one.");
      await view.page.getByText("This team is finished").first().waitFor();
    },
  },
  {
    name: "task-failed",
    messages: teamMessages(QUIET),
    act: async (view) => {
      await view.page.getByRole("tab", { name: /^Tasks/ }).click();
      await button(view, "Create Task…").click();
      await view.page.getByRole("textbox", { name: "What is to be done" }).fill("Tidy up");
      await view.page.keyboard.press("Enter");
      await fail(view, "The disk is full; free some space and try again.");
      await view.page.getByText("The disk is full").first().waitFor();
    },
  },
];
