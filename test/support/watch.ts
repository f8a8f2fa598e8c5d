import type { Page } from "playwright-core";

/** One change of the focus: what has it now. */
export interface FocusChange {
  at: number;
  element: string;
}

/** What happened in a window without being asked. */
export interface Watch {
  /** Runs what a person does; changes of the focus during it, and shortly after, are the person's. */
  asPerson<T>(action: () => Promise<T>): Promise<T>;
  /** Texts of all toasts that ever showed, in order. */
  toasts(): string[];
  /** How many rows of quick picks were clicked. */
  picks(): number;
  /** Changes of the focus that no person's action explains. */
  unaskedFocus(): FocusChange[];
}

/** An answer to a person's action (a command that opens a view) may come this much later, in milliseconds. */
const ANSWER_MS = 2500;

/** Starts to watch a page; survives reloads. Call it before the page loads anything. */
export async function watchPage(page: Page): Promise<Watch> {
  const toasts: string[] = [];
  const changes: FocusChange[] = [];
  let picks = 0;
  const actions: { from: number; to: number }[] = [{ from: 0, to: Date.now() }];
  await page.exposeBinding("musterToast", (_source, text: string) => void toasts.push(text));
  await page.exposeBinding("musterFocus", (_source, change: FocusChange) => void changes.push(change));
  await page.exposeBinding("musterPick", () => void picks++);
  await page.addInitScript(observePage);
  return {
    async asPerson(action) {
      const span = { from: Date.now(), to: Number.POSITIVE_INFINITY };
      actions.push(span);
      try {
        return await action();
      } finally {
        span.to = Date.now() + ANSWER_MS;
      }
    },
    toasts: () => [...toasts],
    picks: () => picks,
    unaskedFocus: () => changes.filter(({ at }) => !actions.some(({ from, to }) => at >= from && at <= to)),
  };
}

/** Runs in the page: tells of every toast, every clicked row of a quick pick, and every change of the focused element. */
function observePage(): void {
  if (window !== window.top) return;
  const report = window as unknown as {
    musterToast(text: string): void;
    musterPick(): void;
    musterFocus(change: { at: number; element: string }): void;
  };
  const seen = new WeakSet<Element>();
  let focused = "";
  const look = () => {
    for (const toast of document.querySelectorAll(".notification-toast")) {
      const text = toast instanceof HTMLElement ? toast.innerText.trim() : ""; // its style sheets are no text
      if (!text || seen.has(toast)) continue;
      seen.add(toast);
      report.musterToast(text);
    }
    const now = describe(document.activeElement);
    if (now === focused) return;
    focused = now;
    report.musterFocus({ at: Date.now(), element: now });
  };
  /** Tag, role and label from the element up to the part of the workbench that holds it. */
  const describe = (element: Element | null): string => {
    if (!element) return "nothing";
    const label = element.getAttribute("aria-label") ?? element.getAttribute("name") ?? element.id;
    const part = element.closest(".part")?.id ?? "";
    return [element.tagName.toLowerCase(), element.getAttribute("role"), label, part].filter(Boolean).join(" ");
  };
  const isRow = ({ target }: Event) =>
    target instanceof Element && target.closest(".quick-input-list .monaco-list-row");
  addEventListener("click", (event) => isRow(event) && report.musterPick(), { capture: true });
  for (const kind of ["focusin", "focusout", "blur"])
    addEventListener(kind, () => queueMicrotask(look), { capture: true });
  // A frame that takes the focus raises no event in its parent's document. To look at each frame that is drawn would have
  // frames drawn for nothing, all day long: this is as often.
  setInterval(look, 16);
}
