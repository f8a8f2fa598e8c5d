import { type Field, fieldText } from "./shell/fields.ts";

/**
 * Code that a command takes as an argument or on its standard input. `scripts` and `commands` can be read and are judged
 * like everything else; `hidden` says what cannot be read, so that no rule for the outer command covers it.
 */
export interface CodeArguments {
  scripts: readonly string[];
  commands: readonly (readonly Field[])[];
  hidden: string | undefined;
  /** A rule that names at least so many words speaks of what is hidden. */
  named?: number;
  /** Words that may be a command: looked into for deny and ask rules only. */
  search?: readonly Field[];
  /** Nothing but that code decides what the command does. */
  transparent: boolean;
}

/** No code at all. */
export const NO_CODE: CodeArguments = { scripts: [], commands: [], hidden: undefined, transparent: false };

/** Code that cannot be read. */
export function hiddenCode(why: string, named?: number): CodeArguments {
  return { ...NO_CODE, hidden: why, ...(named === undefined ? {} : { named }) };
}

/** Words that are joined by blanks and read as shell text. */
export function joinedScript(args: readonly Field[]): CodeArguments {
  const words = args.map(fieldText);
  const known = words.filter((word) => word !== undefined);
  if (known.length < words.length) return hiddenCode("What it runs is not known.");
  return { ...NO_CODE, scripts: [(known[0] === "--" ? known.slice(1) : known).join(" ")], transparent: true };
}
