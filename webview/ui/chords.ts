import { modifierName } from "../format.ts";

/** For so long VS Code waits for the second key of a chord, in milliseconds. */
const WAITS_MS = 5_000;
const MODIFIERS = new Set(["Control", "Meta", "Shift", "Alt"]);

/**
 * The second key of a chord of VS Code's, such as Ctrl+K Ctrl+A, is VS Code's: the webview gets it too, and would select
 * all of its text, or type the letter. To be called once.
 */
export function leaveChords(): void {
  let begun = Number.NEGATIVE_INFINITY;
  document.addEventListener(
    "keydown",
    (event) => {
      if (MODIFIERS.has(event.key)) return;
      const isSecond = event.timeStamp - begun < WAITS_MS;
      const modified = modifierName() === "Cmd" ? event.metaKey : event.ctrlKey;
      const isFirst = modified && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k";
      begun = isFirst && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (isSecond) event.preventDefault();
    },
    true,
  );
}
