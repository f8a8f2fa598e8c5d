import type { RefObject } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Intent } from "../../src/protocol/intents.ts";
import type { MemberRef, MemberRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { count, t } from "../l10n.ts";
import { ColumnContext, useModel } from "../model.ts";
import type { ConversationStore, Entry } from "../state/conversationStore.ts";
import type { ViewState } from "../state/viewState.ts";
import { type DrawnRows, isSeen, type RowSource, useDrawnRows } from "../ui/drawnRows.ts";
import { bringToView, markFound, unmarkFound } from "../ui/foundText.ts";
import { Markdown, SPOKEN } from "../ui/markdown.tsx";
import { Who } from "../ui/who.tsx";
import { groupKey, Item, itemKey, ToolGroup } from "./conversationItem.tsx";
import { FindBar, FindButton, useFindKey } from "./findBar.tsx";
import { MemberHead } from "./memberHead.tsx";
import { Queued } from "./queued.tsx";
import { QuietlyWaits, Waits } from "./waits.tsx";

/** Items that are drawn before more are asked for; fewer where several conversations stand side by side. */
const STEP = 60;
const STEP_IN_COLUMN = 20;
/** From this number on, finished tools in a row are one line. */
const GROUP_FROM = 3;
/** A run of more is several lines. */
const MOST_IN_GROUP = 40;

/** What the chosen member has read, written and done, and what it is writing now. */
export function Conversation({ rows, readOnly }: { rows: readonly MemberRow[]; readOnly: boolean }) {
  const { member, find, queue, focus } = useModel();
  const who = member.value;
  const name = who?.name;
  useFindKey(find.open);
  useEffect(() => () => find.isOpen.peek() && find.close(), [find]);
  if (!who) return null;
  const row = rows.find((other) => other.name === name);
  const review = (id: string) => {
    queue.open(id);
    focus.value = { kind: "request", id };
  };
  return (
    <>
      {row ? (
        <MemberHead row={row} readOnly={readOnly}>
          <FindButton />
        </MemberHead>
      ) : (
        <header class="head">
          <Who member={who} class="head-who" />
          <span class="head-facts" />
          <span class="head-actions">
            <FindButton />
          </span>
        </header>
      )}
      {find.isOpen.value && <FindBar />}
      <Items key={name} who={who} />
      {row && <QuietlyWaits row={row} />}
      {row?.state === "waiting" && <Waits row={row} onReview={review} />}
    </>
  );
}

/** What `who` has read, written and done. */
export function Items({ who }: { who: MemberRef }) {
  const { data, post, view } = useModel();
  const column = useContext(ColumnContext);
  const member = who.name;
  const step = column === undefined ? STEP : STEP_IN_COLUMN;
  const box = useRef<HTMLDivElement>(null);
  const store = data.conversation(member);
  const rows = useDrawnRows(box, rowsOf(store), {
    step,
    holds: () => readsAboveEnd(box.current, view),
    onFull: (excess) => foldUnseen(box.current, view, excess),
  });
  useEnd(rows);
  const groups = grouped(store.slice(rows.from, rows.to));
  const earlier = Math.min(step, rows.from + store.earlier.value);
  const later = Math.min(step, store.length - rows.to);
  const streaming = store.streaming.value;
  const drawn = { member, store, groups, include: (seq: number) => rows.include(store.length - store.countFrom(seq)) };
  useReadItem(drawn);
  useFoundItem(drawn, box);
  useWantedItem(drawn, box);
  const queued = store.queued.value;
  if (store.length === 0 && streaming === "" && queued.length === 0)
    return <p class="quiet tab-empty">{t("noConversation", nameOf(who))}</p>;
  const showEarlier = () => {
    rows.showEarlier();
    if (rows.from < step && store.earlier.peek() > 0 && store.first !== null)
      post({ type: "showEarlier", before: store.first, member: column });
  };
  return (
    <div class="conv" ref={box}>
      {earlier > 0 && (
        <button type="button" class="link" onClick={showEarlier}>
          {count("earlier", earlier)}
        </button>
      )}
      {groups.flatMap((group) =>
        group.length >= GROUP_FROM
          ? [<ToolGroup key={`g${group[0]?.seq}`} member={member} entries={group} />]
          : group.map((entry) => <Item key={entry.seq} member={member} entry={entry} />),
      )}
      {later > 0 && (
        <button type="button" class="link" onClick={rows.showLater}>
          {count("later", later)}
        </button>
      )}
      {later === 0 && streaming !== "" && <Streaming text={streaming} />}
      {queued.length > 0 && <Queued member={member} messages={queued} />}
    </div>
  );
}

function rowsOf(store: ConversationStore): RowSource {
  return {
    total: store.length,
    keyAt: (index) => store.seqAt(index)?.toString(),
    indexOf: (key) => store.length - store.countFrom(Number(key)),
  };
}

/** Whether the person has left the end, to read. */
function readsAboveEnd(box: HTMLElement | null, { scroll }: ViewState): boolean {
  const column = box?.closest(".bd-col-body");
  return column ? column.scrollTop <= -1 : scroll.peek().follow === "free"; // a column scrolls from its end backwards
}

/** The newest items are drawn when the person goes to the end. */
function useEnd({ showEnd }: DrawnRows): void {
  const { view } = useModel();
  const went = view.wentToEnd.value;
  const before = useRef(went);
  useLayoutEffect(() => {
    if (before.current !== went) showEnd();
    before.current = went;
  }, [went]);
}

/** Closes tools that are open where they cannot be seen, until so many elements are gone. */
function foldUnseen(box: HTMLElement | null, { expansion }: ViewState, excess: number): void {
  let left = excess;
  for (const detail of box?.querySelectorAll(".tool-detail") ?? []) {
    const key = detail.closest<HTMLElement>("[data-key]")?.dataset["key"];
    if (left <= 0) return;
    if (key === undefined || isSeen(detail) || detail.contains(document.activeElement)) continue;
    left -= detail.getElementsByTagName("*").length + 1;
    expansion.set(key, false);
  }
}

interface Drawn {
  member: string;
  store: ConversationStore;
  groups: readonly (readonly Entry[])[];
  /** Draws the item at this place. */
  include: (seq: number) => void;
}

/** After a reload or another tab, the item that was read is drawn, however much has come meanwhile. */
function useReadItem(drawn: Drawn): void {
  const { view, post } = useModel();
  const { member, store } = drawn;
  const wanted = useRef(view.readItem.peek());
  useLayoutEffect(() => {
    const item = wanted.current;
    if (!item || store.first === null) return;
    const isLeft = item.member !== member || view.scroll.peek().follow !== "free";
    if (isLeft || item.seq >= store.first || store.earlier.peek() === 0) wanted.current = null;
    if (!isLeft) draw(drawn, item.seq, post);
  }, [store.length]);
}

/** Has the item at this place sent if it was not, else drawn. */
function draw({ store, include }: Drawn, seq: number, post: (intent: Intent) => void): void {
  if (store.first === null || seq >= store.first) include(seq);
  else post({ type: "showEarlier", before: store.first, from: Math.max(0, seq - STEP / 2) });
}

/** Brings the chosen match to be seen: its item is sent, drawn and opened if it was not, and every match is marked. */
function useFoundItem({ member, store, groups, include }: Drawn, box: RefObject<HTMLElement | null>): void {
  const { find, view } = useModel();
  const match = find.match.value;
  const text = find.text.value;
  const isOpen = find.isOpen.value;
  const shown = isOpen ? `${view.expansion.version.value} ${store.length}` : "";
  const moved = useRef<typeof match>(null);
  useEffect(() => {
    if (isOpen) find.again();
  }, [find, isOpen]);
  useDrawnItem({ member, store, groups, include }, match?.seq ?? null);
  useEffect(() => {
    if (!isOpen || !box.current) return undefined;
    const place = markFound(box.current, text, match);
    if (place && moved.current !== match) {
      moved.current = match;
      bringToView(place);
    }
    return unmarkFound;
  }, [isOpen, text, match, shown, groups]);
}

/** Leads to the item that is wanted, once it is there: its beginning is seen, and it has the focus. */
function useWantedItem(drawn: Drawn, box: RefObject<HTMLElement | null>): void {
  const { wantedItem } = useModel();
  const wanted = wantedItem.value?.member === drawn.member ? wantedItem.value : null;
  useDrawnItem(drawn, wanted?.seq ?? null);
  useEffect(() => {
    const item = wanted && box.current?.querySelector<HTMLElement>(`[data-seq="${wanted.seq}"]`);
    if (!item) return;
    wantedItem.value = null;
    item.tabIndex = -1;
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "start" });
  });
}

/** Has the item at this place sent, drawn and opened if it was not. */
function useDrawnItem(drawn: Drawn, seq: number | null): void {
  const { member, store, groups } = drawn;
  const { view, post } = useModel();
  useLayoutEffect(() => {
    if (seq === null || store.first === null) return;
    draw(drawn, seq, post);
    const group = groups.find((some) => some.length >= GROUP_FROM && some.some((entry) => entry.seq === seq));
    const rows = [itemKey(member, seq), `all:${itemKey(member, seq)}`];
    if (group) rows.push(groupKey(member, group[0]?.seq));
    for (const row of rows) if (!view.expansion.isOpen(row)) view.expansion.set(row, true);
  }, [seq, store.length, groups.length]);
}

/** Splits into single items and runs of tools that have ended. The last item stays by itself, so that it is seen. */
function grouped(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  let tools: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    const item = entry.item.value;
    if (item.type === "tool" && item.state !== "running" && index < entries.length - 1) {
      if (tools.length === MOST_IN_GROUP) groups.push(tools.splice(0));
      tools.push(entry);
      continue;
    }
    if (tools.length > 0) groups.push(tools);
    tools = [];
    groups.push([entry]);
  }
  if (tools.length > 0) groups.push(tools);
  return groups;
}

/** The reply that is being written. It is not live for screen readers; with reduced motion it comes in whole lines. */
function Streaming({ text }: { text: string }) {
  const still =
    document.body.classList.contains("vscode-reduce-motion") || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const shown = still ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  return (
    <div class="conv-streaming">
      <Markdown text={shown} style={SPOKEN} />
    </div>
  );
}
