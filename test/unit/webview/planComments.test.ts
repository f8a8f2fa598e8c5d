import { signal } from "@preact/signals";
import { expect, it } from "vitest";
import type { PanelState } from "../../../src/protocol/panel.ts";
import { chooseModeAfter, commentKey, forgetGoneRequests } from "../../../webview/state/planComments.ts";
import { createViewState, setDraft } from "../../../webview/state/viewState.ts";
import { stateMessage } from "../../webview/support/fixtures.ts";
import { planRequest } from "../../webview/support/requestFixtures.ts";

it("of requests that do not wait, those written to last are kept", () => {
  const view = createViewState(null);
  const waits = planRequest({ id: "waits:1" });
  const panel = signal<PanelState>({ screen: "loading" });
  forgetGoneRequests(panel, view, (id) => id === "asked:1");
  chooseModeAfter(view, waits, "plan");
  setDraft(view, "feedback:asked:1", "Shorter");
  setDraft(view, "to:alice", "Half a letter");
  for (const field of ["reason", "command", "rule"]) setDraft(view, `${field}:old:${field}`, "No");
  for (let plan = 0; plan < 10; plan += 1) setDraft(view, commentKey(`gone:${plan}`, 3), "No");
  setDraft(view, commentKey("gone:0", 8), "Neither");
  const message = stateMessage({ attention: [waits] });
  if (message.type === "state") panel.value = message.state;
  const kept = ["mode:waits:1", "feedback:asked:1", "to:alice", "comment:gone:0:3"];
  const last = [3, 4, 5, 6, 7, 8, 9].map((plan) => `comment:gone:${plan}:3`);
  expect(Object.keys(view.drafts.value)).toEqual([...kept, ...last, "comment:gone:0:8"]);
});
