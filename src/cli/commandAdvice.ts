/** What the store advises, which knows no front end, and the command that does it. */
const COMMANDS_FOR: readonly (readonly [string, string])[] = [
  ["List the tasks to see their numbers.", "`muster tasks TEAM` lists them."],
  [": make one there, or choose another root.", ": `muster run` makes one there, and --root names another."],
  ["List the teams to see their names.", "`muster teams` lists them."],
];

/** A sentence of an error as the command line says it: with the command to type where it advises to look something up. */
export function withCommands(sentence: string): string {
  return COMMANDS_FOR.reduce((text, [advice, command]) => text.replace(advice, command), sentence);
}
