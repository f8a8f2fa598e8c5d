import { DEFAULT_MODELS } from "./limits/models.ts";
import type { TeamSettings } from "./types.ts";

/** How long members get to agree to stop when the person ends their team, in ms. */
export const STOP_GRACE_MS = 10_000;

/** What holds where nobody has settled anything. The extension's manifest shows the same. */
export const DEFAULT_SETTINGS = {
  model: "sonnet",
  models: DEFAULT_MODELS,
  thinking: "off",
  permissionMode: "default",
  rules: { allow: [], ask: [], deny: [], additionalDirectories: [] },
  approvalTarget: "user",
  autoClaim: true,
  maxMembers: 8,
  budget: { team: 5, member: null },
  requestLimit: 4,
  keepHistory: true,
  afterPlanMode: "default",
} satisfies TeamSettings;
