import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Intent } from "../../src/protocol/intents.ts";
import type { AttentionItem, PanelState } from "../../src/protocol/panel.ts";
import type { Decision } from "../../src/protocol/request.ts";
import { count, t } from "../l10n.ts";
import { teamOf } from "./hostData.ts";
import { createOwnActs, type OwnActs } from "./ownActs.ts";
import { forgetGoneRequests, forgetRequest } from "./planComments.ts";
import type { OpenField, ViewState } from "./viewState.ts";
import { createWithdrawn, type Withdrawn } from "./withdrawn.ts";

/** The requests that wait, which one is open, and what was decided here. */
export interface RequestQueue {
  /** Oldest first, without those that were decided here and are still on their way. */
  readonly items: ReadonlySignal<readonly AttentionItem[]>;
  readonly openId: ReadonlySignal<string | null>;
  /** The request whose buttons do nothing yet, because it has just come to where another one was. */
  readonly inertId: ReadonlySignal<string | null>;
  readonly field: ReadonlySignal<OpenField | null>;
  /** Sentences of decisions that failed, by request. */
  readonly errors: ReadonlySignal<ReadonlyMap<string, string>>;
  readonly withdrawn: Pick<Withdrawn, "rows" | "dismiss">;
  /** To be called with each state before it is shown: what goes by itself while it is open opens no other. */
  readonly receive: (state: PanelState) => void;
  readonly watched: OwnActs["watched"];
  /** Whether a request that has gone went because of what the person did here. */
  readonly wentByPerson: OwnActs["includes"];
  /** The person opens or closes a request. */
  readonly toggle: (id: string) => void;
  /** Opens a request because the person asked for it elsewhere. */
  readonly open: (id: string) => void;
  readonly showField: (id: string, field: OpenField["field"] | null) => void;
  /** Decides; gives the request that takes its place (null: none is left), or undefined while its buttons are inert. */
  readonly decide: (item: AttentionItem, decision: Decision) => AttentionItem | null | undefined;
  /** Decides several at once in the same way; gives as `decide` does for the last of them. */
  readonly decideAll: (items: readonly AttentionItem[], decision: Decision) => AttentionItem | null | undefined;
  /** What became of a decision. Gives the request that failed and is shown again, with what was typed for it. */
  readonly settle: (intent: string, error: string | null) => AttentionItem | undefined;
}

/** How many requests still wait, as a sentence. */
export function leftOf({ items }: Pick<RequestQueue, "items">): string {
  const left = items.peek().length;
  return left === 0 ? t("noneLeft") : count("left", left);
}

/** For how long buttons do nothing after a request has come to the place of another, in milliseconds. */
const INERT_MS = 500;

/** A decision that had no effect for this long is shown as open again, in milliseconds. */
const UNANSWERED_MS = 10_000;

/** The queue over the panel's requests; what is open lives in `view`, decisions go out through `post`. */
export function createRequestQueue(
  panel: ReadonlySignal<PanelState>,
  view: ViewState,
  post: (intent: Intent) => void,
): RequestQueue {
  const decided = signal<ReadonlyMap<string, string>>(new Map());
  const errors = signal<ReadonlyMap<string, string>>(new Map());
  const { field } = view;

  const waiting = computed(() => (panel.value.screen === "team" ? panel.value.attention : []));
  const items = computed(() => waiting.value.filter(({ id }) => !decided.value.has(id)));
  const openId = computed(() => openOf(items.value, view));
  const inert = createInertness(items, openId);
  const answers = createAnswers(decided, errors, view);
  forgetWhatIsGone(waiting, decided);
  forgetGoneRequests(panel, view, answers.isAsked);
  const withdrawn = createWithdrawn(panel, { items, field }, view);
  const acts = createOwnActs(items);

  const open = (id: string) => {
    inert.personMoves();
    view.openRequest.value = id;
    view.closedRequests.value = view.closedRequests.peek().filter((other) => other !== id);
  };

  const decide: RequestQueue["decide"] = (item, decision) => {
    if (inert.id.peek() === item.id || decided.peek().has(item.id)) return undefined;
    const place = items.peek().findIndex(({ id }) => id === item.id);
    const intent = crypto.randomUUID();
    acts.decided(item.id);
    const next = batch(() => {
      closeField(view, item.id);
      errors.value = without(errors.peek(), item.id);
      decided.value = new Map(decided.peek()).set(item.id, intent);
      const taker = items.peek()[Math.min(place, items.peek().length - 1)] ?? null;
      view.openRequest.value = taker?.id ?? null;
      return taker;
    });
    answers.await(intent, item);
    post({ type: "decide", intent, request: item.id, decision });
    return next;
  };

  return {
    items,
    openId,
    inertId: inert.id,
    field,
    errors,
    withdrawn,
    receive: (state) => {
      withdrawn.receive(state);
      if (state.screen !== "team" || state.team !== teamOf(panel.peek())) return;
      const waits = state.attention.filter(({ id }) => !decided.peek().has(id));
      keepOpened(openId.peek(), waits, view, acts);
    },
    watched: acts.watched,
    wentByPerson: acts.includes,
    open,
    toggle: (id) => {
      closeField(view, openId.peek());
      if (openId.peek() !== id) return open(id);
      inert.personMoves();
      closeAll(items.peek(), view);
    },
    showField: (id, name) => {
      if (inert.id.peek() !== id) openField(view, id, name);
    },
    decide,
    decideAll: allWith(decide, (id) => inert.id.peek() === id),
    settle: answers.settle,
  };
}

/** What becomes of decisions. Until one is answered, its request may go and come again, and what was typed is kept. */
function createAnswers(
  decided: Signal<ReadonlyMap<string, string>>,
  errors: Signal<ReadonlyMap<string, string>>,
  view: ViewState,
) {
  const asked = new Map<string, AttentionItem>();
  const giveBack = ({ id }: AttentionItem, error: string) =>
    batch(() => {
      decided.value = without(decided.peek(), id);
      errors.value = new Map(errors.peek()).set(id, error);
    });
  return {
    isAsked: (request: string) => [...asked.values()].some(({ id }) => id === request),
    await: (intent: string, item: AttentionItem) => {
      asked.set(intent, item);
      setTimeout(() => {
        if (decided.peek().get(item.id) === intent) giveBack(item, t("noAnswer"));
      }, UNANSWERED_MS);
    },
    settle: (intent: string, error: string | null) => {
      const item = asked.get(intent);
      asked.delete(intent);
      if (!item) return undefined;
      if (error === null) {
        forgetRequest(view, item.id);
        return undefined;
      }
      giveBack(item, error);
      return item;
    },
  };
}

/** None is open, and the oldest does not open in the stead of the one that was. */
function closeAll(items: readonly AttentionItem[], view: ViewState): void {
  view.openRequest.value = null;
  view.closedRequests.value = items.map(({ id }) => id);
}

/** Opens a field, or closes the open one. */
function openField(view: ViewState, id: string, field: OpenField["field"] | null): void {
  view.field.value = field && { id, field, asked: true };
  view.openRequest.value = id; // by name: after a reload the oldest may be another one
}

/** Closes the field of `opened`; one that was open before a reload waits for the person to come to its request. */
function closeField(view: ViewState, opened: string | null): void {
  const field = view.field.peek();
  if (field?.asked || field?.id === opened) view.field.value = null;
}

/** What is open stays open though an older one comes; where it goes by itself, none opens in its stead. */
function keepOpened(
  opened: string | null,
  waits: readonly AttentionItem[],
  view: ViewState,
  acts: Pick<OwnActs, "includes">,
): void {
  if (opened === null) return;
  if (waits.some(({ id }) => id === opened)) view.openRequest.value = opened;
  else if (!acts.includes(opened)) closeAll(waits, view);
}

/** What comes to the place of one that is decided here is decided with it: nothing becomes inert in between. */
function allWith(decide: RequestQueue["decide"], isInert: (id: string) => boolean): RequestQueue["decideAll"] {
  return (all, decision) =>
    all.some(({ id }) => isInert(id))
      ? undefined
      : batch(() => all.reduce<ReturnType<typeof decide>>((_, item) => decide(item, decision), undefined));
}

/** The one that the person opened; else the oldest, unless the person closed it. */
function openOf(items: readonly AttentionItem[], view: ViewState): string | null {
  const chosen = view.openRequest.value;
  if (chosen !== null && items.some(({ id }) => id === chosen)) return chosen;
  const oldest = items[0]?.id ?? null;
  return oldest !== null && view.closedRequests.value.includes(oldest) ? null : oldest;
}

/** Buttons that came or moved without the person having asked for it do nothing for a while; a new warning moves them. */
function createInertness(items: ReadonlySignal<readonly AttentionItem[]>, openId: ReadonlySignal<string | null>) {
  const id = signal<string | null>(null);
  let timer: ReturnType<typeof setTimeout> | null = null;
  let byPerson = false;
  let before: { id: string | null; place: number; warnings: number } = { id: null, place: -1, warnings: 0 };
  effect(() => {
    const place = items.value.findIndex((item) => item.id === openId.value);
    const now = { id: openId.value, place, warnings: warningsOf(items.value[place]) };
    const moved = now.id !== before.id || now.place !== before.place || now.warnings !== before.warnings;
    before = now;
    if (!moved || byPerson) return;
    if (timer !== null) clearTimeout(timer);
    id.value = now.id;
    timer = setTimeout(() => {
      id.value = null;
    }, INERT_MS);
  });
  return {
    id,
    /** What opens in this task was opened by the person. */
    personMoves: () => {
      byPerson = true;
      queueMicrotask(() => {
        byPerson = false;
      });
    },
  };
}

function warningsOf(item: AttentionItem | undefined): number {
  return item?.kind === "permission" ? item.warnings.length : 0;
}

/** Forgets decisions whose requests the host no longer has, so that the list does not grow. */
function forgetWhatIsGone(
  waiting: ReadonlySignal<readonly AttentionItem[]>,
  decided: { peek(): ReadonlyMap<string, string>; value: ReadonlyMap<string, string> },
): void {
  effect(() => {
    const there = new Set(waiting.value.map(({ id }) => id));
    const left = new Map([...decided.peek()].filter(([id]) => there.has(id)));
    if (left.size !== decided.peek().size) decided.value = left;
  });
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
