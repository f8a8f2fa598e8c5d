import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { AttentionItem, PanelState, WithdrawnRequest } from "../../src/protocol/panel.ts";
import type { RequestQueue } from "./requestQueue.ts";

/** A request that was seen here and was withdrawn since. */
export interface WithdrawnRow {
  item: AttentionItem;
  why: WithdrawnRequest["why"];
}

/** Requests that were withdrawn while they were on show, until the person dismisses them or the view is loaded anew. */
export interface Withdrawn {
  readonly rows: ReadonlySignal<readonly WithdrawnRow[]>;
  /** The state that is about to be shown. */
  readonly receive: (state: PanelState) => void;
  readonly dismiss: (id: string) => void;
}

/** Nothing is withdrawn yet. `panel`: what is on show; `closeAll` is called when the open request is withdrawn. */
export function createWithdrawn(
  panel: ReadonlySignal<PanelState>,
  { items, openId }: Pick<RequestQueue, "items" | "openId">,
  closeAll: () => void,
): Withdrawn {
  const gone = signal<readonly AttentionItem[]>([]);
  return {
    rows: computed(() =>
      gone.value.map((item) => ({
        item,
        why: withdrawnIn(panel.value).find(({ id }) => id === item.id)?.why ?? "other",
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
      const fresh = items.peek().filter(({ id }) => !waits.has(id) && withdrawn.has(id));
      const left = gone.peek().filter(({ id }) => !waits.has(id)); // one that is asked again waits as before
      gone.value = [...left, ...fresh];
      if (fresh.some(({ id }) => id === openId.peek())) closeAll();
    },
    dismiss: (id) => {
      gone.value = gone.peek().filter((item) => item.id !== id);
    },
  };
}

function withdrawnIn(state: PanelState): readonly WithdrawnRequest[] {
  return state.screen === "team" ? (state.withdrawn ?? []) : [];
}
