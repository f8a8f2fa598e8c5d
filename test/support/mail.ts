import type { Entry } from "../../src/protocol/message.ts";
import { createMailReader, type MailByRecipient, type MailSources } from "../../src/team/views/mail.ts";

/** What the recipients of these entries got, all of them members. */
export function mailIn(inboxes: ReadonlyMap<string, Entry[]>): MailByRecipient {
  const read: MailSources = {
    config: { name: "t", members: [...inboxes.keys()].map((name) => ({ agentId: `${name}@t`, name })) },
    ...{ presence: new Map(), archives: new Map(), finishedAt: null },
    inboxes: new Map([...inboxes].map(([to, entries]) => [to, { entries, faults: [] }])),
  };
  return createMailReader()(read);
}
