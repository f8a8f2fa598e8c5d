import type { Clock } from "../base/clock.ts";
import { Emitter } from "../base/emitter.ts";
import type { PermissionMode } from "../protocol/mode.ts";
import { type BackendType, isLead, type MemberState } from "../protocol/team.ts";
import { addUsage, type Usage, ZERO_USAGE } from "../protocol/transcript.ts";
import { type Bill, billOf, withBill } from "./limits/cost.ts";
import type { MemberView } from "./types.ts";

/** What is settled when a member starts. */
export interface MemberSpec {
  name: string;
  displayName: string;
  agentType: string;
  /** Full id. */
  model: string;
  color: string | null;
  backend: BackendType;
  mode: PermissionMode;
  planModeRequired: boolean;
  /** Whether a person or a flag set the mode: then leaving plan mode is theirs to decide. */
  modeIsFixed: boolean;
  incarnation: string;
}

/** A member of the session: its identity, and its state as this process knows it. */
export class Member {
  readonly spec: Readonly<MemberSpec>;
  private readonly clock: Clock;
  private readonly changes = new Emitter<"state" | "activity">();
  private current: { state: MemberState; since: number; reason: string | null };
  private tool: MemberView["activity"] = null;
  /** What the API counted for it, in this process and before; `addUsage` adds to it. */
  bills: readonly Bill[] = [];
  /** The mode at its next decision; `fixed`: set by a person or a flag, so that leaving plan mode is theirs to decide. */
  permission: { mode: PermissionMode; fixed: boolean };

  constructor(spec: MemberSpec, clock: Clock) {
    this.spec = spec;
    this.clock = clock;
    this.current = { state: "starting", since: clock.now(), reason: null };
    this.permission = { mode: spec.mode, fixed: spec.modeIsFixed || spec.planModeRequired };
  }

  readonly onDidChange = this.changes.event;

  get name(): string {
    return this.spec.name;
  }

  get state(): MemberState {
    return this.current.state;
  }

  setState(state: MemberState, reason: string | null = null): void {
    if (this.current.state === state && this.current.reason === reason) return;
    this.current = { state, since: this.clock.now(), reason };
    this.changes.fire("state");
  }

  setActivity(activity: MemberView["activity"]): void {
    this.tool = activity;
    this.changes.fire("activity");
  }

  /** What a reply or summary used, by its record. */
  addUsage(record: { usage: Usage; at: string }): void {
    this.bills = withBill(this.bills, billOf(this.spec.model, record));
    this.changes.fire("activity");
  }

  view(): MemberView {
    const { name, displayName, agentType, model, color, backend, planModeRequired, incarnation } = this.spec;
    const { state, since, reason } = this.current;
    const used = this.bills.map(({ usage }) => usage).reduce(addUsage, ZERO_USAGE);
    return {
      ...{ name, incarnation, displayName, isLead: isLead(this.spec), color, agentType, model, backend },
      ...{ planModeRequired, mode: this.permission.mode, state, since, reason, activity: this.tool, usage: used },
    };
  }
}
