import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { useModel } from "../model.ts";
import type { KeptRow, ViewState } from "../state/viewState.ts";
import { END, firstSeen, type Page, pageOf, putAt } from "./seenRows.ts";

/** For how long an end or a kept place is tried again while rows get their real heights, in milliseconds. */
const SETTLE_MS = 3000;

/** Keeps what the person reads in the list of threads where it is. */
export interface ReadingPlace {
  /** The person opens this thread: its newest message is to be seen. To be called before it is drawn. */
  readonly openAtEnd: (thread: string) => void;
  /** The row of this message is to be seen, with a little room above it. */
  readonly showRow: (id: string) => void;
}

interface Reader extends ReadingPlace {
  /** Notes what is seen, while the page is as it was before this drawing. */
  readonly look: () => void;
  /** Puts what was seen back where it was. */
  readonly keep: () => void;
  readonly attach: () => () => void;
}

/**
 * For the list that is drawn here. Its rows carry `data-row`, and the messages of a thread `data-thread`. Whoever reads
 * at the end of a thread sees what is new there; elsewhere nothing moves, though threads change their order; and after
 * another tab or a reload the same row stands at the same height. Rows that were never seen have estimated heights
 * (`content-visibility`), so each of these is tried again when heights change.
 */
export function useReadingPlace(list: RefObject<HTMLElement | null>): ReadingPlace {
  const { view } = useModel();
  const reader = useMemo(() => createReader(list, view), [list, view]);
  reader.look();
  useLayoutEffect(() => reader.keep());
  useEffect(() => reader.attach(), [reader]);
  return reader;
}

/** What is to be seen until the person does something, or it has had the time to settle. */
type Aim = { kind: "end"; thread: string; until: number } | { kind: "row"; row: KeptRow; until: number };

function createReader(list: RefObject<HTMLElement | null>, view: ViewState): Reader {
  const kept = view.inboxRow.peek();
  let aim: Aim | null = kept && { kind: "row", row: kept, until: Date.now() + SETTLE_MS };
  let seen: Seen | null = null;
  const aimed = () => {
    if (aim && Date.now() > aim.until) aim = null;
    return aim;
  };
  const reach = () => {
    const wanted = aimed();
    const page = wanted && pageOf(list.current);
    if (!wanted || !page) return;
    if (wanted.kind === "end") showEnd(page, wanted.thread);
    else putBack(page, wanted.row);
  };
  const aimAtEnd = (thread: string) => {
    aim = { kind: "end", thread, until: Date.now() + SETTLE_MS };
  };
  const aimAtRow = (row: KeptRow) => {
    aim = { kind: "row", row, until: Date.now() + SETTLE_MS };
  };
  return {
    openAtEnd: aimAtEnd,
    showRow(id) {
      aimAtRow({ id, offset: 2 * END });
      reach();
    },
    look() {
      const page = pageOf(list.current);
      seen = page && { ends: endsIn(page), row: firstRow(page) };
    },
    keep() {
      const page = pageOf(list.current);
      const grown = page && seen?.ends.find(({ thread, last }) => lastOf(page, thread) !== last);
      if (grown) aimAtEnd(grown.thread);
      else if (!aimed() && seen?.row) aimAtRow(seen.row);
      reach();
    },
    attach() {
      const { current } = list;
      const box = current?.closest(".scroller");
      if (!current || !box) return () => undefined;
      const release = () => {
        aim = null;
      };
      const onScroll = () => {
        const page = pageOf(current);
        if (page && aimed()?.kind !== "row") view.inboxRow.value = firstRow(page);
      };
      const observer = new ResizeObserver(reach);
      observer.observe(current);
      observer.observe(box);
      box.addEventListener("scroll", onScroll, { passive: true });
      for (const input of INPUTS) addEventListener(input, release, { passive: true, capture: true });
      return () => {
        observer.disconnect();
        box.removeEventListener("scroll", onScroll);
        for (const input of INPUTS) removeEventListener(input, release, { capture: true });
      };
    },
  };
}

/** What a person moves the page with, or does something else with. */
const INPUTS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** What was seen: threads whose ends were, each with its last row; and the first row, if the list began above it. */
interface Seen {
  ends: { thread: string; last: string | undefined }[];
  row: KeptRow | null;
}

function endsIn({ list, top, bottom }: Page): Seen["ends"] {
  return [...list.querySelectorAll<HTMLElement>("[data-thread]")].flatMap((messages) => {
    const end = messages.getBoundingClientRect().bottom;
    const thread = messages.dataset["thread"] ?? "";
    return end > top && end <= bottom + END ? [{ thread, last: lastRow(messages) }] : [];
  });
}

function lastOf({ list }: Page, thread: string): string | undefined {
  return lastRow(messagesOf(list, thread));
}

function lastRow(messages: HTMLElement | null): string | undefined {
  return messages?.querySelector<HTMLElement>(":scope > li:last-child")?.dataset["row"];
}

function messagesOf(list: HTMLElement, thread: string): HTMLElement | null {
  return list.querySelector(`[data-thread="${CSS.escape(thread)}"]`);
}

function firstRow(page: Page): KeptRow | null {
  const seen = firstSeen(page, [...page.list.querySelectorAll<HTMLElement>("[data-row]")]);
  const id = seen?.row.dataset["row"];
  return seen && id !== undefined ? { id, offset: seen.offset } : null;
}

function putBack(page: Page, { id, offset }: KeptRow): void {
  const row = page.list.querySelector(`[data-row="${CSS.escape(id)}"]`);
  if (row) putAt(page, row, offset);
}

/** Moves no farther than needed. */
function showEnd({ list, box, top, bottom }: Page, thread: string): void {
  const end = messagesOf(list, thread)?.getBoundingClientRect().bottom;
  if (end !== undefined && (end > bottom || end <= top)) box.scrollTop += end - bottom;
}
