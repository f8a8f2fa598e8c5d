import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { moveFocus } from "./roving.ts";

interface MenuProps {
  label: string;
  /** The element that the menu hangs at and that gets the focus back. */
  anchor: () => HTMLElement | null;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * A menu over everything else. Esc, Tab and a click outside close it and choose nothing. It stays where it was opened and
 * offers what it did then, whatever changes below it: no choice takes another one's place under the pointer.
 */
export function Menu({ label, anchor, onClose, children }: MenuProps) {
  const choices = useRef(children).current;
  const menu = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const element = menu.current;
    const opener = anchor();
    if (!element || !opener) return;
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState !== "closed") return;
      if (document.activeElement === document.body || element.contains(document.activeElement)) opener.focus();
      close.current();
    };
    element.showPopover({ source: opener });
    const { left, top } = element.getBoundingClientRect();
    element.style.cssText = `position-area: none; margin: 0; inset: ${top}px auto auto ${left}px`;
    const place = () => element.removeAttribute("style"); // in another size it stands at its anchor again
    window.addEventListener("resize", place);
    element.addEventListener("toggle", toggled);
    element.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    return () => {
      window.removeEventListener("resize", place);
      element.removeEventListener("toggle", toggled);
    };
  }, [anchor]);
  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      aria-label={label}
      popover="auto"
      onKeyDown={(event) => {
        if (event.key === "Tab" || event.key === "Escape") {
          event.preventDefault();
          menu.current?.hidePopover();
          anchor()?.focus();
        } else moveFocus(event, "[role=menuitem]", "vertical");
        event.stopPropagation();
      }}
    >
      {choices}
    </div>
  );
}

interface MenuItemProps {
  onChoose: () => void;
  children: ComponentChildren;
}

/** One choice of a menu. */
export function MenuItem({ onChoose, children }: MenuItemProps) {
  return (
    <button
      type="button"
      class="menu-item"
      role="menuitem"
      tabIndex={-1}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
        onChoose();
      }}
    >
      {children}
    </button>
  );
}
