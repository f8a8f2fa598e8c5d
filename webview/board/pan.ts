import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Model, useModel } from "../model.ts";
import { within } from "./boardView.ts";

/** As far as this, in pixels, a press is no drag yet. */
const DRAG = 4;

/**
 * Moves and zooms what `box` shows: it scrolls, is dragged with the mouse, and Ctrl with the wheel zooms around the
 * pointer. Its place is kept. `ready`: its content is there.
 */
export function usePan(box: RefObject<HTMLElement | null>, ready: boolean): void {
  const model = useModel();
  const zoom = useComputed(() => model.view.board.value.zoom).value;
  const before = useRef(zoom);
  const anchor = useRef<{ x: number; y: number } | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !ready) return undefined;
    const { left, top } = model.view.board.peek();
    element.scrollTo(left, top);
    if (left === 0 && top === 0) element.querySelector(".bd-node")?.scrollIntoView({ block: "nearest" });
    keepPlace(element, model); // it may be smaller than it was
    return attach(element, model, anchor);
  }, [ready, box, model]);
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

function keepPlace(element: HTMLElement, { view }: Model): void {
  view.board.value = { ...view.board.peek(), left: element.scrollLeft, top: element.scrollTop };
}

function attach(element: HTMLElement, model: Model, anchor: { current: { x: number; y: number } | null }) {
  const { view } = model;
  const keep = () => keepPlace(element, model);
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
