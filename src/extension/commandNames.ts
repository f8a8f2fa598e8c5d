/** The commands of the manifest, `muster.` left out. */
export const COMMAND_NAMES = [
  "newTeam",
  "openTeam",
  "openBoard",
  "runDemo",
  "continueTeam",
  "attachTeam",
  "messageMember",
  "openTerminal",
  "nextMember",
  "previousMember",
  "reviewNextRequest",
  "focusNextRequest",
  "interruptMember",
  "changeMode",
  "toggleDelegate",
  "reviewWorkspaceRules",
  "shutDownTeammate",
  "shutDownTeam",
  "deleteTeam",
  "setApiKey",
  "clearApiKey",
  "showLog",
  "showMember",
  "showTeam",
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];
