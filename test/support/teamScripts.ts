import {
  call,
  type MemberScript,
  type Reply,
  type ScriptedTeam,
  type Step,
  scriptedTeam,
  steps,
  type Turn,
} from "../../src/demo/script.ts";

/** A teammate's spawn, for the lead's replies. */
export function spawn(name: string, more: Record<string, unknown> = {}) {
  return call("Task", { name, prompt: `You are ${name}. Wait for work.`, subagent_type: "general-purpose", ...more });
}

/** The call that makes the team `demo`. */
export const createTeam = call("TeamCreate", { team_name: "demo", description: "A team for tests" });

/** A message to a member, as its model sends it. */
export function message(recipient: string, content: string, summary = content) {
  return call("SendMessage", { type: "message", recipient, content, summary });
}

/** The call that makes a task. */
export function task(subject: string, description = "Do it.") {
  return call("TaskCreate", { subject, description });
}

/** The call that changes a task. */
export function update(taskId: string, patch: Record<string, unknown>) {
  return call("TaskUpdate", { taskId, ...patch });
}

/** A reply of calls. */
export function calls(...list: NonNullable<Reply["calls"]>): Reply {
  return { calls: list };
}

/** Answers a shutdown request with yes, anything else with nothing. */
export function agreeable(turn: Turn): Reply | string {
  const id = shutdownId(turn);
  return id === undefined
    ? "Nothing to do."
    : calls(call("SendMessage", { type: "shutdown_response", request_id: id, approve: true }));
}

/** The id of a shutdown request among what just came in. */
export function shutdownId(turn: Turn): string | undefined {
  return /shutdown-\d+@[\w-]+/.exec(turn.incoming.text)?.[0];
}

/** Answers the last plan that came in; one that is sent back gets the feedback. */
export function decidePlan(approve: boolean, feedback = ""): (turn: Turn) => Reply {
  return ({ request }) => {
    const ids = JSON.stringify(request.messages).matchAll(/requestId\\*":\s*\\*"([\w@.-]+)/g);
    const id = [...ids].at(-1)?.[1];
    const answer = { type: "plan_approval_response", recipient: "alice", request_id: id, approve, content: feedback };
    return calls(call("SendMessage", answer));
  };
}

/** Steps, then an agreeable silence. */
export function script(...list: Step[]): MemberScript {
  return steps(list, agreeable);
}

/** A team of scripts; members that are not named are agreeable. */
export function team(members: Record<string, MemberScript>): ScriptedTeam {
  return scriptedTeam(members, steps([], agreeable));
}

/** A lead that makes a team, spawns alice and has no more to say; what alice does is the test's. */
export function teamOfAlice(alice: MemberScript): ScriptedTeam {
  return team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting."), alice });
}
