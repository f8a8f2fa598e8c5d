import type { ToolOutput } from "../../agent/types.ts";
import { MusterError } from "../../base/errors.ts";
import { planRequestId } from "../../protocol/ids.ts";
import type { Decision, PlanRequest } from "../../protocol/request.ts";
import type { MemberContext, RunningMember } from "../context.ts";
import { currentTask } from "../currentTask.ts";
import { setMemberMode } from "../memberMode.ts";
import { awaitDecision } from "./awaitDecision.ts";
import { ensurePlanFile } from "./planFile.ts";

/** EnterPlanMode: from here on the member may only read and write its plan. */
export async function enterPlanMode(context: MemberContext, running: RunningMember): Promise<ToolOutput> {
  const path = await ensurePlanFile(context, running);
  if (running.member.permission.mode !== "plan") {
    running.modeBeforePlan = running.member.permission.mode;
    await setMemberMode(context, running, "plan", running.member.permission.fixed);
  }
  return { content: `You are in plan mode. Write your plan to ${path}, then call ExitPlanMode.` };
}

/**
 * ExitPlanMode. Where a person, a flag or the spawn set plan mode, the call stays open until the plan is decided; where
 * the model itself entered it, it returns at once.
 */
export async function exitPlanMode(
  context: MemberContext,
  running: RunningMember,
  given: string | undefined,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { member } = running;
  if (member.permission.mode !== "plan") return failed("You are not in plan mode: there is nothing to leave.");
  const plan = await readPlan(context, running, given);
  if (!member.permission.fixed) {
    await setMemberMode(context, running, running.modeBeforePlan ?? context.options.settings.permissionMode, false);
    return { content: `You have left plan mode. Your plan is at ${running.planFile}.` };
  }
  return submit(context, running, plan, signal);
}

async function submit(
  context: MemberContext,
  running: RunningMember,
  plan: string,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { member } = running;
  const earlier = context.reopened.takePlan(member.name);
  const request = earlier?.planContent === plan ? earlier : planRequest(context, running, plan);
  const told = { waitsFor: "plan", what: "your plan" };
  const decision = await awaitDecision(context, running, { request, earlier }, told, signal);
  if ("undecided" in decision) return failed(`${decision.undecided} You are still in plan mode.`);
  return settle(context, running, request, decision);
}

async function settle(
  context: MemberContext,
  running: RunningMember,
  request: PlanRequest,
  decision: Decision,
): Promise<ToolOutput> {
  if (decision.kind === "approve") {
    await setMemberMode(context, running, decision.mode, false);
    return {
      content: `The plan was approved (${request.id}). You have left plan mode; your mode is now ${decision.mode}. Carry the plan out.`,
    };
  }
  const feedback = decision.kind === "reject" ? decision.feedback.trim() : "";
  return {
    content: [
      `The plan was sent back (${request.id}). You are still in plan mode.`,
      feedback === "" ? "No comment was given." : `Comments: ${feedback}`,
      `Change the plan at ${request.planFilePath}, then call ExitPlanMode again.`,
    ].join("\n"),
  };
}

function planRequest(context: MemberContext, running: RunningMember, plan: string): PlanRequest {
  const now = context.growing(context.options.clock.now());
  running.plansSubmitted += 1;
  return {
    kind: "plan",
    id: planRequestId(now, running.member.name, context.team?.folder ?? "none"),
    from: running.member.name,
    createdAt: now,
    task: currentTask(context, running.member.name)?.id ?? null,
    said: null,
    planFilePath: running.planFile ?? "",
    planContent: plan,
    version: running.plansSubmitted,
    afterMode: context.options.settings.afterPlanMode,
  };
}

async function readPlan(context: MemberContext, running: RunningMember, given: string | undefined): Promise<string> {
  const path = await ensurePlanFile(context, running);
  if (given !== undefined && given.trim() !== "") {
    await context.options.store.plans.write(path, given);
    return given;
  }
  const plan = await context.options.store.plans.read(path);
  if (plan === null || plan.trim() === "") {
    throw new MusterError(
      "not_ready",
      `There is no plan yet, so nothing was submitted. Write it to ${path}, then call ExitPlanMode again.`,
    );
  }
  return plan;
}

function failed(text: string): ToolOutput {
  return { content: text, isError: true };
}
