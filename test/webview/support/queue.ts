import type { AttentionItem } from "../../../src/protocol/panel.ts";
import type { HostMessage } from "../../../src/protocol/panelMessages.ts";
import { teamMessages } from "./fixtures.ts";
import type { View } from "./page.ts";
import { threeRequests } from "./requestFixtures.ts";
import { settled } from "./suite.ts";

/** Opens the view with these requests waiting, and waits until their buttons take a click. */
export function queueSuite(open: () => Promise<View>) {
  return async (attention: AttentionItem[] = threeRequests()): Promise<View> => {
    const view = await open();
    await view.send(...teamMessages({ attention }));
    await settled(view);
    return view;
  };
}

export const button = (view: View, name: string | RegExp) =>
  view.page.getByRole("button", { name, exact: typeof name === "string" }).first();

/** Ids of the requests that are open. */
export const openRequests = (view: View) =>
  view.page.locator(".req-open").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-request")));

/** What was decided, with the id of its request. */
export const decisions = async (view: View) =>
  (await view.actions()).flatMap((intent) => (intent.type === "decide" ? [[intent.request, intent.decision]] : []));

/** Answers what was asked for last as the host would: `error` null, and it was done. */
export async function answerLast(view: View, error: string | null): Promise<void> {
  const asked = (await view.actions()).findLast((intent) => "intent" in intent);
  if (!asked || !("intent" in asked)) throw new Error("nothing was asked for");
  await view.send({ type: "done", intent: asked.intent, error });
}

/** In the page: takes a message and presses a button as soon as it is there. Gives the number of requests that hold. */
export async function pressWhenThere([message, selector]: readonly [HostMessage, string]): Promise<number> {
  window.postMessage(message, "*");
  while (!document.querySelector(selector)) await new Promise(requestAnimationFrame);
  document.querySelector<HTMLElement>(selector)?.click();
  return document.querySelectorAll(".req-inert").length;
}
