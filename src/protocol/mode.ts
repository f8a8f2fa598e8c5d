import * as z from "zod";

/** Permission modes of a session, as `--permission-mode` and a member's `mode` name them. */
export const PERMISSION_MODES = ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk"] as const;

/** One of the modes, by its exact name. */
export const permissionModeSchema = z.enum(PERMISSION_MODES);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

/** How much a mode lets pass without the person: of two modes the one with the larger number lets more pass. */
export const MODE_REACH: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  dontAsk: 1,
  default: 2,
  acceptEdits: 3,
  bypassPermissions: 4,
};

/** What a mode may be called when it is given: `delegate` (2.1.41's Task tool) means `acceptEdits`. */
export const givenModeSchema = z.enum([...PERMISSION_MODES, "delegate"]);
export type GivenMode = z.infer<typeof givenModeSchema>;

/** What a member is shown to be in: its permission mode, or of a lead that it only delegates. */
export type ShownMode = PermissionMode | "delegate";

/** What people read for a mode, in English. */
export const MODE_WORDS: Readonly<Record<ShownMode, string>> = {
  default: "Ask before edits",
  acceptEdits: "Accept edits",
  plan: "Plan only",
  bypassPermissions: "Allow everything",
  dontAsk: "Deny what would ask",
  delegate: "Only delegates",
};

/** The same for a name that some program wrote: one that is not known stays as it is. */
export function modeWords(name: string): string {
  return Object.entries(MODE_WORDS).find(([mode]) => mode === name)?.[1] ?? name;
}

/** The mode that a given name stands for. */
export function resolveMode(given: GivenMode): PermissionMode {
  return given === "delegate" ? "acceptEdits" : given;
}
