import * as z from "zod";
import type { TeamScreen } from "../../protocol/panel.ts";
import { isSameTeam, type TeamAddress } from "./shownTeam.ts";

/** What a window keeps of the team that it showed, to show it again after a reload. */
export const rememberedTeamSchema = z.object({
  address: z.object({ root: z.string(), kind: z.enum(["team", "finished", "lead"]), folder: z.string() }),
  result: z.nullable(z.enum(["completed", "incomplete", "failed", "interrupted"])),
  scripted: z.boolean(),
  goal: z.nullable(z.string()),
  /** The panel's key of it, which stays when its files move; absent: it is not known yet. */
  team: z.optional(z.string()),
  title: z.string(),
  cwd: z.nullable(z.string()),
  /** This window ran it, and nobody has ended it. */
  ran: z._default(z.boolean(), false),
  /** The process that ran it last: of a lead that has made no team yet nothing else tells who leads it. */
  process: z.optional(z.object({ pid: z.int(), host: z.string(), startTime: z.nullable(z.string()) })),
});
export type RememberedTeam = z.infer<typeof rememberedTeamSchema>;

/** A team on show. `cwd`: where it works, and `self`: this process, both where this window runs it. */
interface OnShow {
  address: TeamAddress;
  screen: TeamScreen;
  cwd?: string;
  self?: NonNullable<RememberedTeam["process"]>;
}

/** What to keep of the team on show. `before`: what is kept now, of this team or another one, which may have its title. */
export function remembered(before: RememberedTeam | undefined, { address, screen, cwd, self }: OnShow): RememberedTeam {
  const isThere = isSameTeam(before?.address ?? null, address);
  const isSame = isThere || before?.team === screen.team;
  const process = self ?? (isThere ? before?.process : undefined);
  return {
    address,
    result: screen.finished?.result ?? null,
    scripted: screen.scripted,
    goal: screen.goal,
    team: screen.team,
    title: screen.title,
    cwd: cwd ?? (isSame ? (before?.cwd ?? null) : null),
    // a window that only shows it meanwhile, as after a crash, may yet go on with it; other tabs keep the same
    ran: cwd !== undefined || (isThere && before?.ran === true),
    ...(process ? { process } : {}),
  };
}

/** A team of which nothing is known but where it is. */
export function onlyAddress(address: RememberedTeam["address"]): RememberedTeam {
  return { address, result: null, scripted: false, goal: null, title: address.folder, cwd: null, ran: false };
}
