/** Whether one of the arguments asks what a script does. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.some((argument) => argument === "--help" || argument === "-h");
}

/** One sentence for the person who gave `command` (such as `npm run bench`) what it does not take. */
export function noSuchOption(command: string, given: string): string {
  return `\`${command}\` has no option ${JSON.stringify(given)}: run \`${command} -- --help\` to see those there are.`;
}
