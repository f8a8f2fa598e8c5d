import { isAborted } from "../../base/abort.ts";
import { systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import { STOP_GRACE_MS } from "../../team/defaultSettings.ts";
import { createTeamSession } from "../../team/session.ts";
import type { SessionOptions, SessionSummary, TeamSession } from "../../team/types.ts";
import type { CliContext } from "../context.ts";
import { makeStyle } from "../render/style.ts";
import { usableWidth } from "../render/table.ts";
import { visibleLine } from "../render/visibleText.ts";
import { reportError } from "../reportError.ts";
import { tellSentence } from "../tellSentence.ts";
import { type ApproveMode, type Decider, decideByPolicy, type Policy } from "./approver.ts";
import { approveByAsking } from "./askApprover.ts";
import { leadInterruption } from "./leadInterruption.ts";
import { humanOutput, jsonOutput, type MemberLook, type RunOutput } from "./output.ts";
import { approveAll, approveNone } from "./policies.ts";
import { requestText, restOfRequest } from "./requestText.ts";
import { listenToSignals } from "./signals.ts";
import { approveByStdin } from "./stdinApprover.ts";
import { tellTmux } from "./tellTmux.ts";
import { type RunEnd, toldEnd } from "./toldEnd.ts";

/** A run that is ready to start: nothing that is wrong with the call can come up any more. */
export interface RunPlan {
  goal: string;
  approve: ApproveMode;
  session: SessionOptions;
}

/** Runs a team until it is at rest, then ends it in order. Tells everything on the way; resolves to the exit code. */
export async function runTeam(plan: RunPlan, context: CliContext): Promise<number> {
  const session = createTeamSession({
    ...plan.session,
    ...(plan.approve === "ask"
      ? { awaitsWords: (members) => tellSentence(context.io, waitText(members.map(look))) }
      : {}),
  });
  const owned = new DisposableStore();
  const look = memberLook(session, owned);
  const output = context.json
    ? jsonOutput(context, systemClock.now)
    : humanOutput(context, session.cwd, look, plan.approve !== "ask");
  const stop = stopSwitch();
  const interruption = leadInterruption(session, (sentence) => tellSentence(context.io, sentence));
  owned.add(interruption);
  const tellEnding = (what: string) => {
    if (session.members().length > 1)
      tellSentence(context.io, `${what}: members have ${STOP_GRACE_MS / 1_000} s to stop.`);
  };
  const signals = listenToSignals(context.io, {
    interruptLead: interruption.interrupt,
    end(cause) {
      if (cause === "Ctrl-C") tellEnding("Ending the team");
      stop.now({ kind: "ended", cause });
    },
    endsAlready: () => stop.end?.kind !== "handed_over" && tellEnding("The team is ending"),
    outputClosed: () => stop.now({ kind: "unheard", fault: context.io.outputFault }),
  });
  owned.add(signals);
  context.notes.show();
  try {
    owned.add(session.events((event) => output.event(event)));
    owned.add(tellTmux(session, plan.session, context, output.note));
    owned.add(session.onHandover(() => stop.now({ kind: "handed_over" })));
    const giveUp = (reason: string) => stop.now({ kind: "given_up", reason });
    const approving = startApproving(plan.approve, session, {
      context,
      output,
      look,
      interrupt: signals.interrupt,
      giveUp,
      over: stop.signal,
    });
    owned.add(approving);
    session.start(plan.goal);
    const rested = await untilRest(session, stop);
    signals.ends();
    const end: RunEnd = rested.kind === "rest" && interruption.stands() ? { kind: "ended", cause: "Ctrl-C" } : rested;
    if (plan.approve === "ask") approving.dispose(); // nobody is asked any more
    const summary = await leave(session, end);
    const told = toldEnd(end, summary);
    output.finished(told);
    return told.event.exit;
  } finally {
    owned.dispose();
  }
}

/** That a run on a terminal goes on for the sake of members that the person interrupted. */
function waitText(members: readonly { displayName: string }[]): string {
  const names = members.map(({ displayName }) => displayName).join(", ");
  const who =
    members.length === 1 ? `${names} was interrupted at its terminal` : `Interrupted at their terminals: ${names}`;
  return `${who}: the run waits for what you type there. Ctrl-C twice ends the team.`;
}

/** Ends the session in order, or leaves it to the process that takes it over. */
async function leave(session: TeamSession, end: RunEnd): Promise<SessionSummary> {
  if (end.kind !== "handed_over") {
    const interrupted = end.kind === "ended" || end.kind === "unheard";
    return session.end({ graceMs: STOP_GRACE_MS, interrupted });
  }
  const summary = await session.summary(true);
  await session.suspend();
  return summary;
}

/** What ends a run before it is at rest: the first cause counts. */
interface StopSwitch {
  readonly signal: AbortSignal;
  readonly end: RunEnd | null;
  now(end: RunEnd): void;
}

function stopSwitch(): StopSwitch {
  const controller = new AbortController();
  let first: RunEnd | null = null;
  return {
    signal: controller.signal,
    get end() {
      return first;
    },
    now: (end) => {
      first ??= end;
      controller.abort();
    },
  };
}

async function untilRest(session: TeamSession, stop: StopSwitch): Promise<RunEnd> {
  try {
    return { kind: "rest", rest: await session.waitForRest(stop.signal) };
  } catch (error) {
    if (!isAborted(error) || !stop.end) throw error;
    return stop.end;
  }
}

interface ApprovingParts {
  context: CliContext;
  output: RunOutput;
  look: MemberLook;
  interrupt(): void;
  /** The lead itself is beyond help. */
  giveUp(reason: string): void;
  /** Aborted: the run is being ended, and nobody is asked any more. */
  over: AbortSignal;
}

function startApproving(mode: ApproveMode, session: TeamSession, parts: ApprovingParts): Disposable {
  const { io, env } = parts.context;
  const decider: Decider = {
    desk: session.requests,
    decide: (id, decision, by) => session.requests.decide(id, decision, by),
    failMember: async (member, reason) => {
      if (member === LEAD_NAME) parts.giveUp(reason);
      else await session.failMember(member, reason);
    },
  };
  const report = (error: unknown) => reportError(error, io, { json: false, debug: Boolean(env["MUSTER_DEBUG"]) });
  const byPolicy = (policy: Policy) => decideByPolicy(policy, decider, report);
  switch (mode) {
    case "all":
      return byPolicy(approveAll());
    case "none":
      return byPolicy(approveNone("flag"));
    case "stdin":
      return approveByStdin(io, decider, report, approveNone("input_ended"));
    case "ask": {
      const style = makeStyle(io.stderr.colors);
      const show = (request: PendingRequest) => {
        const { displayName, color } = parts.look(request.from);
        const who = style.member(visibleLine(displayName), color);
        const others = session.requests.pending.length - 1;
        return requestText(request, who, usableWidth(io.stderr.columns), style, others);
      };
      const rest = (request: PendingRequest) => restOfRequest(request, usableWidth(io.stderr.columns), style);
      const terminal = { io, show, rest, holdOutput: parts.output.hold, onInterrupt: parts.interrupt };
      const asking = approveByAsking(terminal, decider, report);
      parts.over.addEventListener("abort", () => asking.dispose(), { once: true });
      return asking;
    }
  }
}

/** Names and colours of members, those that have left included. */
function memberLook(session: TeamSession, owned: DisposableStore): MemberLook {
  const known = new Map<string, { displayName: string; color: string | null }>();
  const learn = () => {
    for (const { name, displayName, color } of session.members()) known.set(name, { displayName, color });
  };
  owned.add(session.onDidChange(learn));
  return (member) => {
    learn();
    return known.get(member) ?? { displayName: member, color: null };
  };
}
