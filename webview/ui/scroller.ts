import { effect, type Signal, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Model, useModel } from "../model.ts";
import type { Follow, KeptItem, ViewState } from "../state/viewState.ts";
import { END, firstSeen, pageOf, putAt } from "./seenRows.ts";

/** The one scroller of the team's view. */
export interface Scroller {
  readonly box: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** Stands where the tabs would be if they did not stick. */
  readonly tabsMark: RefObject<HTMLDivElement | null>;
  /** More of the conversation is below what can be seen. */
  readonly below: Signal<boolean>;
  /**
   * Where the view itself has put it last: a place that differs is the person's. `until`: so long, in milliseconds since
   * the epoch, a kept place is tried again.
   */
  readonly own: { top: number; until: number };
  readonly moveTo: (top: number) => void;
  readonly goToTop: () => void;
  readonly goToEnd: () => void;
}

/** For how long a kept place is tried again while the content is still coming, in milliseconds. */
const RESTORE_MS = 3000;
/** For how long once it is reached, while rows get their real heights. */
const SETTLE_MS = 500;

/**
 * Keeps the scroller where it should be: at the end of the conversation while text arrives, unless the person scrolls
 * up; at what needs the person, until they have scrolled; and after a reload where it was. Where the team ends while it
 * follows, at what it left: that is said at the top.
 */
export function useScroller(isFinished: boolean): Scroller {
  const model = useModel();
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const tabsMark = useRef<HTMLDivElement>(null);
  const scroller = useMemo((): Scroller => {
    const own = { top: 0, until: 0 };
    const moveTo = (top: number) => {
      if (!box.current) return;
      box.current.scrollTop = top;
      own.top = box.current.scrollTop;
    };
    const goTo = (top: number, follow: Follow) => {
      own.until = 0;
      moveTo(top);
      model.view.readItem.value = null;
      model.view.scroll.value = { top: own.top, follow };
    };
    return {
      box,
      content,
      tabsMark,
      below: signal(false),
      own,
      moveTo,
      goToTop: () => goTo(0, "free"),
      goToEnd: () => {
        model.view.wentToEnd.value += 1;
        goTo(box.current?.scrollHeight ?? 0, "end");
      },
    };
  }, [model]);
  useEffect(() => attach(scroller, model), [scroller, model]);
  useTabScroll(scroller, model); // first: it keeps where the tab before was left
  useMemberScroll(scroller, model);
  const before = useRef(isFinished);
  useLayoutEffect(() => {
    const ended = isFinished && !before.current;
    before.current = isFinished;
    const { tab, scroll } = model.view;
    if (ended && tab.peek() === "conversation" && scroll.peek().follow !== "free") scroller.goToTop();
  }, [isFinished, scroller, model]);
  return scroller;
}

function attach(scroller: Scroller, model: Model): (() => void) | undefined {
  const box = scroller.box.current;
  const content = scroller.content.current;
  if (!box || !content) return undefined;
  const { view } = model;
  const kept = view.scroll.peek();
  const inConversation = view.tab.peek() === "conversation";
  if (kept.follow === "auto" && kept.top > 0 && inConversation) view.scroll.value = { ...kept, follow: "end" };
  const keepsOwn = view.tab.peek() === "inboxes" && view.inboxRow.peek() !== null;
  const restores = kept.top > 0 && (inConversation ? kept.follow === "free" : !keepsOwn);
  const { own } = scroller;
  own.until = restores ? Date.now() + RESTORE_MS : 0;
  let acted = false;
  /** As it was when the content was last looked at: what comes in the same frame as a wheel's turn does not count. */
  let atEnd = false;

  const distance = () => box.scrollHeight - box.scrollTop - box.clientHeight;
  const report = () => {
    atEnd = distance() <= END;
    scroller.below.value = view.tab.peek() === "conversation" && !atEnd;
  };
  const note = (follow: Follow) => {
    view.scroll.value = { top: box.scrollTop, follow };
    if (view.tab.peek() === "conversation") view.readItem.value = follow === "free" ? seenItem(scroller, model) : null;
  };
  const onScroll = () => {
    const { follow } = view.scroll.peek();
    const isOwn = Math.abs(box.scrollTop - own.top) <= 1 || view.tab.peek() !== "conversation";
    if (Date.now() < own.until && (isOwn || keptItem(model))) return; // what comes above the item moves it, too
    note(isOwn ? follow : distance() > END ? "free" : follow === "auto" ? "auto" : "end");
    report();
  };
  const onResize = () => {
    if (Date.now() < own.until) restore(scroller, model);
    else if (!acted) settle(scroller, box, model);
    else if (view.scroll.peek().follow !== "free" && distance() > END) note("free");
    report();
  };
  // What the person opens or closes in a tab is not to move under the pointer.
  const onClick = (event: Event) => {
    if (!(event.target instanceof Element && event.target.closest("[role=tabpanel]"))) return;
    acted = true;
    setTimeout(() => {
      acted = false;
    }, 100);
  };
  const onInput = () => {
    own.until = 0;
    if (view.scroll.peek().follow !== "auto") return;
    view.scroll.value = { top: box.scrollTop, follow: atEnd ? "end" : "free" };
  };
  const release = () => {
    own.until = 0;
  };
  const observer = new ResizeObserver(onResize);
  observer.observe(content);
  observer.observe(box);
  box.addEventListener("scroll", onScroll, { passive: true });
  box.addEventListener("wheel", onInput, { passive: true });
  box.addEventListener("touchmove", onInput, { passive: true });
  for (const input of ["pointerdown", "keydown"]) box.addEventListener(input, release, true);
  content.addEventListener("click", onClick, true);
  const stopAnchoring = anchor(box, view);
  return () => {
    observer.disconnect();
    stopAnchoring();
  };
}

/** Where the end is followed, the browser is not to keep what is seen in its place instead. */
function anchor(box: HTMLElement, { tab, scroll }: ViewState): () => void {
  return effect(() => {
    const follows = tab.value === "conversation" && scroll.value.follow !== "free";
    box.toggleAttribute("data-follows", follows);
  });
}

/** The conversation on show, and its items: single ones, and runs of tools. */
function talkOf(scroller: Scroller) {
  const page = pageOf(scroller.box.current?.querySelector<HTMLElement>(".conv"));
  const items = page?.list.querySelectorAll<HTMLElement>(":scope > :is([data-seq], [data-first])") ?? [];
  return { page, items: [...items] };
}

function seenItem(scroller: Scroller, { member }: Model): KeptItem | null {
  const { page, items } = talkOf(scroller);
  const seen = page && firstSeen(page, items);
  const name = member.peek()?.name;
  if (!seen || name === undefined) return null;
  const { seq, first = seq } = seen.row.dataset;
  return { member: name, seq: Number(first), offset: seen.offset };
}

/** The item of the conversation on show that is to be seen again; null where only the place in pixels is known. */
function keptItem({ view, member }: Model): KeptItem | null {
  const item = view.tab.peek() === "conversation" ? view.readItem.peek() : null;
  return item && item.member === member.peek()?.name ? item : null;
}

/** Tries to put the scroller where it was: at the item that was read, and its pixels where none is known. */
function restore(scroller: Scroller, model: Model): void {
  const { box, own, moveTo } = scroller;
  const item = keptItem(model);
  const { top } = model.view.scroll.peek();
  if (!box.current) return;
  if (!item) {
    moveTo(top);
    if (box.current.scrollTop >= top - 1) own.until = 0;
    return;
  }
  const { page, items } = talkOf(scroller);
  const row = items.find(({ dataset: { seq, last = seq } }) => Number(last) >= item.seq);
  if (!page || !row) return;
  putAt(page, row, item.offset);
  own.top = box.current.scrollTop;
  const { seq, first = seq } = row.dataset;
  if (Number(first) <= item.seq) own.until = Math.min(own.until, Date.now() + SETTLE_MS);
}

/** Puts the scroller where it should be after the content has changed by itself. */
function settle(scroller: Scroller, box: HTMLElement, model: Model): void {
  const { view, queue, data } = model;
  const { follow } = view.scroll.peek();
  if (follow === "free" || view.tab.peek() !== "conversation") return;
  if (follow === "end") scroller.moveTo(box.scrollHeight);
  else if (queue.items.peek().length > 0) scroller.moveTo(0);
  else if (box.scrollHeight > box.clientHeight + 1 && data.justLoaded()) view.scroll.value = { top: 0, follow: "free" };
  else scroller.moveTo(box.scrollHeight);
}

/**
 * Who is chosen is to be read: the end of that conversation, when it does not fit. Another tab stays where it is, and that
 * end is gone to once the conversation is on show.
 */
function useMemberScroll(scroller: Scroller, { member, view }: Model): void {
  const name = member.value?.name;
  const before = useRef(name);
  useLayoutEffect(() => {
    const changed = before.current !== undefined && name !== undefined && before.current !== name;
    before.current = name;
    if (!changed) return;
    if (view.tab.peek() === "conversation") scroller.goToEnd();
    else view.scroll.value = { ...view.scroll.peek(), follow: "end" };
  }, [name, scroller, view]);
}

/** Another tab begins where it was left, or below the tabs when those are stuck. */
function useTabScroll(scroller: Scroller, model: Model): void {
  const tab = model.view.tab.value;
  const before = useRef(tab);
  const tops = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const box = scroller.box.current;
    const mark = scroller.tabsMark.current;
    if (!box || !mark || before.current === tab) return;
    const stuckFrom = mark.offsetTop - (box.querySelector<HTMLElement>(".needs-title")?.offsetHeight ?? 0);
    const top = model.view.scroll.peek().top;
    tops.current.set(before.current, top);
    before.current = tab;
    scroller.own.until = 0;
    const left = tops.current.get(tab) ?? 0;
    // a tab that is too short for it did not go to the top: that was the person
    const isShort = left > stuckFrom && Math.abs(top - scroller.own.top) <= 1;
    if (top <= stuckFrom && !isShort) {
      if (tab === "conversation") model.view.readItem.value = null;
      return;
    }
    if (tab === "conversation" && model.view.scroll.peek().follow === "end") return scroller.goToEnd();
    scroller.moveTo(Math.max(stuckFrom, left));
    if (!keptItem(model) || model.wantedItem.peek()) return;
    scroller.own.until = Date.now() + RESTORE_MS;
    restore(scroller, model);
  }, [tab, scroller, model]);
}
