/** What the store is to do, in memory and as plainly as it can be said: tasks, members and inboxes of one team. */
export interface ModelTask {
  id: number;
  subject: string;
  status: "pending" | "in_progress" | "completed";
  owner: string | null;
  blockers: Set<number>;
  needs: string[];
  notes: Record<string, unknown>;
}

export interface ModelUpdate {
  subject?: string;
  status?: ModelTask["status"] | "deleted";
  owner?: string;
  addBlocks?: string[];
  addBlockedBy?: string[];
  metadata?: Record<string, unknown>;
}

/** The reason of a refusal, or the result. */
export type Answer<T> = { refused: string } | { result: T };

export class Model {
  members = ["team-lead"];
  tasks = new Map<number, ModelTask>();
  inboxes = new Map<string, { text: string; read: boolean }[]>();
  lastId = 0;

  addMember(wanted: string): Answer<string> {
    for (let n = 1; ; n += 1) {
      const name = n === 1 ? wanted : `${wanted}-${n}`;
      if (this.members.some((member) => member.toLowerCase() === name.toLowerCase())) continue;
      this.members.push(name);
      this.inboxes.set(name, []); // mail of an earlier one of this name is put away
      return { result: name };
    }
  }

  removeMember(name: string): Answer<boolean> {
    const known = this.members.includes(name);
    this.members = this.members.filter((member) => member !== name);
    return { result: known };
  }

  send(to: string[], text: string): Answer<string[]> {
    const unknown = to.find((name) => !this.members.includes(name));
    if (unknown !== undefined) return { refused: "unknown_member" };
    for (const name of new Set(to)) this.inboxes.set(name, [...(this.inboxes.get(name) ?? []), { text, read: false }]);
    return { result: [...new Set(to)] };
  }

  markRead(name: string): Answer<number> {
    const inbox = this.inboxes.get(name) ?? [];
    const unread = inbox.filter((entry) => !entry.read).length;
    for (const entry of inbox) entry.read = true;
    return { result: unread };
  }

  create(subject: string, owner: string | null, blockedBy: string[], needs: string[]): Answer<number> {
    if (owner !== null && !this.members.includes(owner)) return { refused: "unknown_member" };
    if (blockedBy.some((id) => !this.tasks.has(Number(id)))) return { refused: "unknown_task" };
    this.lastId += 1;
    const blockers = new Set(blockedBy.map(Number));
    this.tasks.set(this.lastId, { id: this.lastId, subject, status: "pending", owner, blockers, needs, notes: {} });
    return { result: this.lastId };
  }

  update(id: string, patch: ModelUpdate, by: string, isAgent: boolean): Answer<number[]> {
    if (patch.owner && !this.members.includes(patch.owner)) return { refused: "unknown_member" };
    const task = this.tasks.get(Number(id));
    if (!task) return { refused: "unknown_task" };
    if (patch.status === "deleted") return { result: this.delete(task) };
    const edges = this.edges(task, patch);
    if ("refused" in edges) return edges;
    const isBlocked = [...(edges.result.get(task.id) ?? [])].some((one) => this.tasks.get(one)?.status !== "completed");
    const owner = patch.owner === undefined ? task.owner : patch.owner || null;
    const isLead = by === "team-lead";
    if (patch.owner !== undefined && isAgent && !isLead && owner === by && task.owner !== null && task.owner !== by) {
      return { refused: "already_claimed" };
    }
    const starter = owner ?? (patch.status === "in_progress" && patch.owner === undefined && isAgent ? by : null);
    if (patch.status === "in_progress" && patch.owner === undefined && task.owner === null && !isAgent) {
      return { refused: "not_allowed" };
    }
    const reassigned = starter !== task.owner && task.status === "in_progress";
    const status = patch.status ?? (reassigned ? "pending" : task.status);
    const starts = status === "in_progress" && (task.status !== "in_progress" || reassigned);
    if (starts) {
      const refused = this.refuseStart(task, starter, by, isAgent, isBlocked);
      if (refused) return { refused };
    }
    if (status === "completed" && task.status !== "completed" && isBlocked && isAgent && !isLead)
      return { refused: "blocked" };
    const before = this.openTasks();
    for (const [blocked, blockers] of edges.result) {
      const one = this.tasks.get(blocked);
      if (one) one.blockers = blockers;
    }
    const completes = status === "completed" && task.status !== "completed";
    Object.assign(task, { status, owner: starter, subject: patch.subject ?? task.subject });
    for (const [key, value] of Object.entries(patch.metadata ?? {})) {
      if (value === null) delete task.notes[key];
      else task.notes[key] = value;
    }
    return { result: completes ? this.freedSince(before, task.id) : [] };
  }

  claim(id: string, by: string, tools: string[]): Answer<number> {
    if (!this.members.includes(by)) return { refused: "unknown_member" };
    const busy = [...this.tasks.values()].find((task) => task.owner === by && task.status === "in_progress");
    if (id === "next") {
      if (busy) return { refused: "agent_busy" };
      const free = [...this.tasks.values()].find(
        (task) => task.status === "pending" && !task.owner && !this.isBlocked(task) && fits(task, tools),
      );
      if (!free) return { refused: "unknown_task" };
      return this.start(free, by);
    }
    const task = this.tasks.get(Number(id));
    if (!task) return { refused: "unknown_task" };
    if (task.status === "completed") return { refused: "already_resolved" };
    if (task.owner && task.owner !== by) return { refused: "already_claimed" };
    if (this.isBlocked(task)) return { refused: "blocked" };
    if (busy && busy.id !== task.id) return { refused: "agent_busy" };
    if (!fits(task, tools)) return { refused: "not_allowed" };
    return this.start(task, by);
  }

  release(owner: string): Answer<number[]> {
    const unfinished = [...this.tasks.values()].filter((task) => task.owner === owner && task.status !== "completed");
    for (const task of unfinished) Object.assign(task, { status: "pending", owner: null });
    return { result: unfinished.map((task) => task.id) };
  }

  isBlocked(task: ModelTask): boolean {
    return [...task.blockers].some((id) => this.tasks.get(id)?.status !== "completed");
  }

  private start(task: ModelTask, by: string): Answer<number> {
    Object.assign(task, { status: "in_progress", owner: by });
    return { result: task.id };
  }

  private refuseStart(
    task: ModelTask,
    owner: string | null,
    by: string,
    isAgent: boolean,
    isBlocked: boolean,
  ): string | undefined {
    if (task.status === "completed") return "already_resolved";
    if (owner === null) return "not_allowed";
    if (isAgent && owner !== by) return "already_claimed";
    if (isBlocked) return "blocked";
    const busy = [...this.tasks.values()].some(
      (one) => one !== task && one.owner === owner && one.status === "in_progress",
    );
    return busy ? "agent_busy" : undefined;
  }

  private delete(task: ModelTask): number[] {
    const before = this.openTasks();
    this.tasks.delete(task.id);
    for (const other of this.tasks.values()) other.blockers.delete(task.id);
    return this.freedSince(before, task.id);
  }

  /** Which pending tasks are blocked, with their blockers. */
  private openTasks(): Map<number, Set<number>> {
    const open = [...this.tasks.values()].filter((task) => task.status === "pending" && this.isBlocked(task));
    return new Map(open.map((task) => [task.id, new Set(task.blockers)]));
  }

  private freedSince(before: Map<number, Set<number>>, by: number): number[] {
    const freed = [...before].filter(([id, blockers]) => blockers.has(by) && id !== by && this.isFree(id));
    return freed.map(([id]) => id).sort((a, b) => a - b);
  }

  private isFree(id: number): boolean {
    const task = this.tasks.get(id);
    return task !== undefined && task.status === "pending" && !this.isBlocked(task);
  }

  private edges(task: ModelTask, { addBlocks = [], addBlockedBy = [] }: ModelUpdate): Answer<Map<number, Set<number>>> {
    const blockers = new Map([...this.tasks.values()].map((one) => [one.id, new Set(one.blockers)]));
    const added = [
      ...addBlocks.map((id) => [task.id, Number(id)] as const),
      ...addBlockedBy.map((id) => [Number(id), task.id] as const),
    ];
    for (const [from, to] of added) {
      if (!this.tasks.has(from) || !this.tasks.has(to)) return { refused: "unknown_task" };
      if (reaches(to, from, blockers)) return { refused: "cycle" };
      blockers.get(to)?.add(from);
    }
    return { result: blockers };
  }
}

/** Whether `from` waits, by way of others, for `to`. */
function reaches(to: number, from: number, blockers: Map<number, Set<number>>): boolean {
  if (from === to) return true;
  return [...(blockers.get(from) ?? [])].some((next) => reaches(to, next, blockers));
}

function fits(task: ModelTask, tools: string[]): boolean {
  return task.needs.every((tool) => tools.includes(tool));
}
