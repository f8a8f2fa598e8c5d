import { checkResult, expectResult, expectText, resultObject } from "../../../src/demo/expectations.ts";
import { call, type MemberScript, type ScriptedTeam, scriptedTeam, steps } from "../../../src/demo/script.ts";

export interface SilentTeamOptions {
  /** Names of the teammates. */
  teammates?: readonly string[];
  /** Whether each teammate completes a task of its own; else there are no tasks. */
  tasks?: boolean;
  /** What the lead says when it is woken at rest. */
  addsNothing?: string;
}

/**
 * A team whose teammates finish and say nothing: no message to anybody, no word at the end but one. The lead adds
 * nothing when it is told that the team rests. A second wake of the lead, or of a teammate by anything but a request to
 * stop, fails the script.
 */
export function silentTeam(options: SilentTeamOptions = {}): ScriptedTeam {
  const { teammates = ["ann", "ben"], tasks = true, addsNothing = "I have nothing to add." } = options;
  const members = teammates.map((name, index) => [name, teammate(tasks ? String(index + 1) : undefined)] as const);
  return scriptedTeam({ "team-lead": lead(teammates, tasks, addsNothing), ...Object.fromEntries(members) });
}

function lead(teammates: readonly string[], tasks: boolean, addsNothing: string): MemberScript {
  const spawn = (team: string) =>
    teammates.map((name) =>
      call("Task", {
        name,
        team_name: team,
        subagent_type: "general-purpose",
        description: "Be quiet",
        prompt: `Do your work, ${name}.`,
      }),
    );
  return async function* (first) {
    let turn = first;
    turn = yield { step: "create the team", calls: [call("TeamCreate", { team_name: "silent" })] };
    const team = String(resultObject(turn.incoming.results[0]!)["team_name"]);
    if (tasks) {
      turn = yield {
        step: "create the tasks",
        calls: teammates.map((name) => call("TaskCreate", { subject: `Work of ${name}`, description: "" })),
      };
      for (const result of turn.incoming.results) checkResult(result, "created successfully");
    }
    turn = yield { step: "spawn", calls: spawn(team) };
    for (const result of turn.incoming.results) checkResult(result, "Spawned successfully");
    turn = yield { step: "rest", text: "They are at work." };
    expectText(turn, tasks ? /^(?:The team is at rest|All tasks are completed)\./ : /^The team is at rest\./);
    // Tasks that are completed one after another may tell the lead before the last teammate rests.
    if (tasks && turn.incoming.text.startsWith("All tasks"))
      expectText(yield { step: "told of the tasks", text: addsNothing }, "The team is at rest.");
    yield { step: "told that the team rests", text: addsNothing };
  };
}

function teammate(task: string | undefined): MemberScript {
  const stop: MemberScript = async function* (first) {
    const id = /"requestId":"([^"]+)"/.exec(expectText(first, "shutdown_request"))?.[1];
    yield {
      step: "agree to stop",
      calls: [call("SendMessage", { type: "shutdown_response", request_id: id, approve: true })],
    };
  };
  const work =
    task === undefined
      ? steps(["Done."])
      : steps([
          { step: "take the task", calls: [call("TaskUpdate", { taskId: task, status: "in_progress" })] },
          (turn) => {
            expectResult(turn, `Updated task #${task}`);
            return { step: "complete the task", calls: [call("TaskUpdate", { taskId: task, status: "completed" })] };
          },
          "Done.",
        ]);
  return async function* (first) {
    const begun = work(first);
    let turn = first;
    for (let next = await begun.next(); !next.done; next = await begun.next(turn)) turn = yield next.value;
    yield* stop(turn);
  };
}
