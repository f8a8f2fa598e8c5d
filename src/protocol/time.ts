import * as z from "zod";

/** How far from the epoch a `Date` reaches, in ms. */
const MAX_TIME = 8.64e15;

/**
 * A time in a file, in ms since the epoch. One that no `Date` holds, such as another program's nanoseconds, is 0: not
 * known, for to show it would throw.
 */
export const timeSchema = z.number().transform((ms) => (Math.abs(ms) <= MAX_TIME ? ms : 0));
