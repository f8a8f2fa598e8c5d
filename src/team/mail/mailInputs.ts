import type { AgentInput } from "../../agent/types.ts";
import { wrapForModel } from "../../protocol/message.ts";
import type { Mail } from "./mailroom.ts";

const ORDER = ["person", "shutdown", "lead", "peer"] as const;

/** The order in which unread messages are put before a model: person, shutdown, lead, peers; each by arrival. */
function inWakeOrder(mail: readonly Mail[]): Mail[] {
  return ORDER.flatMap((rank) => mail.filter((item) => rankOf(item) === rank));
}

/**
 * The inputs of a run that takes these messages: the person's words as they are, everything else in the wrapper, one
 * input for each origin so that a transcript shows who spoke.
 */
export function mailInputs(mail: readonly Mail[]): AgentInput[] {
  const ordered = inWakeOrder(mail);
  const words = ordered.filter((item) => item.authority === "person");
  const others = ordered.filter((item) => item.authority !== "person");
  return [...words.map(personInput), ...(others.length > 0 ? [wrappedInput(others)] : [])];
}

/** The person's own words, with the images that go with them. */
export function personInput(mail: Mail): AgentInput {
  return { origin: "person", content: [{ type: "text", text: mail.entry.text }, ...mail.images], msgIds: [mail.id] };
}

function wrappedInput(mail: readonly Mail[]): AgentInput {
  const text = wrapForModel(
    mail.map(({ entry, authority }) => ({
      from: entry.from,
      text: entry.text,
      color: entry.color,
      summary: entry.summary,
      verified: authority !== "unverified",
    })),
  );
  return { origin: "mail", content: [{ type: "text", text }], msgIds: mail.map((item) => item.id) };
}

function rankOf(mail: Mail): (typeof ORDER)[number] {
  if (mail.authority === "person") return "person";
  if (mail.authority !== "lead") return "peer";
  return mail.content.kind === "shutdown_request" ? "shutdown" : "lead";
}
