import { effect, type Signal, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Model, useModel } from "../model.ts";
import type { Follow } from "../state/viewState.ts";

/** The one scroller of the team's view. */
export interface Scroller {
  readonly box: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** Stands where the tabs would be if they did not stick. */
  readonly tabsMark: RefObject<HTMLDivElement | null>;
  /** More of the conversation is below what can be seen. */
  readonly below: Signal<boolean>;
  /** Where the view itself has put it last: a place that differs is the person's. */
  readonly own: { top: number };
  readonly moveTo: (top: number) => void;
  readonly goToTop: () => void;
  readonly goToEnd: () => void;
}

/** As far as this from the end counts as the end, in pixels. */
const END = 24;
/** For how long a kept place is tried again while the content is still coming, in milliseconds. */
const RESTORE_MS = 3000;

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
    const own = { top: 0 };
    const moveTo = (top: number) => {
      if (!box.current) return;
      box.current.scrollTop = top;
      own.top = box.current.scrollTop;
    };
    const goTo = (top: number, follow: Follow) => {
      moveTo(top);
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
  const place = { restoreUntil: restores ? Date.now() + RESTORE_MS : 0, acted: false };

  const distance = () => box.scrollHeight - box.scrollTop - box.clientHeight;
  const report = () => {
    scroller.below.value = view.tab.peek() === "conversation" && distance() > END;
  };
  const onScroll = () => {
    const { follow } = view.scroll.peek();
    const own = Math.abs(box.scrollTop - scroller.own.top) <= 1 || view.tab.peek() !== "conversation";
    if (own && Date.now() < place.restoreUntil) return;
    const byPerson = distance() > END ? "free" : follow === "auto" ? "auto" : "end";
    view.scroll.value = { top: box.scrollTop, follow: own ? follow : byPerson };
    report();
  };
  const onResize = () => {
    const { follow, top } = view.scroll.peek();
    if (Date.now() < place.restoreUntil) {
      scroller.moveTo(top);
      if (box.scrollTop >= top - 1) place.restoreUntil = 0;
    } else if (!place.acted) settle(scroller, box, model);
    else if (follow !== "free" && distance() > END) view.scroll.value = { top: box.scrollTop, follow: "free" };
    report();
  };
  // What the person opens or closes in a tab is not to move under the pointer.
  const onClick = (event: Event) => {
    if (!(event.target instanceof Element && event.target.closest("[role=tabpanel]"))) return;
    place.acted = true;
    setTimeout(() => {
      place.acted = false;
    }, 100);
  };
  const onInput = () => {
    place.restoreUntil = 0;
    if (view.scroll.peek().follow !== "auto") return;
    view.scroll.value = { top: box.scrollTop, follow: distance() <= END ? "end" : "free" };
  };
  const observer = new ResizeObserver(onResize);
  observer.observe(content);
  observer.observe(box);
  box.addEventListener("scroll", onScroll, { passive: true });
  box.addEventListener("wheel", onInput, { passive: true });
  box.addEventListener("touchmove", onInput, { passive: true });
  content.addEventListener("click", onClick, true);
  // Where the end is followed, the browser is not to keep what is seen in its place instead.
  const stopAnchoring = effect(() => {
    const follows = view.tab.value === "conversation" && view.scroll.value.follow !== "free";
    box.style.overflowAnchor = follows ? "none" : "";
  });
  return () => {
    observer.disconnect();
    stopAnchoring();
  };
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
    if (top <= stuckFrom) return;
    if (tab === "conversation" && model.view.scroll.peek().follow === "end") scroller.goToEnd();
    else scroller.moveTo(Math.max(stuckFrom, tops.current.get(tab) ?? 0));
  }, [tab, scroller, model]);
}
