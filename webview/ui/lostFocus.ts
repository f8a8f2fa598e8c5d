/** What can have the focus, but for the buttons that decide something: a key that is still held down would press them. */
const PLACES =
  "button:not(.btn, [disabled]), a[href], input:not([type=file]), textarea, select, vscode-single-select, [tabindex]";

/** An element with the element that it lies in, and where among that one's children. */
interface Rung {
  element: Element;
  place: number;
}

/**
 * Where what had the focus goes away, as *Show 12 More Lines* does by being pressed, the focus goes to what is nearest
 * to it, so that neither keyboard nor screen reader begins at the top again. Whoever sets the focus on purpose comes
 * first. Not after a field: who types must not find the next key pressing a button. To be called once.
 */
export function keepLostFocus(root: Element): void {
  let ladder: Rung[] = [];
  const forget = ({ target }: Event) => {
    if (target instanceof Element && !target.closest(PLACES)) ladder = [];
  };
  document.addEventListener("focusin", ({ target }) => {
    ladder = target instanceof Element && !target.matches("input, textarea") ? ladderOf(target, root) : [];
  });
  document.addEventListener("pointerdown", forget);
  new MutationObserver(() => {
    const [lost] = ladder;
    if (!lost || lost.element.isConnected) return;
    const before = ladder;
    ladder = [];
    if (document.activeElement === document.body && document.hasFocus())
      nearest(before)?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}

/** From the element up to `root`. */
function ladderOf(element: Element, root: Element): Rung[] {
  const rungs: Rung[] = [];
  for (let at: Element | null = element; at && at !== root; at = at.parentElement)
    rungs.push({ element: at, place: [...(at.parentElement?.children ?? [])].indexOf(at) });
  rungs.push({ element: root, place: 0 });
  return rungs;
}

/** What stands nearest to the place of the first of these that is gone: before it, at it, else further up. */
function nearest(ladder: readonly Rung[]): HTMLElement | null {
  const left = ladder.findIndex(({ element }) => element.isConnected);
  for (const [index, { element }] of ladder.entries()) {
    if (index < left || index === 0) continue;
    const place = ladder[index - 1]?.place ?? 0;
    const children = [...element.children];
    const before = children
      .slice(0, place)
      .reverse()
      .flatMap((child) => placesIn(child).at(-1) ?? []);
    const [behind] = children.slice(index === left ? place : place + 1).flatMap(placesIn);
    const found = before[0] ?? behind;
    if (found) return found;
  }
  return null;
}

function placesIn(element: Element): HTMLElement[] {
  const all = [element, ...element.querySelectorAll(PLACES)];
  return all.filter((one): one is HTMLElement => one instanceof HTMLElement && one.matches(PLACES) && isThere(one));
}

function isThere(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && !element.closest("[aria-hidden=true]");
}
