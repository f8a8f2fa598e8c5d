import { leaveChords } from "./chords.ts";
import { keepLostFocus } from "./lostFocus.ts";

/** Starts what no first picture needs. To be called once. */
export function startAfterwards(root: Element): void {
  keepLostFocus(root);
  leaveChords();
}
