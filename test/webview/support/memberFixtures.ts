import type { MemberRef, MemberRow } from "../../../src/protocol/panel.ts";

/** `minutes` ago, in ms since the epoch. */
export const ago = (minutes: number) => Date.now() - minutes * 60_000 - 500;

const teammate = (name: string, color: string, displayName = name): MemberRef => ({
  name,
  displayName,
  color,
  role: "teammate",
});
export const lead: MemberRef = { name: "team-lead", displayName: "team-lead", color: null, role: "lead" };
export const person: MemberRef = { name: "user", displayName: "user", color: null, role: "person" };
export const backend = teammate("backend", "blue");
export const frontend = teammate("frontend", "green");
export const researcher = teammate("yan-jiu-yuan", "yellow", "研究员");
export const reviewer = teammate("ledger-and-idempotency-reviewer", "purple");
export const docs = teammate("docs", "orange");
export const pink = teammate("copywriter", "pink");
const cyan = teammate("infra", "cyan");

const row = (
  member: MemberRef,
  state: MemberRow["state"],
  detail: string,
  tokens: number,
  minutes: number,
  waiting = 0,
): MemberRow => ({
  ...member,
  state,
  detail,
  since: ago(minutes),
  tokens,
  cost: tokens / 140_000,
  backend: "in-process",
  mode: "default",
  waiting,
  unread: 0,
});

/** Six members, as the pictures of the design have them. */
export const members: MemberRow[] = [
  row(lead, "working", "Splitting #13 into two tasks", 96_000, 0.66),
  row(backend, "waiting", "2 requests", 148_000, 2, 2),
  row(frontend, "failed", "model overloaded, tries again at 14:21", 61_000, 1),
  row(researcher, "idle", "no task is ready for it", 72_000, 6),
  row(reviewer, "waiting", "plan", 94_000, 1, 1),
  row(docs, "starting", "in a terminal", 15_000, 0.13),
];

/** Eight members in every state. */
export const eightMembers: MemberRow[] = [
  ...members,
  row(pink, "suspect", "no sign of life for 20 s", 1_250_000, 75),
  row(cyan, "dead", "its process ended", 900, 3000),
];
