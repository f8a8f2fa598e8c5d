import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { type QueueRow, rowsOf } from "../state/alike.ts";
import type { WithdrawnRow } from "../state/withdrawn.ts";
import { Icon } from "../ui/icon.tsx";
import { moveFocus, useTabStop } from "../ui/roving.ts";
import { AlikeRequests } from "./alikeRequests.tsx";
import { Request } from "./request.tsx";
import { WithdrawnRequest } from "./withdrawnRequest.tsx";

/** Height of the heading that sticks, in pixels. */
const HEADING = 28;

/** *Needs you*: what waits for a decision or an answer, oldest first. `elsewhere`: what waits is not to be seen here. */
export function Attention({ elsewhere, onBack }: { elsewhere: boolean; onBack: () => void }) {
  const { queue } = useModel();
  const items = queue.items.value;
  useKeptFocus(items.map(({ id }) => id));
  const rows = useRows(items);
  const [list, away] = useScrolledAway(items.length > 0);
  useTabStop(list, ".req-head");
  const gone = queue.withdrawn.rows.value;
  if (items.length === 0)
    return (
      <>
        {!elsewhere && (
          <p class="quiet needs-none">
            <Icon name="check" />
            {t("nothingWaits")}
          </p>
        )}
        {gone.length > 0 && (
          <ul>
            {gone.map((row) => (
              <WithdrawnRequest key={row.item.id} row={row} />
            ))}
          </ul>
        )}
      </>
    );
  const focused = queue.openId.value ?? items[0]?.id;
  return (
    <section class="needs" aria-labelledby="needs-title">
      <h2 class="section-title needs-title">
        <button type="button" id="needs-title" title={t("backToRequests")} onClick={onBack}>
          <span>{t("needsYou")}</span>
          <span class="badge" role="img" aria-label={count("waiting", items.length)}>
            {items.length}
          </span>
          {away && <span class="needs-now">{items[0]?.title}</span>}
        </button>
      </h2>
      <ol ref={list} class="needs-list" onKeyDown={(event) => moveFocus(event, ".req-head", "vertical")}>
        {withGone(rows, gone).map((row) =>
          "why" in row ? (
            <WithdrawnRequest key={row.item.id} row={row} />
          ) : "item" in row ? (
            <Request key={row.key} item={row.item} first={row.item.id === focused} />
          ) : (
            <AlikeRequests key={row.key} alike={row.alike} first={row.alike.some(({ id }) => id === focused)} />
          ),
        )}
      </ol>
    </section>
  );
}

/** The rows with what was withdrawn in its place among them, so that nothing moves. */
function withGone(rows: readonly QueueRow[], gone: readonly WithdrawnRow[]): (QueueRow | WithdrawnRow)[] {
  const since = (row: QueueRow | WithdrawnRow) => ("alike" in row ? row.alike[0] : row.item)?.createdAt ?? 0;
  return gone.length === 0 ? [...rows] : [...rows, ...gone].sort((one, other) => since(one) - since(other));
}

/** The rows of the queue. What comes while a row is open does not change that row. */
function useRows(items: readonly AttentionItem[]): QueueRow[] {
  const { queue, view } = useModel();
  const [kept] = useState(() => view.field.peek()); // open with its field since before a reload: it stays alone
  const open = useRef<readonly string[]>(kept ? [kept.id] : []);
  const openId = queue.openId.value;
  if (openId === null || !open.current.includes(openId)) open.current = [];
  const apart = (key: string) => view.expansion.isOpen(key);
  const rows = rowsOf(items, { apart, open: open.current });
  const shown = rows.map((row) => ("item" in row ? [row.item.id] : row.alike.map(({ id }) => id)));
  open.current = shown.find((ids) => openId !== null && ids.includes(openId)) ?? [];
  return rows;
}

/** Whether the list is above what can be seen, so that only the heading that sticks is left of it. */
function useScrolledAway(there: boolean): [RefObject<HTMLOListElement | null>, boolean] {
  const list = useRef<HTMLOListElement>(null);
  const [away, setAway] = useState(false);
  useLayoutEffect(() => {
    const element = list.current;
    if (!there || !element) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry && setAway(!entry.isIntersecting && entry.boundingClientRect.top < 0),
      { root: element.closest(".scroller"), rootMargin: `-${HEADING}px 0px 0px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [there]);
  return [list, away];
}

/**
 * Where the focus goes when the request that has it goes: after what the person did to the next title, or to the tabs.
 * When it went by itself, to nothing that decides: to what was being typed for it, else to the heading, or to the tabs.
 */
function useKeptFocus(ids: readonly string[]): void {
  const { focus, queue } = useModel();
  const held = useRef<{ id: string; place: number } | null>(null);
  useLayoutEffect(() => {
    const before = held.current;
    if (before && !ids.includes(before.id) && document.activeElement === document.body && document.hasFocus()) {
      held.current = null;
      const next = ids[Math.min(before.place, ids.length - 1)];
      const typed = document.querySelector<HTMLElement>(`[data-gone="${CSS.escape(before.id)}"] textarea`);
      if (!typed && next !== undefined && queue.wentByPerson(before.id)) focus.value = { kind: "request", id: next };
      else if (typed || next !== undefined) (typed ?? document.getElementById("needs-title"))?.focus();
      else focus.value = { kind: "tab" };
    }
  });
  useLayoutEffect(() => {
    const remember = () => {
      const id = document.activeElement?.closest<HTMLElement>("[data-request]")?.dataset["request"];
      const all = [...document.querySelectorAll<HTMLElement>("[data-request]")].map((row) => row.dataset["request"]);
      held.current = id === undefined ? null : { id, place: all.indexOf(id) };
    };
    // Who presses beside the requests has left them.
    const forget = (event: Event) => {
      if (event.target instanceof Element && !event.target.closest("[data-request]")) held.current = null;
    };
    document.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget);
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
    };
  }, []);
}
