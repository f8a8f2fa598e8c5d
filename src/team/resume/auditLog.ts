import { type AuditLine, auditLineSchema } from "../../protocol/audit.ts";
import type { Decision, PendingRequest, PermissionSuggestion } from "../../protocol/request.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import type { Notice } from "../context.ts";
import { keptSuggestions, suggestedDirectories, suggestedRules } from "../requests/suggested.ts";

/** What the lines of an `audit.jsonl` come to for the process that goes on with its session. */
export interface AuditLog {
  /** Requests that nobody has decided. */
  open: PendingRequest[];
  /** Rules that the person allowed for the session, and folders that it added. */
  rules: string[];
  directories: string[];
  /** What the lead's model was to be told of members that left. */
  left: Notice[];
  /** The person paused the team then (ms); null: it is not paused. */
  pausedSince: number | null;
  /** Budgets that the person raised, in USD, by member; the team's under an empty name. */
  budgets: Map<string, number>;
  /** How many plans each member handed in. */
  plans: Map<string, number>;
}

/** Reads the audit log of a team, or of a lead that has none yet. A line of another kind counts for nothing. */
export async function readAuditLog(store: Store, owner: TranscriptOwner): Promise<AuditLog> {
  const read: Reading = {
    asked: new Map(),
    open: new Map(),
    log: { rules: [], directories: [], left: [], pausedSince: null, budgets: new Map(), plans: new Map() },
  };
  for (const value of await store.audit.read(owner)) {
    const line = auditLineSchema.safeParse(value).data;
    if (line) take(line, read);
  }
  return { ...read.log, open: [...read.open.values()] };
}

/** By `keyOf`. */
interface Reading {
  asked: Map<string, PendingRequest>;
  open: Map<string, PendingRequest>;
  log: Omit<AuditLog, "open">;
}

function take(line: AuditLine, { asked, open, log }: Reading): void {
  switch (line.event) {
    case "asked": {
      const { request } = line;
      const key = keyOf(request);
      // one that is asked again after a restart is no other plan
      if (request.kind === "plan" && !asked.has(key))
        log.plans.set(request.from, (log.plans.get(request.from) ?? 0) + 1);
      asked.set(key, request);
      open.set(key, request);
      return;
    }
    case "decided": {
      const kept = keptForSession(asked.get(keyOf(line)), line.decision);
      log.rules.push(...suggestedRules(kept));
      log.directories.push(...suggestedDirectories(kept));
      open.delete(keyOf(line));
      return;
    }
    case "withdrawn":
      open.delete(keyOf(line));
      return;
    case "paused":
      log.pausedSince = Date.parse(line.at) || 0; // since when may be damaged: it is paused all the same
      return;
    case "resumed":
      log.pausedSince = null;
      return;
    case "budget":
      log.budgets.set(line.member ?? "", line.limit);
      return;
    case "left":
      log.left.push(line);
      return;
    case "mode": // stands in the member's presence
    case "refused":
      return;
  }
}

/** Whose id it is, too: a program chooses the ids of its requests, and must not have another's decided for its own. */
function keyOf({ from, id }: { from: string; id: string }): string {
  return JSON.stringify([from, id]);
}

function keptForSession(request: PendingRequest | undefined, decision: Decision): PermissionSuggestion[] {
  const forSession = request?.kind === "permission" && decision.kind === "allow" && decision.scope === "session";
  return forSession ? keptSuggestions(request, decision) : [];
}
