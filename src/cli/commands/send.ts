import * as z from "zod";
import { MusterError } from "../../base/errors.ts";
import { isProtocolText } from "../../protocol/messageBody.ts";
import { foldName, LEAD_NAME, PERSON_NAME, SYSTEM_NAME } from "../../protocol/names.ts";
import type { TeamConfig } from "../../protocol/team.ts";
import { resolveMember } from "../../store/teamFile.ts";
import { defineCommand, value } from "../command.ts";
import { readText, writeResult } from "../context.ts";
import { EXIT } from "../exitCodes.ts";

/** `muster send TEAM AGENT TEXT`. */
export const sendCommand = defineCommand({
  name: "send",
  args: ["TEAM", "AGENT|'*'", "TEXT"],
  summary: "Send a message to a member, or to all with '*'",
  notes:
    "A message from `user` has no authority here: it arrives as one of a peer, marked as not verified. Decisions are made in the window, or on the terminal or standard input of `muster run`.",
  options: {
    from: value("NAME", "a member, or user (the default)", z.string()),
    summary: value("TEXT", "five to ten words for previews", z.string()),
  },
  async run({ args, options }, context) {
    const text = await readText(args.TEXT, "TEXT", context.io);
    if (isProtocolText(text))
      throw new MusterError("not_allowed", "The text is itself a protocol message: say it in words.");
    const store = context.store();
    const team = await store.teams.resolve(args.TEAM);
    const config = await store.teams.read(team);
    const from = senderOf(team, config, options.from ?? PERSON_NAME);
    const sent = await store.inboxes.send(team, {
      from: from.name,
      to: recipientsOf(config, from.name, args["AGENT|'*'"]),
      text,
      ...(from.color === undefined ? {} : { color: from.color }),
      ...(options.summary === undefined ? {} : { summary: options.summary }),
    });
    writeResult(context, { sent: sent.map(({ to, msgId }) => ({ to, msg_id: msgId })) }, () =>
      sent.length === 0 ? "Nobody to send it to." : `Sent to ${sent.map(({ to }) => to).join(", ")}.`,
    );
    return EXIT.done;
  },
});

/** Whose message it is. The lead's and the runtime's names carry an authority that a command cannot give. */
function senderOf(team: string, config: TeamConfig, given: string): { name: string; color?: string | undefined } {
  const member = foldName(given) === PERSON_NAME ? null : resolveSender(team, config, given);
  return member ?? { name: PERSON_NAME };
}

function resolveSender(team: string, config: TeamConfig, given: string) {
  const refused = new MusterError(
    "not_allowed",
    `A command cannot speak as ${given}: use --from with a teammate's name, or user.`,
  );
  if (foldName(given) === SYSTEM_NAME || foldName(given) === LEAD_NAME) throw refused;
  const member = resolveMember(team, config, given);
  if (member.name === LEAD_NAME) throw refused;
  return { name: member.name, color: member.color };
}

function recipientsOf(config: TeamConfig, from: string, given: string): string[] {
  if (given !== "*") return [given];
  return config.members.filter((member) => member.name !== from).map((member) => member.name);
}
