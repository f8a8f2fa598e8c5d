import type { ShownMode } from "../../protocol/mode.ts";
import type { MemberRef, MemberRow } from "../../protocol/panel.ts";
import { type BackendType, type MemberState, type Presence, SUSPECT_AFTER_MS } from "../../protocol/team.ts";
import { totalTokens } from "../../protocol/transcript.ts";
import type { MemberView } from "../types.ts";
import { INTERRUPTED_WAIT } from "./idleWait.ts";

/** A member as its own process or its presence file tells of it. */
export interface MemberFacts {
  name: string;
  state: MemberState;
  /** Milliseconds; null where it is not known. */
  since: number | null;
  reason: string | null;
  activity: { tool: string; argument: string } | null;
  tokens: number;
  /** USD. Where a price is not known: the part that its own budget has counted; absent or null: there is none. */
  cost?: number | null;
  /** USD that it may cost for itself; absent or null: there is no such limit. */
  budget?: number | null;
  backend: BackendType | null;
  mode: ShownMode | null;
  /** Something holds it back: its team is paused, or it is for itself. */
  held: boolean;
}

/** What the rest of the team tells of a member. */
export interface MemberSurroundings {
  ref: MemberRef;
  /** Titles of its requests that wait. */
  requests: readonly string[];
  /** What the lead waits for from the person, beside requests. */
  awaited: "an answer" | "another try" | null;
  /** Its task in progress, or the one that waits for others. */
  task: string | null;
  /** What a teammate waits for while it is idle. */
  idleWait: string | null;
  unread: number;
}

/** What a session knows of a member beside its view. */
export interface ViewSurroundings {
  /** It is a lead that only delegates. */
  delegates: boolean;
  /** Something holds it back. */
  held: boolean;
  /** A request of it waits for the person. */
  asks: boolean;
}

/** Facts of a member that this process leads. One whose request is decided, or not put yet, waits for nobody. */
export function factsOfView(view: MemberView, { delegates, held, asks }: ViewSurroundings): MemberFacts {
  const { name, since, activity, usage, backend } = view;
  const [state, reason] = view.state === "waiting" && !asks ? (["working", null] as const) : [view.state, view.reason];
  const mode = view.isLead && delegates ? "delegate" : view.mode;
  return { name, state, since, reason, activity, tokens: totalTokens(usage), backend, mode, held };
}

/**
 * Facts of a member of another process; `presence` is null where it never wrote any. `hasListened` false: whoever asks
 * cannot tell yet who is silent (`createListening`).
 */
export function factsOfPresence(
  name: string,
  presence: Presence | null,
  backend: BackendType | null,
  now: number,
  hasListened = true,
): MemberFacts {
  if (!presence)
    return {
      name,
      state: "unknown",
      since: null,
      reason: null,
      activity: null,
      tokens: 0,
      backend,
      mode: null,
      held: false,
    };
  const silent = hasListened && now - presence.beat > SUSPECT_AFTER_MS;
  const state = silent && presence.state !== "dead" && presence.state !== "failed" ? "suspect" : presence.state;
  const since = (silent ? presence.beat : presence.since) || null;
  const mode = presence.delegates ? "delegate" : (presence.mode ?? null);
  const { reason = null, tokens = 0 } = presence;
  return { name, state, since, reason, activity: null, tokens, backend, mode, held: false };
}

/** One line of the list of members. */
export function memberRow(member: MemberFacts, surroundings: MemberSurroundings): MemberRow {
  const { ref, requests, awaited, unread } = surroundings;
  const state = awaited !== null || requests.length > 0 ? "waiting" : member.state;
  const paused = member.held && (state === "working" || state === "starting");
  return {
    ...ref,
    state,
    ...(paused ? { paused } : {}),
    ...(state === "working" && member.reason !== null && !paused ? { waitsForApi: true } : {}),
    ...(state === "waiting" && member.state !== "waiting" && member.state !== "working" ? { rests: true } : {}),
    detail: detailOf(state, member, surroundings),
    since: member.since,
    tokens: member.tokens,
    ...(typeof member.cost === "number" ? { cost: member.cost } : {}),
    ...(typeof member.budget === "number" ? { budget: member.budget } : {}),
    backend: member.backend,
    mode: member.mode,
    waiting: requests.length + (awaited !== null ? 1 : 0),
    unread,
  };
}

function detailOf(
  state: MemberState,
  member: MemberFacts,
  { requests, awaited, task, idleWait }: MemberSurroundings,
): string {
  const doing = member.activity ? `${member.activity.tool} ${member.activity.argument}`.trim() : null;
  switch (state) {
    case "waiting":
      if (requests.length > 1) return `${requests.length} requests`;
      return requests[0] ?? awaited ?? member.reason ?? "a decision";
    case "working":
      return member.reason ?? doing ?? task ?? "";
    case "idle":
      if (member.reason === "interrupted") return `interrupted, ${INTERRUPTED_WAIT}`;
      return member.reason ?? idleWait ?? task ?? "";
    default:
      return member.reason ?? "";
  }
}
