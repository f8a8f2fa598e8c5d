import type { View } from "./page.ts";

/** What speaks to screen readers by itself: one region, which waits for its turn. */
export const ONE_LIVE_REGION = [["status", "polite"]];

/** Role and politeness of each element that is announced when it changes. */
export async function liveRegions({ page }: View): Promise<(string | null)[][]> {
  return page
    .locator("[aria-live], [role=status], [role=alert], [role=log], [role=timer], [role=marquee], output")
    .evaluateAll((all) => all.map((element) => [element.getAttribute("role"), element.getAttribute("aria-live")]));
}
