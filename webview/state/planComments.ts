import { effect, type ReadonlySignal } from "@preact/signals";
import type { Intent } from "../../src/protocol/intents.ts";
import type { PermissionMode } from "../../src/protocol/mode.ts";
import type { PanelState, PlanItem } from "../../src/protocol/panel.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { setDraft, type ViewState } from "./viewState.ts";

/** What the person wrote to one piece of a plan. `line`: where the piece begins in the plan, 1-based. */
export interface PlanComment {
  line: number;
  text: string;
}

const prefix = (request: string) => `comment:${request}:`;

/** Under what the comment to a line is kept among the drafts. */
export function commentKey(request: string, line: number): string {
  return prefix(request) + line;
}

const modeKey = (request: string) => `mode:${request}`;

/** The mode for after a plan's approval: what the person chose, if it can be had, else what the host preselects. */
export function modeAfter(view: ViewState, { id, modes, afterMode }: PlanItem): PermissionMode {
  const chosen = view.drafts.value[modeKey(id)];
  return modes.find((mode) => mode === chosen) ?? afterMode;
}

/** Keeps the mode that the person chose for after a plan's approval. */
export function chooseModeAfter(view: ViewState, { id }: PlanItem, mode: PermissionMode): void {
  setDraft(view, modeKey(id), mode);
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
export function feedbackOf({ plan }: Pick<PlanItem, "plan">, comments: readonly PlanComment[]): string {
  const lines = plan.split(/\r?\n/);
  return comments
    .map(({ line, text }) => {
      const quoted = (lines[line - 1] ?? "").trim();
      const quote = quoted.length > MAX_QUOTE ? `${quoted.slice(0, MAX_QUOTE)}…` : quoted;
      return `Line ${line}:\n> ${quote}\n${text}`;
    })
    .join("\n\n");
}

/** Forgets what was typed and chosen for a request that is settled. */
export function forgetRequest(view: ViewState, request: string): void {
  const own = new Set([
    ...["reason", "feedback", "command", "rule"].map((field) => `${field}:${request}`),
    modeKey(request),
  ]);
  for (const key of Object.keys(view.drafts.peek()))
    if (own.has(key) || key.startsWith(prefix(request))) setDraft(view, key, "");
}

/** Of so many requests that do not wait what was typed is kept: one may be asked again under its id. */
const MOST_GONE = 8;

/**
 * Forgets what was typed and chosen for requests that do not wait, but for those written to last. `isAsked`: a decision
 * is not answered yet, and the request may come again.
 */
export function forgetGoneRequests(
  panel: ReadonlySignal<PanelState>,
  view: ViewState,
  isAsked: (request: string) => boolean,
): void {
  effect(() => {
    const state = panel.value;
    if (state.screen !== "team") return;
    const waits = state.attention.map(({ id }) => id);
    const gone = requestsWrittenTo(view).filter((id) => !waits.includes(id) && !isAsked(id));
    for (const id of gone.slice(0, -MOST_GONE)) forgetRequest(view, id);
  });
}

/** The requests for which something was typed or chosen: the one where that was done last comes last. */
function requestsWrittenTo(view: ViewState): string[] {
  const requests = Object.keys(view.drafts.peek()).flatMap(
    (key) =>
      /^(?:comment:(.+):\d+|(?:reason|feedback|command|rule|mode):(.+))$/.exec(key)?.slice(1).find(Boolean) ?? [],
  );
  return [...new Set(requests.reverse())].reverse();
}

type PlanDrafts = Extract<HostMessage, { type: "planDrafts" }>;
type Drafts = Readonly<Record<string, string>>;

/**
 * Tells the host what is typed to plans that wait, and takes up what is typed in the other view: the host keeps it for
 * both. Nothing is told before the host has said what it knows. Gives what takes a message of the host.
 */
export function sharePlanDrafts(
  panel: ReadonlySignal<PanelState>,
  view: ViewState,
  post: (intent: Intent) => void,
): (message: PlanDrafts) => void {
  /** As the host knows them, by plan. */
  let known: ReadonlyMap<string, Drafts> | null = null;
  let team: string | null = null;
  const takeUp = (plans: Iterable<[string, Drafts]>) => {
    let drafts = view.drafts.peek();
    for (const [request, texts] of plans) drafts = { ...without(drafts, ofPlan(drafts, request)), ...texts };
    view.drafts.value = drafts;
  };
  effect(() => {
    const state = panel.value;
    void view.drafts.value;
    if (!known || state.screen !== "team") return;
    if (state.team !== team) {
      team = state.team; // what was typed was forgotten with the team before it
      takeUp(known);
    }
    const drafts = view.drafts.peek();
    for (const { id, kind } of state.attention) {
      if (kind !== "plan") continue;
      const before = known.get(id) ?? {};
      const now = ofPlan(drafts, id);
      known = new Map(known).set(id, now);
      for (const key of new Set([...Object.keys(before), ...Object.keys(now)]))
        if (before[key] !== now[key])
          post({ type: "draftToPlan", request: id, line: lineOf(id, key), text: now[key] ?? "" });
    }
  });
  return ({ plans }) => {
    const news = plans.map(({ request, drafts }): [string, Drafts] => [
      request,
      Object.fromEntries(drafts.map(({ line, text }) => [keyOf(request, line), text])),
    ]);
    known = new Map([...(known ?? []), ...news]);
    takeUp(news);
  };
}

/** Under what a draft to a plan is kept. */
function keyOf(request: string, line: number | null): string {
  return line === null ? `feedback:${request}` : commentKey(request, line);
}

function lineOf(request: string, key: string): number | null {
  return key === keyOf(request, null) ? null : Number(key.slice(prefix(request).length));
}

function ofPlan(drafts: Drafts, request: string): Drafts {
  const own = Object.entries(drafts).filter(([key]) => key === keyOf(request, null) || key.startsWith(prefix(request)));
  return Object.fromEntries(own);
}

function without(drafts: Drafts, others: Drafts): Drafts {
  return Object.fromEntries(Object.entries(drafts).filter(([key]) => !(key in others)));
}
