import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { AttentionItem, PanelState, WithdrawnRequest } from "../../src/protocol/panel.ts";
import { forgetRequest } from "./planComments.ts";
import type { RequestQueue } from "./requestQueue.ts";
import type { ViewState } from "./viewState.ts";

/** A request that was seen here and waits no more. `typed`: what stood in its open field, empty where nothing did. */
export interface WithdrawnRow {
  item: AttentionItem;
  why: WithdrawnRequest["why"];
  typed: string;
}

/**
 * Requests that went while they were on show, until the person dismisses them or the view is loaded anew: those that were
 * withdrawn, and those for which something was being typed.
 */
export interface Withdrawn {
  readonly rows: ReadonlySignal<readonly WithdrawnRow[]>;
  /** The state that is about to be shown. */
  readonly receive: (state: PanelState) => void;
  readonly dismiss: (id: string) => void;
}

/** Nothing is withdrawn yet. `panel`: what is on show. */
export function createWithdrawn(
  panel: ReadonlySignal<PanelState>,
  { items, field }: Pick<RequestQueue, "items" | "field">,
  view: ViewState,
): Withdrawn {
  const gone = signal<readonly Omit<WithdrawnRow, "why">[]>([]);
  const typedFor = (id: string) => {
    const open = field.peek();
    return open?.id === id ? (view.drafts.peek()[`${open.field}:${id}`] ?? "").trim() : "";
  };
  return {
    rows: computed(() =>
      gone.value.map((row) => ({
        ...row,
        why: withdrawnIn(panel.value).find(({ id }) => id === row.item.id)?.why ?? "other",
      })),
    ),
    receive(state) {
      const before = panel.peek();
      const same = before.screen === "team" && state.screen === "team" && before.team === state.team;
      if (!same || state.finished) {
        gone.value = [];
        return;
      }
      const waits = new Set(state.attention.map(({ id }) => id));
      const withdrawn = new Set(withdrawnIn(state).map(({ id }) => id));
      const fresh = items
        .peek()
        .map((item) => ({ item, typed: typedFor(item.id) }))
        .filter(({ item: { id }, typed }) => !waits.has(id) && (withdrawn.has(id) || typed !== ""));
      const left = gone.peek().filter(({ item }) => !waits.has(item.id)); // one that is asked again waits as before
      gone.value = [...left, ...fresh];
    },
    dismiss: (id) => {
      gone.value = gone.peek().filter(({ item }) => item.id !== id);
      forgetRequest(view, id);
    },
  };
}

function withdrawnIn(state: PanelState): readonly WithdrawnRequest[] {
  return state.screen === "team" ? (state.withdrawn ?? []) : [];
}
