import { afterAll, expect, it, vi } from "vitest";
import type { Services } from "../../../../src/extension/services.ts";
import type { AttentionItem, MemberRow } from "../../../../src/protocol/panel.ts";
import { shownTeam } from "../../../support/shownTeam.ts";

/** What the pick that opened last holds. */
let rows: { label: string; kind?: number; description?: string; choose?: () => unknown }[] = [];

vi.mock("vscode", () => ({
  l10n: { t: (text: string) => text },
  ThemeIcon: class {},
  QuickPickItemKind: { Separator: -1 },
  window: {
    showQuickPick: async (items: typeof rows) => {
      rows = items;
    },
  },
}));

const { pickFromTeam } = await import("../../../../src/extension/members/pickFromTeam.ts");
afterAll(() => vi.doUnmock("vscode"));

const lead = { name: "team-lead", displayName: "Lead", color: null, role: "lead" } as const;
const alice = { name: "alice", displayName: "Alice", color: "blue", role: "teammate" } as const;

/** Opens the pick of a team in which these things wait; resolves to what the panel is asked to reveal. */
async function pick(attention: AttentionItem[], members: MemberRow[] = []): Promise<unknown[]> {
  const shown = shownTeam();
  const current = { ...shown, state: () => ({ ...shown.state(), attention, members }) };
  const revealed: unknown[] = [];
  const panel = { open() {}, reveal: (what: unknown) => void revealed.push(what) };
  const services = { teams: { current, live: current }, panel, say: (text: string) => text };
  await pickFromTeam(services as unknown as Services);
  return revealed;
}

it("names who asks, but nobody for what is the whole team's, or where the title has the name", async () => {
  const base = { id: "x", createdAt: 1, task: null, said: null };
  const budget = { ...base, kind: "budget", spent: 2, limit: 1, next: 3 } as const;
  await pick([
    { ...budget, from: lead, member: null, title: "Raise the team's budget" },
    { ...budget, from: alice, member: "alice", title: "Raise the budget" },
    { ...base, kind: "answer", from: lead, title: "Lead waits for you", text: "" },
  ]);
  expect(rows.slice(0, 4).map(({ label, description }) => [label, description])).toEqual([
    ["Waiting for you", undefined],
    ["Raise the team's budget", ""],
    ["Raise the budget", "Alice"],
    ["Lead waits for you", ""],
  ]);
});

it("promises no terminal of the lead, whose conversation is shown", async () => {
  const row = { state: "idle", detail: "", since: null, tokens: 0, backend: null, mode: null, waiting: 0, unread: 0 };
  const revealed = await pick([], [{ ...row, ...lead } as MemberRow]);
  expect(rows.map(({ label }) => label)).toEqual(["Members", "Lead", "Show the Team"]);
  rows[1]?.choose?.();
  expect(revealed).toEqual([{ kind: "member", name: "team-lead" }]);
});
