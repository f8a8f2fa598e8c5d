import type { Command } from "./command.ts";
import { attachCommand } from "./commands/attach.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { explainCommand } from "./commands/explain.ts";
import { inboxCommand } from "./commands/inbox.ts";
import { runCommand } from "./commands/run.ts";
import { sendCommand } from "./commands/send.ts";
import { statusCommand } from "./commands/status.ts";
import { taskClaimCommand, taskCreateCommand, taskUpdateCommand } from "./commands/task.ts";
import { tasksCommand } from "./commands/tasks.ts";
import { teammateCommand } from "./commands/teammate.ts";
import { teamsCommand } from "./commands/teams.ts";

/** Every command of the contract (docs/command-line.md), in the order of the help. */
export const COMMANDS: readonly Command[] = [
  teamsCommand,
  statusCommand,
  tasksCommand,
  inboxCommand,
  attachCommand,
  sendCommand,
  taskCreateCommand,
  taskUpdateCommand,
  taskClaimCommand,
  doctorCommand,
  explainCommand,
  runCommand,
  demoCommand,
  teammateCommand,
];
