import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Model, useModel } from "../model.ts";
import { within } from "../state/boardView.ts";
import type { Placed } from "./layout.ts";

/** As far as this, in pixels, a press is no drag yet. */
const DRAG = 4;

/**
 * Moves and zooms what `box` shows: it scrolls, is dragged with the mouse, and Ctrl with the wheel zooms around the
 * pointer. Its place is kept. `placed`: its content, null as long as there is none.
 */
export function usePan(box: RefObject<HTMLElement | null>, placed: Placed | null): void {
  const model = useModel();
  const zoom = useComputed(() => model.view.board.value.zoom).value;
  const before = useRef(zoom);
  const anchor = useRef<{ x: number; y: number } | null>(null);
  const own = useRef<Own | null>(null);
  const ready = placed !== null;
  useLayoutEffect(() => {
    const element = box.current;
    if (element && placed) own.current = settle(element, model, own.current === null);
  }, [placed, box, model]);
  useLayoutEffect(
    () => (box.current && ready ? attach(box.current, model, anchor, own) : undefined),
    [ready, box, model],
  );
  useLayoutEffect(() => {
    const element = box.current;
    const factor = zoom / before.current;
    before.current = zoom;
    if (!element || factor === 1) return;
    const { x, y } = anchor.current ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    anchor.current = null;
    element.scrollTo((element.scrollLeft + x) * factor - x, (element.scrollTop + y) * factor - y);
  }, [zoom, box]);
  useChosenInView(box, ready);
}

/** Where the graph has put itself last: a place that differs is the person's. */
interface Own {
  left: number;
  top: number;
}

/**
 * Puts a new content where it should be: first at the place that was kept; and where the person has not moved it, or
 * nothing at all would be in sight, at the task that is open, else at the first.
 */
function settle(element: HTMLElement, { view }: Model, isFirst: boolean): Own {
  const { left, top, moved = false } = view.board.peek();
  if (isFirst) element.scrollTo(left, top);
  const stays = moved && [...element.querySelectorAll(".bd-node")].some((node) => isInSight(node, element));
  if (!stays) {
    const wanted = element.querySelector(".bd-node[aria-pressed=true]") ?? element.querySelector(".bd-node");
    wanted?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  const own = { left: element.scrollLeft, top: element.scrollTop };
  view.board.value = { ...view.board.peek(), ...own, moved: stays }; // it may be smaller than it was
  return own;
}

function isInSight(node: Element, element: HTMLElement): boolean {
  const [its, seen] = [node.getBoundingClientRect(), element.getBoundingClientRect()];
  return its.right > seen.left && its.left < seen.right && its.bottom > seen.top && its.top < seen.bottom;
}

/** Keeps where it stands. A place where it only has become too large for its own is none of the person's. */
function keepPlace(element: HTMLElement, { view }: Model, own: Own | null): void {
  const { scrollLeft: left, scrollTop: top } = element;
  const most = { left: element.scrollWidth - element.clientWidth, top: element.scrollHeight - element.clientHeight };
  const isOwn =
    own !== null &&
    Math.abs(left - Math.min(own.left, most.left)) <= 1 &&
    Math.abs(top - Math.min(own.top, most.top)) <= 1;
  const board = view.board.peek();
  view.board.value = { ...board, left, top, moved: board.moved === true || !isOwn };
}

function attach(
  element: HTMLElement,
  model: Model,
  anchor: { current: { x: number; y: number } | null },
  own: { current: Own | null },
) {
  const { view } = model;
  const keep = () => keepPlace(element, model, own.current);
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = element.getBoundingClientRect();
    anchor.current = { x: event.clientX - left, y: event.clientY - top };
    const board = view.board.peek();
    view.board.value = { ...board, zoom: within(board.zoom * Math.exp(-event.deltaY / 400)) };
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType !== "mouse" || isScrollbar(event, element)) return;
    const from = { x: event.clientX + element.scrollLeft, y: event.clientY + element.scrollTop };
    const start = { x: event.clientX, y: event.clientY };
    const stop = new AbortController();
    const { signal } = stop;
    const onMove = (move: PointerEvent) => {
      if (!element.hasPointerCapture(event.pointerId)) {
        if (Math.hypot(move.clientX - start.x, move.clientY - start.y) < DRAG) return;
        element.setPointerCapture(event.pointerId); // from here on it is no click
      }
      element.scrollTo(from.x - move.clientX, from.y - move.clientY);
    };
    addEventListener("pointermove", onMove, { signal });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => stop.abort(), { signal });
  };
  element.addEventListener("scroll", keep, { passive: true });
  element.addEventListener("wheel", onWheel, { passive: false });
  element.addEventListener("pointerdown", onDown);
  return () => {
    element.removeEventListener("scroll", keep);
    element.removeEventListener("wheel", onWheel);
    element.removeEventListener("pointerdown", onDown);
  };
}

function isScrollbar({ clientX, clientY }: PointerEvent, element: HTMLElement): boolean {
  const { left, top } = element.getBoundingClientRect();
  return clientX - left >= element.clientWidth || clientY - top >= element.clientHeight;
}

/** The task that is opened, from wherever, is to be seen. */
function useChosenInView(box: RefObject<HTMLElement | null>, ready: boolean): void {
  const { view } = useModel();
  const task = useComputed(() => view.board.value.task).value;
  const first = useRef(true);
  useEffect(() => {
    if (!ready) return;
    if (!first.current && task !== null)
      box.current?.querySelector(`[data-node="${task}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    first.current = false;
  }, [task, ready, box]);
}
