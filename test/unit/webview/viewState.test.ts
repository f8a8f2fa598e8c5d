import { expect, it } from "vitest";
import { createViewState, forgetTeam, giveBackDraft, setDraft } from "../../../webview/state/viewState.ts";

const image = (name: string) => ({ name, data: "AA==" });

it("what was not taken stands before what was typed since", () => {
  const view = createViewState(null);
  forgetTeam(view, "one");
  setDraft(view, "to:alice", "typed since");
  giveBackDraft(view, "one", "to:alice", { text: "sent", images: [image("a.png")] });
  expect(view.drafts.value).toEqual({ "to:alice": "sent\ntyped since" });
  expect(view.images.value).toEqual({ "to:alice": [image("a.png")] });
});

it("what was not taken comes back to the team that it was for, not to the one on show", () => {
  const view = createViewState(null);
  forgetTeam(view, "one");
  setDraft(view, "to:team-lead", "typed since");
  forgetTeam(view, "two");
  setDraft(view, "to:team-lead", "for two");
  giveBackDraft(view, "one", "to:team-lead", { text: "sent", images: [] });
  expect(view.drafts.value).toEqual({ "to:team-lead": "for two" });
  forgetTeam(view, "one");
  expect(view.drafts.value).toEqual({ "to:team-lead": "sent\ntyped since" });
});
