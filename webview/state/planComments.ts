import { effect, type ReadonlySignal } from "@preact/signals";
import type { AttentionItem, PanelState } from "../../src/protocol/panel.ts";
import { setDraft, type ViewState } from "./viewState.ts";

/** What the person wrote to one piece of a plan. `line`: where the piece begins in the plan, 1-based. */
export interface PlanComment {
  line: number;
  text: string;
}

type Plan = Extract<AttentionItem, { kind: "plan" }>;

const prefix = (request: string) => `comment:${request}:`;

/** Under what the comment to a line is kept among the drafts. */
export function commentKey(request: string, line: number): string {
  return prefix(request) + line;
}

/** The comments to a plan that wait to be sent, by line. Reading them subscribes. */
export function commentsOf(view: ViewState, request: string): PlanComment[] {
  return Object.entries(view.drafts.value)
    .filter(([key, text]) => key.startsWith(prefix(request)) && text.trim() !== "")
    .map(([key, text]) => ({ line: Number(key.slice(prefix(request).length)), text: text.trim() }))
    .sort((one, other) => one.line - other.line);
}

/** The longest quote of a line, in characters: it only has to be found again. */
const MAX_QUOTE = 200;

/** Comments as the member reads them: each under the line that it is about, quoted from the plan. */
export function feedbackOf({ plan }: Pick<Plan, "plan">, comments: readonly PlanComment[]): string {
  const lines = plan.split(/\r?\n/);
  return comments
    .map(({ line, text }) => {
      const quoted = (lines[line - 1] ?? "").trim();
      const quote = quoted.length > MAX_QUOTE ? `${quoted.slice(0, MAX_QUOTE)}…` : quoted;
      return `Line ${line}:\n> ${quote}\n${text}`;
    })
    .join("\n\n");
}

/** Forgets the comments to plans that waited and do not wait any more. */
export function forgetDecidedPlans(panel: ReadonlySignal<PanelState>, view: ViewState): void {
  let waited: readonly string[] = [];
  effect(() => {
    const state = panel.value;
    if (state.screen !== "team") return;
    const waits = state.attention.filter(({ kind }) => kind === "plan").map(({ id }) => id);
    const gone = waited.filter((id) => !waits.includes(id));
    waited = waits;
    for (const id of gone)
      for (const key of Object.keys(view.drafts.peek())) if (key.startsWith(prefix(id))) setDraft(view, key, "");
  });
}
