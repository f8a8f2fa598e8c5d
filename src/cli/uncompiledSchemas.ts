import * as z from "zod";

/**
 * Schemas that are made after this call are not compiled when they are first used: for a program that reads little, a
 * function made for each costs more than it gains.
 */
export function leaveSchemasUncompiled(): void {
  z.config({ jitless: true });
}
