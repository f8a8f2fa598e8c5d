import { always, call, type MemberScript, type ScriptedTeam, scriptedTeam, steps } from "../../../src/demo/script.ts";

/** A team in which everybody answers everything with one short text, and calls nothing. */
export function answeringTeam(text = "Noted."): ScriptedTeam {
  return scriptedTeam({}, always(text));
}

/**
 * A team in which the lead makes a team of teammates that answer every message with one short text, and then rests.
 * For tests of delivery: each message to a teammate makes it ask once.
 */
export function listeningTeam(teammates: readonly string[], teamName = "listening"): ScriptedTeam {
  const lead: MemberScript = steps(
    [
      { step: "create the team", calls: [call("TeamCreate", { team_name: teamName })] },
      {
        step: "spawn",
        calls: teammates.map((name) =>
          call("Task", {
            name,
            team_name: teamName,
            subagent_type: "general-purpose",
            description: "Listen",
            prompt: "Listen.",
          }),
        ),
      },
    ],
    "Noted.",
  );
  return scriptedTeam({ "team-lead": lead }, always("Noted."));
}
