import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Thread } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { count, t } from "../l10n.ts";
import { type Model, useModel } from "../model.ts";
import { showItem } from "../navigation.ts";
import type { WantedMessage } from "../state/viewState.ts";
import { useFull } from "../ui/drawnRows.ts";
import { firstWords } from "../ui/firstWords.ts";
import { Icon } from "../ui/icon.tsx";
import { type ReadingPlace, useReadingPlace } from "../ui/readingPlace.ts";
import { moveFocus, useTabStop } from "../ui/roving.ts";
import { Clock, Who } from "../ui/who.tsx";
import { DELIVERY, Messages, told } from "./threadMessages.tsx";

/** Threads that are drawn at once. */
const PAGE = 40;

/** Who writes to whom: one row for each pair, newest first. */
export function Inboxes() {
  const { data } = useModel();
  const threads = data.threads.value;
  if (threads === null) return null;
  if (threads.length === 0) return <p class="quiet tab-empty">{t("noThreads")}</p>;
  return <Threads threads={threads} />;
}

function Threads({ threads }: { threads: readonly Thread[] }) {
  const list = useRef<HTMLUListElement>(null);
  const place = useReadingPlace(list);
  useTabStop(list, ".thr-head");
  const model = useModel();
  const wanted = model.view.wantedMessage.value;
  useLayoutEffect(() => {
    if (wanted) model.view.expansion.set(threadKey(wanted.thread), true);
  }, [model, wanted]);
  const page = usePage(threads, wanted?.thread, place);
  const alone = useOneOpen(page.shown, list);
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setTimeout(() => giveUp(model, wanted), WANTED_MS);
    return () => clearTimeout(timer);
  }, [model, wanted]);
  return (
    <ul ref={list} class="thrs" onKeyDown={(event) => moveFocus(event, ".thr-head", "vertical")}>
      {page.newer > 0 && <PageButton text={count("newerThreads", page.newer)} onClick={page.showNewer} />}
      {page.shown.map((thread, index) => (
        <ThreadRow key={thread.id} thread={thread} first={index === 0} place={place} alone={alone} />
      ))}
      {page.older > 0 && <PageButton text={count("moreThreads", page.older)} onClick={page.showOlder} />}
    </ul>
  );
}

function PageButton({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <li class="thrs-more">
      <button type="button" class="link" onClick={onClick}>
        {text}
      </button>
    </li>
  );
}

/** Names a thread among what can be open, and its row. */
function threadKey(thread: string): string {
  return `thread:${thread}`;
}

/** Of many threads one page is drawn: the one that is wanted is on it, and one that is open does not leave it by itself. */
function usePage(threads: readonly Thread[], wanted: string | undefined, place: ReadingPlace) {
  const { view } = useModel();
  const [from, setFrom] = useState(0);
  const at = wanted === undefined ? -1 : threads.findIndex(({ id }) => id === wanted);
  const start = pageOf(at < 0 ? Math.min(from, threads.length - 1) : at);
  useLayoutEffect(() => setFrom(start), [start]);
  const show = (next: number) => {
    const first = threads[next];
    setFrom(next);
    if (first) place.showRow(threadKey(first.id));
  };
  const kept = useRef({ start, ids: new Set<string>() });
  if (kept.current.start !== start) kept.current = { start, ids: new Set() };
  const { ids } = kept.current;
  const shown = threads.filter(
    ({ id }, index) => pageOf(index) === start || (ids.has(id) && view.expansion.isOpen(threadKey(id))),
  );
  kept.current.ids = new Set(shown.map(({ id }) => id));
  return {
    shown,
    newer: Math.min(PAGE, start),
    older: Math.min(PAGE, Math.max(0, threads.length - start - PAGE)),
    showNewer: () => show(start - PAGE),
    showOlder: () => show(start + PAGE),
  };
}

function pageOf(index: number): number {
  return index - (index % PAGE);
}

/** Closes all threads but the one that was opened last, when the document becomes too large. Whether one is open at most. */
function useOneOpen(threads: readonly Thread[], list: RefObject<HTMLElement | null>): boolean {
  const { view } = useModel();
  const open = threads.filter(({ id }) => view.expansion.isOpen(threadKey(id))).map(({ id }) => id);
  const order = useRef<string[]>([]);
  order.current = [
    ...order.current.filter((id) => open.includes(id)),
    ...open.filter((id) => !order.current.includes(id)),
  ];
  useFull(() => {
    if (!list.current) return;
    for (const id of order.current.slice(0, -1)) view.expansion.set(threadKey(id), false);
  });
  return open.length <= 1;
}

/** For so long a message that is wanted may be on its way, in milliseconds. */
const WANTED_MS = 1_500;

/** The message is not among those that there are: the conversation goes back farther. */
function giveUp(model: Model, { item }: WantedMessage): void {
  model.view.wantedMessage.value = null;
  showItem(model, item);
}

interface ThreadProps {
  thread: Thread;
  first: boolean;
  place: ReadingPlace;
  /** No other thread is open. */
  alone: boolean;
}

function ThreadRow({ thread, first, place, alone }: ThreadProps) {
  const { view } = useModel();
  const { a, b, messages, unread } = thread;
  const key = threadKey(thread.id);
  const open = view.expansion.isOpen(key);
  const last = messages.at(-1);
  const longer = nameOf(a).length > nameOf(b).length ? a : b;
  const toggle = () => {
    if (!open) place.openAtEnd(thread.id);
    view.expansion.set(key, !open);
  };
  return (
    <li class={open ? "thr thr-open" : "thr"}>
      <button
        type="button"
        class="thr-head"
        data-row={key}
        aria-expanded={open}
        tabIndex={first ? 0 : -1}
        onClick={toggle}
      >
        <span class="thr-pair">
          <Who member={a} class={longer === a ? "thr-long" : ""} />
          <Icon name="arrow-swap" />
          <Who member={b} class={longer === b ? "thr-long" : ""} />
        </span>
        <span class="thr-marks">
          {messages.some(({ delivery }) => delivery === "dead") && (
            <Icon name={DELIVERY.dead} label={t("delivery.dead")} class="msg-dead" />
          )}
          {unread > 0 && (
            <span class="badge badge-soft" role="img" aria-label={count("unread", unread)}>
              {unread}
            </span>
          )}
        </span>
        {last ? <Clock at={last.at} /> : <span />}
        <Icon name={open ? "chevron-up" : "chevron-down"} class="twistie" />
        {!open && last && (
          <span class="thr-last">{last.kind === "message" ? firstWords(last.text) : told(thread, last)}</span>
        )}
      </button>
      {open && <Messages thread={thread} place={place} alone={alone} />}
    </li>
  );
}
