/** Tools that change nothing outside of the team's own files. */
const MESSAGE_AND_TASK_TOOLS = ["SendMessage", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"] as const;
const FILE_TOOLS = ["Read", "Write", "Edit", "Glob", "Grep", "Bash", "WebFetch"] as const;
const READING_TOOLS = ["Read", "Glob", "Grep", "WebFetch"] as const;
const PLAN_TOOLS = ["EnterPlanMode", "ExitPlanMode"] as const;
const LEAD_TOOLS = ["TeamCreate", "TeamDelete", "Task"] as const;

/** Tools without side effects outside of the team's state: the permission engine lets them pass unless a rule denies them. */
export const TEAM_TOOLS: ReadonlySet<string> = new Set([
  ...MESSAGE_AND_TASK_TOOLS,
  ...PLAN_TOOLS,
  ...LEAD_TOOLS,
  "Agent",
]);

/** Tools that a lead keeps in delegate mode. */
export const DELEGATE_TOOLS: ReadonlySet<string> = new Set([...MESSAGE_AND_TASK_TOOLS, ...LEAD_TOOLS, "Agent"]);

/** Tools that make a new member; `Agent` is another name for `Task`. */
export const SPAWN_TOOLS: ReadonlySet<string> = new Set(["Task", "Agent"]);

/** Agent types that every team knows, with what the lead is told of them. */
export const AGENT_TYPES = {
  "general-purpose": {
    about: "reads, edits and runs commands: for every task that changes something",
    tools: [...FILE_TOOLS, ...MESSAGE_AND_TASK_TOOLS, ...PLAN_TOOLS],
  },
  Explore: {
    about: "reads and searches, changes nothing: for questions about the code",
    tools: [...READING_TOOLS, ...MESSAGE_AND_TASK_TOOLS, "ExitPlanMode"],
  },
  Plan: {
    about: "reads, searches and writes a plan, changes nothing else: for designs that somebody has to approve",
    tools: [...READING_TOOLS, ...MESSAGE_AND_TASK_TOOLS, "ExitPlanMode"],
  },
  Bash: {
    about: "only runs commands: for builds, test runs and git",
    tools: ["Bash", ...MESSAGE_AND_TASK_TOOLS],
  },
} as const satisfies Record<string, { about: string; tools: readonly string[] }>;

export type AgentType = keyof typeof AGENT_TYPES;

/** The types that a lead can name when it spawns a teammate. */
export const AGENT_TYPE_NAMES = Object.keys(AGENT_TYPES) as AgentType[];

/** Names of the lead's tools: everything. */
export const LEAD_TOOL_NAMES: readonly string[] = [
  ...FILE_TOOLS,
  ...MESSAGE_AND_TASK_TOOLS,
  ...PLAN_TOOLS,
  ...LEAD_TOOLS,
];

/** Names of the tools that a teammate of this type has; of one that another program made up: all. */
export function toolNamesOf(type: string): readonly string[] {
  return Object.hasOwn(AGENT_TYPES, type) ? AGENT_TYPES[type as AgentType].tools : AGENT_TYPES["general-purpose"].tools;
}
