import { type Field, fieldText } from "./shell/fields.ts";

/**
 * Why a command acts on what may be another agent, or undefined. To drive a terminal is to answer its questions, so no
 * rule and no mode allows that (`guarded`); to end a process is a question whatever rules say.
 */
export function actsOnOthers(
  program: string,
  args: readonly Field[],
): { reason: string; guarded: boolean } | undefined {
  switch (program) {
    case "tmux":
      return looksOnly(args)
        ? undefined
        : { reason: "It acts on terminals, which may be those of other agents.", guarded: true };
    case "screen":
      return args.some((field) => fieldText(field) === "-X")
        ? { reason: "It acts on terminals, which may be those of other agents.", guarded: true }
        : undefined;
    case "kill":
    case "pkill":
    case "killall":
    case "skill":
    case "xkill":
      return endsOwnJobs(program, args)
        ? undefined
        : { reason: "It ends a process, which may be another agent's.", guarded: false };
    default:
      return undefined;
  }
}

function looksOnly(args: readonly Field[]): boolean {
  const verb = args.map(fieldText).find((text) => text === undefined || !text.startsWith("-"));
  if (verb === undefined) return args.every((field) => fieldText(field) === "-V");
  return /^(?:ls|list-[a-z]+|has-session|has|info|show-[a-z-]+)$/.test(verb);
}

/** `%1` and `$!` are jobs of this very shell; `-l` lists names, `-0` asks whether a process lives. */
function endsOwnJobs(program: string, args: readonly Field[]): boolean {
  if (program !== "kill") return false;
  const operands = args.filter((field, index) => {
    const text = fieldText(field) ?? "";
    return !(text.startsWith("-") || /^-(?:s|n)$/.test(fieldText(args[index - 1]) ?? ""));
  });
  if (args.some((field) => /^-(?:l|L|0)$/.test(fieldText(field) ?? ""))) return true;
  return (
    operands.length > 0 && operands.every((field) => /^%[\w+-]*$/.test(fieldText(field) ?? "") || field.raw === "$!")
  );
}
