import type { AgentInput, Tool } from "../agent/types.ts";
import { isAborted } from "../base/abort.ts";
import { Emitter } from "../base/emitter.ts";
import { errorMessage, isMusterError } from "../base/errors.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import { isInternalTask } from "../protocol/task.ts";
import type { TaskGraph } from "../protocol/taskGraph.ts";
import { isTeamAtRest } from "./atRest.ts";
import type { SessionContext } from "./context.ts";
import { type DigestReason, digestText, type KnownTasks, knownTasks } from "./digest.ts";
import type { Mail } from "./mailroom.ts";
import { runMember, takeWords } from "./memberRun.ts";
import { restState } from "./restState.ts";
import type { Rest } from "./types.ts";
import { waitUntil } from "./waitUntil.ts";
import { mailInputs } from "./wake.ts";

/** What happens at nearly the same time wakes the lead once: milliseconds that it waits for more. */
const SETTLE_MS = 100;

/** The lead's side of a session: its loop, and what its waiting looks like from outside. */
export class Lead {
  private readonly context: SessionContext;
  private readonly tools: readonly Tool[];
  private readonly rests = new Emitter<Rest>();
  private known: KnownTasks = new Map();
  private resting: Rest | null = null;

  constructor(context: SessionContext, tools: readonly Tool[]) {
    this.context = context;
    this.tools = tools;
  }

  readonly onRest = this.rests.event;

  /** How the session rests now, or null while something goes on. */
  get rest(): Rest | null {
    return this.resting;
  }

  /** Runs until `signal` aborts: a run for the goal, then one for everything that wakes the lead. */
  async run(first: readonly AgentInput[], signal: AbortSignal): Promise<void> {
    const running = this.context.lead;
    let inputs = first;
    try {
      for (;;) {
        const outcome = await runMember(this.context, running, this.tools, inputs, signal);
        if (signal.aborted) return;
        const { state, reason } = restState(outcome);
        running.member.setState(state, reason);
        if (outcome.kind === "failed")
          this.setRest({ kind: "failed", reason: outcome.failure.reason, message: outcome.failure.message });
        inputs = await waitUntil(() => this.nextInputs(signal), [this.context.changes.event], signal);
        this.resting = null;
      }
    } catch (error) {
      if (!isAborted(error)) throw error;
    }
  }

  /** The session's rest, as soon as there is one. */
  waitForRest(signal: AbortSignal): Promise<Rest> {
    return waitUntil(async () => this.resting ?? undefined, [this.rests.event], signal);
  }

  /** The lead's loop itself broke: nothing goes on from here. */
  fail(error: unknown): void {
    this.context.lead.member.setState("failed", errorMessage(error));
    this.setRest({ kind: "failed", reason: isMusterError(error) ? error.reason : null, message: errorMessage(error) });
  }

  private async nextInputs(signal: AbortSignal): Promise<AgentInput[] | undefined> {
    const words = this.context.words.length > 0 || this.mail().some((mail) => mail.authority === "person");
    if (!words) {
      if (this.resting?.kind === "failed") return undefined;
      if (this.wakeReason() === undefined && !(await this.atRest())) return undefined;
      await this.context.options.clock.sleep(SETTLE_MS, signal);
    }
    const atRest = !words && (await this.atRest());
    const inputs = this.takeInputs(atRest);
    if (!inputs && atRest) this.setRest(this.restKind());
    return inputs;
  }

  private async atRest(): Promise<boolean> {
    return isTeamAtRest(this.context);
  }

  /** Everything that is new, if there is a reason to run at all. */
  private takeInputs(atRest: boolean): AgentInput[] | undefined {
    const mail = this.mail();
    const idle = this.idleMail();
    const notices = this.context.notices;
    const reason = this.wakeReason() ?? (atRest && (idle.length > 0 || notices.length > 0) ? "at_rest" : undefined);
    const words = takeWords(this.context, this.context.lead);
    if (words.length === 0 && mail.length === 0 && reason === undefined) return undefined;
    const digest = reason === undefined || reason === "mail" ? [] : [this.digestInput(reason, idle)];
    this.known = knownTasks(this.graph());
    const told = notices
      .splice(0)
      .map(({ text }): AgentInput => ({ origin: "system", content: [{ type: "text", text }] }));
    return [...words, ...mailInputs(mail), ...told, ...digest];
  }

  private digestInput(reason: DigestReason, idle: readonly Mail[]): AgentInput {
    const text = digestText(reason, idle, this.graph(), this.known);
    return { origin: "digest", content: [{ type: "text", text }], msgIds: idle.map((mail) => mail.id) };
  }

  /** What wakes the lead while others may still work. */
  private wakeReason(): "mail" | DigestReason | undefined {
    if (this.context.notices.some((notice) => notice.urgent)) return "urgent";
    if (this.idleMail().some(isUrgent)) return "urgent";
    if (this.allCompleted()) return "all_completed";
    return this.mail().length > 0 ? "mail" : undefined;
  }

  /** A teammate completed the last open task since the lead was last told of the tasks. */
  private allCompleted(): boolean {
    const tasks = [...this.graph().tasks.values()].filter((task) => !isInternalTask(task));
    const news = tasks.some(
      (task) => task.owner && task.owner !== LEAD_NAME && this.known.get(task.id) !== "completed",
    );
    return news && tasks.every((task) => task.status === "completed");
  }

  private mail(): readonly Mail[] {
    return this.context.lead.mailroom?.toDeliver ?? [];
  }

  private idleMail(): readonly Mail[] {
    return this.context.lead.mailroom?.kept.filter((mail) => mail.content.kind === "idle_notification") ?? [];
  }

  private graph(): TaskGraph {
    return this.context.team?.watch.snapshot.graph ?? { tasks: new Map(), blockers: new Map(), blocked: new Map() };
  }

  private restKind(): Rest {
    const { deleted } = this.context;
    return deleted ? { kind: "deleted", history: deleted.history } : { kind: "at_rest" };
  }

  private setRest(rest: Rest): void {
    if (this.resting?.kind === rest.kind) return;
    this.resting = rest;
    this.rests.fire(rest);
    this.context.changes.fire();
  }
}

function isUrgent(mail: Mail): boolean {
  if (mail.content.kind !== "idle_notification") return false;
  const reason = mail.content.body.idleReason;
  return reason === "failed" || reason === "interrupted";
}
