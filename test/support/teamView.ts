import type { Frame, Locator } from "playwright-core";
import { eventually } from "./eventually.ts";
import { isDone, type Workbench, webviewFrame } from "./workbench.ts";

/** The webview *Team* as a person has it before them. Each action is the person's. */
export interface TeamView {
  frame(): Promise<Frame>;
  text(): Promise<string>;
  /** A row of *Needs you* by its title, opened, with all that it says; waits until its buttons take a click. */
  request(title: string): Promise<Locator>;
  /** Clicks a button inside a request. */
  press(request: Locator, button: string): Promise<void>;
  /** Types into the field of a request. */
  fill(request: Locator, text: string): Promise<void>;
  showTab(name: "Conversation" | "Tasks" | "Inboxes"): Promise<void>;
  /** Clicks a member in the list. */
  chooseMember(name: string): Promise<void>;
  /** Opens a member's menu and clicks an entry. */
  memberMenu(name: string, entry: string): Promise<void>;
  /** Chooses a member and sends it a message. */
  writeTo(name: string, text: string): Promise<void>;
  composer(): Promise<Locator>;
}

/** What waits and what runs may take this long, in milliseconds. */
const PATIENCE_MS = 40_000;

/** The view of a window; it is opened by the test. */
export function teamView(workbench: Workbench): TeamView {
  const { watch } = workbench;
  const frame = () => webviewFrame(workbench, "Team");
  const click = (locator: Locator) => watch.asPerson(() => locator.click());
  const chooseMember = async (name: string) => click((await frame()).locator(".mem-row", { hasText: name }));
  return {
    frame,
    text: async () => (await frame()).locator("body").innerText(),
    async request(title) {
      const row = (await frame()).locator(".req", { hasText: title }).first();
      await row.waitFor({ timeout: PATIENCE_MS });
      await row.scrollIntoViewIfNeeded(); // buttons that nobody sees take no click
      if (!(await row.getAttribute("class"))?.includes("req-open")) await click(row.locator(".req-head"));
      const primary = row.locator("[data-choice=primary]");
      const rest = row.locator("[data-choice=rest]");
      const inert = row.locator(".req-inert");
      await eventually(`${title} to take a click`, async () => {
        if ((await inert.count()) === 0 && (await rest.count()) > 0) await click(rest.first());
        return (await primary.getAttribute("aria-disabled")) === "false";
      });
      return row;
    },
    press: (request, button) => click(request.getByRole("button", { name: button, exact: true })),
    fill: (request, text) => watch.asPerson(() => request.locator("textarea").fill(text)),
    showTab: async (name) => click((await frame()).getByRole("tab", { name: new RegExp(`^${name}`) })),
    chooseMember,
    async memberMenu(name, entry) {
      const view = await frame();
      const choice = view.getByRole("menuitem", { name: entry });
      // A row that moves away between press and release closes its menu, as a click beside it does: then again.
      await eventually(`${entry} of ${name}`, async () => {
        if ((await choice.count()) === 0)
          await watch.asPerson(() => view.locator(".mem-row", { hasText: name }).click({ button: "right" }));
        return watch.asPerson(() => isDone(choice.click({ timeout: 3000 })));
      });
    },
    async writeTo(name, text) {
      await chooseMember(name);
      const composer = (await frame()).locator(".cmp textarea");
      await watch.asPerson(async () => {
        await composer.fill(text);
        await workbench.page.keyboard.press("Enter");
      });
    },
    composer: async () => (await frame()).locator(".cmp textarea"),
  };
}
