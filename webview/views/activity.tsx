import { later } from "../ui/later.tsx";

/** The tab *Activity*. */
export const Activity = later(async () => (await import("./timeline.tsx")).Timeline);
