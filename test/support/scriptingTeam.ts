import { acceptMemberName, acceptTeamName } from "../../src/protocol/names.ts";
import { createStore, type Store } from "../../src/store/store.ts";

/** A team on disk that nobody runs: lead, alice and a member with a display name. */
export async function scriptingTeam(root: string, typedName = "demo"): Promise<Store> {
  const store = createStore({ root });
  const name = acceptTeamName(typedName);
  const session = crypto.randomUUID();
  const now = Date.now();
  await store.teams.create({
    ...name,
    ...{ description: "A team for scripts", leadSessionId: session, leadModel: "sonnet", leadAgentType: "team-lead" },
    ...{ cwd: "/project", now },
  });
  for (const typed of ["alice", "研究员"])
    await store.teams.addMember(
      name.name,
      {
        ...{ agentType: "general-purpose", model: "haiku", prompt: "Work.", joinedAt: now, cwd: "/project" },
        ...{ backendType: "in-process", tmuxPaneId: "in-process", mode: "default" },
      },
      acceptMemberName(typed),
      { leadSessionId: session, maxMembers: 8 },
    );
  return store;
}
