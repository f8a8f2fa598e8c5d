import * as z from "zod";
import { permissionModeSchema } from "./mode.ts";
import { LEAD_NAME } from "./names.ts";
import { timeSchema } from "./time.ts";

/** `{root}/teams/{T}/config.json`, as 2.1.41 writes it; unknown fields of other writers are kept. */

/** Where a member's loop runs. */
export const BACKENDS = ["in-process", "terminal", "tmux"] as const;
export type BackendType = (typeof BACKENDS)[number];

/** Colours of teammates, in order of spawning; the ninth is blue again. */
const MEMBER_COLORS = ["blue", "green", "yellow", "purple", "orange", "pink", "cyan", "red"] as const;
export type MemberColor = (typeof MEMBER_COLORS)[number];

/** Our own data of a member, under `muster`. `incarnation` tells two members of one name apart. */
const memberMusterSchema = z.looseObject({
  displayName: z.optional(z.string()),
  incarnation: z.optional(z.string()),
  spawnNonce: z.optional(z.string()),
});

/** A member. The reference keeps members with string `agentId` and `name` and ignores the rest; so do we. */
export const memberSchema = z.looseObject({
  agentId: z.string(),
  name: z.string(),
  agentType: z.optional(z.string()),
  model: z.optional(z.string()),
  prompt: z.optional(z.string()),
  color: z.optional(z.string()),
  planModeRequired: z.optional(z.boolean()),
  joinedAt: z.optional(timeSchema),
  tmuxPaneId: z.optional(z.string()),
  cwd: z.optional(z.string()),
  subscriptions: z.optional(z.array(z.unknown())),
  backendType: z.optional(z.string()),
  isActive: z.optional(z.boolean()),
  mode: z.optional(z.string()),
  muster: z.optional(memberMusterSchema),
});
export type Member = z.infer<typeof memberSchema>;

/** Why nothing of a team, or of one member, goes on: the person paused it, or its budget is used up. `since` in ms. */
const holdSchema = z.looseObject({ by: z.enum(["person", "budget"]), since: timeSchema });
export type Hold = { by: "person" | "budget"; since: number };

/** Our own data of a team, under `muster`. Its presence marks a team as ours. */
const teamMusterSchema = z.looseObject({
  version: z.literal(1),
  displayName: z.optional(z.string()),
  goal: z.optional(z.string()),
  /** Members that ever joined: the index of the next colour. */
  spawned: z.optional(z.number()),
  /** What holds the team, or members of it by name, as its lead's process says. */
  paused: z
    .optional(z.looseObject({ team: z.optional(holdSchema), members: z.optional(z.record(z.string(), holdSchema)) }))
    .catch(undefined),
});

/** `config.json` of a team, of ours or of another program: fields that are not known here stay as they are. */
export const teamConfigSchema = z.looseObject({
  name: z.string(),
  description: z.optional(z.string()),
  createdAt: z.optional(timeSchema),
  leadAgentId: z.optional(z.string()),
  leadSessionId: z.optional(z.string()),
  members: z.array(z.unknown()).transform((members) =>
    members.flatMap((member) => {
      const parsed = memberSchema.safeParse(member);
      return parsed.success ? [parsed.data] : [];
    }),
  ),
  /** Only 2.1.178 and later write it. */
  leadProcess: z.optional(z.looseObject({ pid: z.optional(z.number()) })),
  muster: z.optional(teamMusterSchema),
});
export type TeamConfig = z.infer<typeof teamConfigSchema>;

/** The generation of the reference that wrote a team: entries of G2 have a `type`, those of G3 `msgV` too. Ours count as G1. */
export type Generation = "G1" | "G2" | "G3";

/** The colour of the n-th teammate that joined, counted from 0. */
export function memberColor(index: number): MemberColor {
  return MEMBER_COLORS[index % MEMBER_COLORS.length] ?? "blue";
}

/** Whether this member is the team's lead. */
export function isLead(member: Pick<Member, "name">): boolean {
  return member.name === LEAD_NAME;
}

/** The name to show for a member. */
export function displayNameOf(member: Pick<Member, "name" | "muster">): string {
  return member.muster?.displayName ?? member.name;
}

/** What holds a member back, as config.json says; null: nothing. */
export function holdIn({ muster }: TeamConfig, name: string): Hold | null {
  const { team, members = {} } = muster?.paused ?? {};
  return team ?? (Object.hasOwn(members, name) ? (members[name] ?? null) : null);
}

/** State of a member, as every surface names it. */
const MEMBER_STATES = [
  "starting",
  "working",
  "waiting",
  "idle",
  "stopping",
  "suspect",
  "dead",
  "failed",
  "unknown",
] as const;
export type MemberState = (typeof MEMBER_STATES)[number];

/** Whether a member of this state is in the middle of something: neither idle nor gone for good. */
export function isBusy(state: MemberState): boolean {
  return state === "starting" || state === "working" || state === "waiting" || state === "stopping";
}

/** A member whose presence is not renewed for longer than this is suspect, in ms. */
export const SUSPECT_AFTER_MS = 20_000;

/**
 * `{T}/muster/presence/{agent}.json`: written by the member's own runtime only, every 5 s and on every change of state.
 * `since`: when the state began (ms). `reason`: what stands behind the state, for a person.
 */
export const presenceSchema = z.looseObject({
  incarnation: z.string(),
  state: z.enum(MEMBER_STATES),
  since: timeSchema,
  beat: timeSchema,
  pid: z.number(),
  host: z.string(),
  startTime: z.nullable(z.string()),
  reason: z.optional(z.string()),
  tokens: z.optional(z.number()),
  /** Of a process member: what it was given at its start, so that its lead knows that it is the one. */
  nonce: z.optional(z.string()),
  /** What the member needs to go on after a restart. `fixed`: leaving plan mode takes a decision. */
  mode: z.optional(permissionModeSchema),
  fixed: z.optional(z.boolean()),
  planFile: z.optional(z.string()),
  modeBeforePlan: z.optional(permissionModeSchema),
  /** Of a lead: whether it is in delegate mode. */
  delegates: z.optional(z.boolean()),
  /**
   * Of a lead: its session ends or ended in order, so no next host goes on with it by itself. Of a teammate's own process:
   * the person ended it there, so it has not failed.
   */
  ended: z.optional(z.boolean()),
});
export type Presence = z.infer<typeof presenceSchema>;
