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
 * A menu over everything else. Esc, Tab, a click outside and work elsewhere in VS Code close it and choose nothing. It
 * stays where it was opened and offers what it did then, whatever changes below it: no choice takes another one's place
 * under the pointer. What a choice does must therefore not depend on what was known when the menu was opened.
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
      if (document.activeElement === document.body || element.contains(document.activeElement)) anchor()?.focus();
      close.current();
    };
    // The focus is not taken back from where the person works now; it is here again when they come back.
    const left = () => {
      const back = () => document.activeElement === document.body && anchor()?.focus({ preventScroll: true });
      window.addEventListener("focus", back, { once: true });
      close.current();
    };
    const place = () => opener.isConnected && standAtAnchor(element); // in another size it stands at its anchor again
    element.showPopover({ source: opener });
    standAtAnchor(element);
    window.addEventListener("resize", place);
    window.addEventListener("blur", left);
    element.addEventListener("toggle", toggled);
    element.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    return () => {
      window.removeEventListener("resize", place);
      window.removeEventListener("blur", left);
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

/** Puts a menu where its anchor is now, and lets it stay there when the anchor moves. */
function standAtAnchor(menu: HTMLElement): void {
  menu.removeAttribute("style");
  const { left, top } = menu.getBoundingClientRect();
  menu.style.cssText = `position-area: none; margin: 0; inset: ${top}px auto auto ${left}px`;
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
