import { LEAD_NAME } from "../../protocol/names.ts";
import type { MemberContext, RunningMember } from "../context.ts";
import { sendBody } from "../mail/send.ts";
import { decisionEvent, requestBody, requestEvent, waitingRequest } from "../requests/requestEntry.ts";
import type { RequestJournal } from "../requests/requests.ts";

/**
 * Takes the requests of a process member to its lead: an entry in the lead's inbox that is unread while it waits. The
 * lead's process writes the log of decisions.
 */
export function createMemberJournal(context: () => MemberContext, running: () => RunningMember): RequestJournal {
  const entries = new Map<string, string>();
  return {
    async asked(request) {
      const { team, options, events } = context();
      if (!team) return;
      const { entries: inbox } = await options.store.inboxes.read(team.folder, LEAD_NAME);
      const known = waitingRequest(inbox, request.id); // asked again after a restart
      const body = requestBody(request);
      entries.set(request.id, known ?? (await sendBody(context(), running(), LEAD_NAME, body, { mustArrive: true })));
      events.fire(requestEvent(request));
    },
    async decided(request, decided) {
      entries.delete(request.id);
      context().events.fire(decisionEvent(request.id, decided));
    },
    async withdrawn(request) {
      const { team, options, suspended } = context();
      if (suspended || !team) return;
      const { inboxes } = options.store;
      const own = entries.get(request.id);
      entries.delete(request.id);
      const entry = own ?? waitingRequest((await inboxes.read(team.folder, LEAD_NAME)).entries, request.id);
      if (entry !== undefined) await inboxes.markRead(team.folder, LEAD_NAME, [entry]);
    },
    async refused(id, _decision, why) {
      context().options.logger.warn(`An answer to request ${id} was not used: ${why}.`);
    },
  };
}
