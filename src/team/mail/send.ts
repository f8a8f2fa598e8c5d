import { newUuid } from "../../protocol/ids.ts";
import { bodyText, type ProtocolBody } from "../../protocol/messageBody.ts";
import { withImageLines } from "../../protocol/messageImage.ts";
import { PERSON_NAME } from "../../protocol/names.ts";
import { isLead } from "../../protocol/team.ts";
import type { ImageBlock } from "../../protocol/transcript.ts";
import type { SendDraft } from "../../store/messageSender.ts";
import { letterMark, type MemberContext, type RunningMember, teamOf } from "../context.ts";

/** A text for one or more members. */
export interface Letter {
  to: readonly string[];
  text: string;
  summary?: string;
  /** Looked for again shortly after it was written, and sent again if a foreign writer overwrote it. */
  mustArrive?: boolean;
}

/**
 * Writes a member's letter into the inboxes of its recipients. What the lead writes gets its authority here, before the
 * file shows it. Throws where anything was not written; nothing is sent to a name that is no member.
 */
export async function sendAs(
  context: MemberContext,
  from: RunningMember,
  letter: Letter,
): Promise<{ to: string; msgId: string }[]> {
  const { member } = from;
  return write(context, member.name, letter, { withColor: member.spec.color, authority: isLead(member) });
}

/** Writes the person's own words; their images are kept first. */
export async function sendAsPerson(
  context: MemberContext,
  to: string,
  text: string,
  images: readonly ImageBlock[] = [],
): Promise<void> {
  const { folder } = teamOf(context);
  const kept = await Promise.all(images.map((image) => context.options.store.images.keep(folder, image)));
  const whole = kept.length === 0 ? text : withImageLines(text, kept);
  await write(context, PERSON_NAME, { to: [to], text: whole, mustArrive: true }, { withColor: null, authority: true });
}

/** Writes a protocol message: no summary, and a color only for the kinds for which the reference has one. */
export async function sendBody(
  context: MemberContext,
  from: RunningMember,
  to: string,
  body: ProtocolBody,
  options: { mustArrive?: boolean } = {},
): Promise<string> {
  const color = COLORED.has(body.type) ? from.member.spec.color : null;
  const letter = { to: [to], text: bodyText(body), ...options };
  const [sent] = await write(context, from.member.name, letter, { withColor: color, authority: isLead(from.member) });
  if (!sent) throw new Error("Nothing was sent.");
  if (body.type === "mode_set_request") context.modesSet.set(sent.to, sent.msgId);
  return sent.msgId;
}

/** Kinds that carry an outer color in the reference (idle, shutdown answers, permission requests). */
const COLORED: ReadonlySet<ProtocolBody["type"]> = new Set([
  "idle_notification",
  "shutdown_approved",
  "shutdown_rejected",
  "permission_request",
]);

async function write(
  context: MemberContext,
  from: string,
  letter: Letter,
  { withColor, authority }: { withColor: string | null; authority: boolean },
): Promise<{ to: string; msgId: string }[]> {
  const { folder } = teamOf(context);
  const sent: { to: string; msgId: string }[] = [];
  for (const to of letter.to) {
    const msgId = newUuid();
    if (authority) context.written.set(msgId, letterMark(from, to, letter, context.incarnationOf(to)));
    const draft: SendDraft = {
      from,
      to: [to],
      text: letter.text,
      msgId,
      ...(letter.summary === undefined ? {} : { summary: letter.summary }),
      ...(withColor === null ? {} : { color: withColor }),
      ...(letter.mustArrive ? { mustArrive: true } : {}),
      ...(authority ? { authority, sign: (entry, { name }) => context.keys.get(name)?.sign(entry) } : {}),
    };
    await context.options.store.inboxes.send(folder, draft);
    sent.push({ to, msgId });
  }
  return sent;
}
