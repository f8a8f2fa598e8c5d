import { expect, it } from "vitest";
import { type RememberedTeam, remembered } from "../../../../src/extension/teams/rememberedTeam.ts";
import type { TeamAddress } from "../../../../src/extension/teams/shownTeam.ts";
import type { TeamScreen } from "../../../../src/protocol/panel.ts";

const at = (folder: string, kind: TeamAddress["kind"] = "team"): TeamAddress => ({ root: "/state", kind, folder });

/** What the panel shows of a team that is called *shop*. */
function screen(team: string, finished: { result: "completed" } | null = null): TeamScreen {
  return { team, title: "shop", goal: "Go.", scripted: false, finished } as TeamScreen; // nothing else is read
}

const process = { pid: 1, host: "h", startTime: null };

it("keeps where a team works and that this window ran it while it is shown, and where it works when its files have moved", () => {
  const ran = remembered(undefined, { address: at("shop"), screen: screen("s1"), cwd: "/work", self: process });
  const known = { goal: "Go.", title: "shop", team: "s1", scripted: false, result: null };
  expect(ran).toEqual({ ...known, address: at("shop"), cwd: "/work", ran: true, process } satisfies RememberedTeam);
  expect(remembered(ran, { address: at("shop"), screen: screen("s1") })).toEqual(ran);
  const address = at("shop-1", "finished");
  const ended = remembered(ran, { address, screen: screen("s1", { result: "completed" }) });
  expect(ended).toEqual({ ...known, address, result: "completed", cwd: "/work", ran: false });
});

it("takes nothing over from another team of the same title", () => {
  const ran = remembered(undefined, { address: at("shop"), screen: screen("s1"), cwd: "/work", self: process });
  const other = remembered(ran, { address: at("shop-2"), screen: screen("s2") });
  expect(other).toMatchObject({ cwd: null, ran: false });
  expect(other).not.toHaveProperty("process");
});
