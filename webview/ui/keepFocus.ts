import { useLayoutEffect, useRef } from "preact/hooks";

/** What had the focus last, and how it is found again where its row is drawn anew. */
interface Last {
  element: HTMLElement;
  /** The row's name; null: it was not in a row. */
  row: string | null;
}

/**
 * A row that moves to another list is drawn anew there: when the one with the focus has gone so, the focus follows it, in
 * a field with its caret. Where there is no such row, or no such part of it, the first place of `instead` gets the focus.
 * `box` gives what the rows are in, `name` is the attribute that tells a row. Nothing is done while the focus is
 * elsewhere, or in another window.
 */
export function useKeptFocus(box: () => Element | null | undefined, name: string, instead: readonly string[]): void {
  const last = useRef<Last | null>(null);
  useLayoutEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const element = target instanceof HTMLElement && box()?.contains(target) ? target : null;
      last.current = element && { element, row: element.closest(`[${name}]`)?.getAttribute(name) ?? null };
    };
    // Who presses where nothing takes the focus has left what had it.
    const forget = ({ target }: Event) => {
      if (target instanceof Node && !last.current?.element.contains(target)) last.current = null;
    };
    document.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget);
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
    };
  }, [box, name]);
  useLayoutEffect(() => {
    const gone = last.current;
    if (!gone || gone.element.isConnected || document.activeElement !== document.body || !document.hasFocus()) return;
    last.current = null;
    const row = gone.row === null ? null : box()?.querySelector(`[${name}="${CSS.escape(gone.row)}"]`);
    const same = row?.querySelector<HTMLElement>(partOf(gone.element));
    if (same) return focusAs(same, gone.element);
    if (!isField(gone.element) && !gone.element.closest("form")) return;
    for (const place of instead) {
      const element = document.querySelector<HTMLElement>(place);
      if (element) return element.focus();
    }
  });
}

/** Whether the keyboard writes or presses in here now, and not in another part of the window. */
export function hasFocusIn(element: Element | null | undefined): boolean {
  return element?.contains(document.activeElement) === true && document.hasFocus();
}

/** The same part of the row: a field by its label, else by the first class. */
function partOf(element: HTMLElement): string {
  const label = element.getAttribute("aria-label");
  if (isField(element) && label !== null) return `${element.localName}[aria-label="${CSS.escape(label)}"]`;
  const own = element.classList[0] === undefined ? "button" : `.${CSS.escape(element.classList[0])}`;
  const form = element.closest("form");
  return form ? `form ${own}${element.matches("[type=submit]") ? "[type=submit]" : ":not([type=submit])"}` : own;
}

function focusAs(element: HTMLElement, before: HTMLElement): void {
  element.focus();
  if (isField(element) && isField(before))
    element.setSelectionRange(before.selectionStart, before.selectionEnd, before.selectionDirection ?? "none");
}

function isField(element: Element): element is HTMLTextAreaElement | HTMLInputElement {
  return element.matches("textarea, input[type=text]");
}
