import { afterAll, beforeEach, expect, it, vi } from "vitest";
import type { Services } from "../../../../src/extension/services.ts";

interface Box {
  prompt: string;
  validateInput(typed: string): string | undefined;
}

/** What the person was asked; `type` is what they answer. */
const asked = { boxes: [] as Box[], type: "" };

vi.mock("vscode", () => ({
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)])),
  },
  window: {
    showInputBox: async (box: Box) => {
      asked.boxes.push(box);
      return asked.type;
    },
  },
}));

const { raiseBudget } = await import("../../../../src/extension/limits/raiseBudget.ts");
afterAll(() => vi.doUnmock("vscode"));
beforeEach(() => Object.assign(asked, { boxes: [], type: "" }));

/** A team without a budget that spent $3.20, $1.10 of it by alice. */
function servicesOf({ scripted }: { scripted: boolean }) {
  const raised: [string | null, number][] = [];
  const session = {
    scripted,
    members: () => [{ name: "alice", displayName: "Alice" }],
    budgets: {
      team: null,
      member: () => null,
      spent: (member: string | null) => (member === null ? 3.2 : 1.1),
      raise: async (member: string | null, amount: number) => void raised.push([member, amount]),
    },
  };
  const services = { teams: { live: { session }, current: null }, say: (text: string) => text };
  return { services: services as unknown as Services, raised };
}

it("tells what was spent where there is no budget yet, and takes none below that", async () => {
  const { services, raised } = servicesOf({ scripted: false });
  asked.type = "4";
  await raiseBudget(services, undefined);
  await raiseBudget(services, { member: "alice", to: null });
  expect(asked.boxes.map(({ prompt }) => prompt)).toEqual([
    "$3.20 are spent. New budget of this team, in USD:",
    "$1.10 are spent. New budget of Alice, in USD:",
  ]);
  expect(asked.boxes.map((box) => box.validateInput("1"))).toEqual([
    "That much is spent already: choose a higher budget.",
    "That much is spent already: choose a higher budget.",
  ]);
  expect(raised).toEqual([
    [null, 4],
    ["alice", 4],
  ]);
});

it("takes no amount for a team that costs nothing", async () => {
  const { services, raised } = servicesOf({ scripted: true });
  asked.type = "4";
  await expect(raiseBudget(services, undefined)).rejects.toMatchObject({ reason: "not_ready" });
  await expect(raiseBudget(services, { member: null, to: 9 })).rejects.toMatchObject({ reason: "not_ready" });
  expect([asked.boxes, raised]).toEqual([[], []]);
});
