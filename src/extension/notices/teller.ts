import type { AttentionItem, TeamScreen } from "../../protocol/panel.ts";
import { askerOf } from "../requests/requestChoices.ts";

/** What a notification says. `count`: how many things wait that were not told before; `text` is of the first. */
export type Notice =
  | { kind: "waits"; text: string; count: number }
  | { kind: "finished"; title: string; completed: number; total: number };

/** What of a team's state was told, so that nothing is told twice. */
export interface Teller {
  /**
   * What is to be told now, or null. It counts as told. `inFront`: the person looks at the window, where the panel shows
   * that a team has finished.
   */
  next(state: TeamScreen | null, inFront: boolean): Notice | null;
}

/** Remembers what was told. A team that had finished before it was shown is no news. */
export function createTeller(): Teller {
  const told = new Set<string>();
  /** The key of the team that was on show and had not finished: another one may have its title. */
  let running: string | null = null;
  return {
    next(state, inFront) {
      const ended = state?.finished != null && running === state.team;
      running = state && !state.finished ? state.team : null;
      const fresh = state?.attention.filter(({ id }) => !told.has(id)) ?? [];
      for (const { id } of fresh) told.add(id);
      const [first] = fresh;
      if (first) return { kind: "waits", text: textOf(first), count: fresh.length };
      if (!ended || inFront || !state.finished) return null;
      return { kind: "finished", title: state.title, ...state.finished.tasks };
    },
  };
}

function textOf(item: AttentionItem): string {
  const asker = askerOf(item);
  return asker === null ? item.title : `${asker}: ${item.title}`;
}
