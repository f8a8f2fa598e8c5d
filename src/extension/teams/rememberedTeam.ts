import * as z from "zod";

/** What a window keeps of the team that it showed, to show it again after a reload. */
export const rememberedTeamSchema = z.object({
  address: z.object({ root: z.string(), kind: z.enum(["team", "finished", "lead"]), folder: z.string() }),
  result: z.nullable(z.enum(["completed", "incomplete", "failed", "interrupted"])),
  scripted: z.boolean(),
  goal: z.nullable(z.string()),
  title: z.string(),
  cwd: z.nullable(z.string()),
  /** This window ran it, and nobody has ended it. */
  ran: z._default(z.boolean(), false),
  /** The process that ran it last: of a lead that has made no team yet nothing else tells who leads it. */
  process: z.optional(z.object({ pid: z.int(), host: z.string(), startTime: z.nullable(z.string()) })),
});
export type RememberedTeam = z.infer<typeof rememberedTeamSchema>;

/** A team of which nothing is known but where it is. */
export function onlyAddress(address: RememberedTeam["address"]): RememberedTeam {
  return { address, result: null, scripted: false, goal: null, title: address.folder, cwd: null, ran: false };
}
