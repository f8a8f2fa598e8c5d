import * as z from "zod";
import type { PlanDraft } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";

/** Under this name the window keeps them. */
const KEY = "muster.planDrafts";

const keptSchema = z.record(z.string(), z.array(z.object({ line: z.nullable(z.number()), text: z.string() })));

/** Of so many plans that do not wait what was typed is kept: one may be asked for again under its id. */
const MOST_GONE = 8;

/** A window's own memory (`vscode.Memento`). */
interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * What the person has typed to plans that wait and not sent. The view *Team* and the Team Board show the same, whichever
 * of them it was typed in, also after a reload.
 */
export class PlanDrafts {
  private readonly memory: Memory;
  private plans: ReadonlyMap<string, readonly PlanDraft[]>;

  constructor(memory: Memory) {
    this.memory = memory;
    this.plans = new Map(Object.entries(keptSchema.safeParse(memory.get(KEY)).data ?? {}));
  }

  /** Keeps a draft; an empty one is forgotten, and of plans other than `waiting` all but those written to last. */
  set(request: string, draft: PlanDraft, waiting: readonly string[]): void {
    const others = (this.plans.get(request) ?? []).filter(({ line }) => line !== draft.line);
    const own = draft.text === "" ? others : [...others, draft];
    const all = [...this.plans].filter(([id]) => id !== request);
    const gone = all.filter(([id]) => !waiting.includes(id)).slice(0, -MOST_GONE);
    this.plans = new Map([...all.filter((plan) => !gone.includes(plan)), [request, own]]);
    void this.memory.update(KEY, Object.fromEntries(this.plans));
  }

  /** For a view: of one plan, or of all of them. A plan without drafts is among them if it had some. */
  message(request?: string): Extract<HostMessage, { type: "planDrafts" }> {
    const plans = [...this.plans]
      .filter(([id]) => request === undefined || id === request)
      .map(([id, drafts]) => ({ request: id, drafts: [...drafts] }));
    return { type: "planDrafts", plans };
  }
}
