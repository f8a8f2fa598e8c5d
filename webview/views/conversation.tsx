import type { RefObject } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MemberRef, MemberRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { count, t } from "../l10n.ts";
import { ColumnContext, useModel } from "../model.ts";
import type { ConversationStore, Entry } from "../state/conversationStore.ts";
import { bringToView, markFound, unmarkFound } from "../ui/foundText.ts";
import { Markdown, SPOKEN } from "../ui/markdown.tsx";
import { Who } from "../ui/who.tsx";
import { groupKey, Item, itemKey, ToolGroup } from "./conversationItem.tsx";
import { FindBar, useFindKey } from "./findBar.tsx";
import { MemberHead } from "./memberHead.tsx";
import { shownState } from "./memberState.ts";
import { Queued } from "./queued.tsx";
import { QuietlyWaits, Waits } from "./waits.tsx";

/** Items that are drawn before more are asked for; fewer where several conversations stand side by side. */
const STEP = 60;
const STEP_IN_COLUMN = 20;
/** From this number on, finished tools in a row are one line. */
const GROUP_FROM = 3;

/** What the chosen member has read, written and done, and what it is writing now. */
export function Conversation({ rows, readOnly }: { rows: readonly MemberRow[]; readOnly: boolean }) {
  const { member, find, queue, focus } = useModel();
  const who = member.value;
  const name = who?.name;
  useFindKey(() => {
    find.open();
    document.querySelector<HTMLInputElement>(".find-bar input")?.select();
  });
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
        <MemberHead row={row} readOnly={readOnly} />
      ) : (
        <header class="head">
          <Who member={who} class="head-who" />
        </header>
      )}
      {find.isOpen.value && <FindBar />}
      <Items key={name} who={who} />
      {row && <QuietlyWaits row={row} />}
      {row && shownState(row) === "waiting" && <Waits row={row} onReview={review} />}
    </>
  );
}

/** What `who` has read, written and done. */
export function Items({ who }: { who: MemberRef }) {
  const { data, post } = useModel();
  const column = useContext(ColumnContext);
  const member = who.name;
  const step = column === undefined ? STEP : STEP_IN_COLUMN;
  const [limit, setLimit] = useState(step);
  const box = useRef<HTMLDivElement>(null);
  const store = data.conversation(member);
  const entries = store.last(limit);
  const groups = grouped(entries);
  const earlier = Math.min(step, store.length - entries.length + store.earlier.value);
  const streaming = store.streaming.value;
  const drawn = { member, store, groups, atLeast: (wanted: number) => setLimit((now) => Math.max(now, wanted)) };
  useFoundItem(drawn, box);
  useWantedItem(drawn, box);
  const queued = store.queued.value;
  if (entries.length === 0 && streaming === "" && queued.length === 0)
    return <p class="quiet tab-empty">{t("noConversation", nameOf(who))}</p>;
  const showEarlier = () => {
    setLimit(limit + step);
    if (store.length < limit + step && store.first !== null)
      post({ type: "showEarlier", before: store.first, member: column });
  };
  return (
    <div class="conv" ref={box}>
      {earlier > 0 && (
        <button type="button" class="link" onClick={showEarlier}>
          {count("earlier", earlier)}
        </button>
      )}
      {groups.map((group) =>
        group.length >= GROUP_FROM ? (
          <ToolGroup key={`g${group[0]?.seq}`} member={member} entries={group} />
        ) : (
          group.map((entry) => <Item key={entry.seq} member={member} entry={entry} />)
        ),
      )}
      {streaming !== "" && <Streaming text={streaming} />}
      {queued.length > 0 && <Queued member={member} messages={queued} />}
    </div>
  );
}

interface Drawn {
  member: string;
  store: ConversationStore;
  groups: readonly (readonly Entry[])[];
  /** Draws so many of the last items at least. */
  atLeast: (items: number) => void;
}

/** Brings the chosen match to be seen: its item is sent, drawn and opened if it was not, and every match is marked. */
function useFoundItem({ member, store, groups, atLeast }: Drawn, box: RefObject<HTMLElement | null>): void {
  const { find, view } = useModel();
  const match = find.match.value;
  const text = find.text.value;
  const isOpen = find.isOpen.value;
  const shown = isOpen ? `${view.expansion.version.value} ${store.length}` : "";
  const moved = useRef<typeof match>(null);
  useEffect(() => {
    if (isOpen) find.again();
  }, [find, isOpen]);
  useDrawnItem({ member, store, groups, atLeast }, match?.seq ?? null);
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
function useDrawnItem({ member, store, groups, atLeast }: Drawn, seq: number | null): void {
  const { view, post } = useModel();
  useLayoutEffect(() => {
    if (seq === null || store.first === null) return;
    if (seq < store.first) post({ type: "showEarlier", before: store.first, from: Math.max(0, seq - STEP / 2) });
    else atLeast(store.countFrom(seq) + 3);
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
