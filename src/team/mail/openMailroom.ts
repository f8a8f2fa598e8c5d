import { requestIdOf } from "../../protocol/messageBody.ts";
import { isLead } from "../../protocol/team.ts";
import { authorityOf, type RunningMember, type SessionContext } from "../context.ts";
import { type Mail, Mailroom, type Routing } from "./mailroom.ts";

/** Gives a member of this process its mailroom, and reads what is there already. Before there is a team it has none. */
export async function openMailroom(context: SessionContext, running: RunningMember): Promise<void> {
  if (!context.team) return;
  const { store, logger, settings } = context.options;
  const mailroom = new Mailroom({
    store,
    team: context.team.folder,
    agent: running.member.name,
    incarnation: running.incarnation,
    logger,
    authorityOf: (entry, id) => authorityOf(context, running.member.name, entry, id),
    route: (mail) => (isLead(running.member) ? routeForLead(mail) : routeForTeammate(running, mail)),
    asks: ({ content }) =>
      isLead(running.member) && settings.approvalTarget === "lead" && content.kind === "plan_approval_request",
    delivered: running.transcript.flatMap((record) => (record.kind === "input" ? (record.msgIds ?? []) : [])),
  });
  mailroom.onDidChange(() => context.changes.fire());
  running.mailroom = mailroom;
  await mailroom.check();
}

/** Requests wait in the lead's inbox until they are decided, idle notices until a digest; the rest is for its model. */
function routeForLead(mail: Mail): Routing {
  switch (mail.content.kind) {
    case "plan_approval_request":
    case "permission_request":
    case "sandbox_permission_request":
    case "idle_notification":
      return "keep";
    case "shutdown_approved":
    case "task_completed":
      return "done";
    default:
      return "deliver";
  }
}

/** Decisions in the file are records: a member of this process got the real one in memory. */
function routeForTeammate(running: RunningMember, mail: Mail): Routing {
  const { content, authority } = mail;
  switch (content.kind) {
    case "permission_response":
    case "plan_approval_response":
    case "sandbox_permission_response":
    case "mode_set_request":
    case "interrupt_request":
    case "team_permission_update":
      return "done";
    case "shutdown_request": {
      const id = requestIdOf(content.body);
      if (authority === "lead" && id !== undefined) running.shutdownRequests.add(id);
      return "deliver";
    }
    default:
      return "deliver";
  }
}
