import { type Field, fieldText } from "./shell/fields.ts";

const PACKAGE_MANAGERS = /^(?:npm|pnpm|yarn)$/;

/**
 * How many words a rule must name to speak of a command that changes the configuration of git or of a package manager:
 * it lies in protected files, names programs, and outlives the command. Undefined where the command does no such thing.
 */
export function configurationWords(program: string, fields: readonly Field[]): number | undefined {
  const words = fields.map((field) => fieldText(field) ?? "");
  const at = words.indexOf("config");
  if (at < 1) return undefined;
  if (program === "git")
    return words.slice(1, at).every(isOption) && changesGit(words.slice(at + 1)) ? at + 1 : undefined;
  if (!PACKAGE_MANAGERS.test(program)) return undefined;
  return words.slice(1, at).every(isOption) && /^(?:set|delete|edit)$/.test(words[at + 1] ?? "") ? at + 1 : undefined;
}

function isOption(word: string): boolean {
  return word.startsWith("-");
}

/** Whether `git config` does more than show what there is. */
function changesGit(words: readonly string[]): boolean {
  if (words.some((word) => /^(?:--get|--list$|-l$|get$|list$)/.test(word))) return false;
  if (words.some((word) => /^(?:-e|--(?:unset|add|replace|rename|remove|edit).*)$/.test(word))) return true;
  const takesValue = /^(?:-f|--file|--blob|--type|--default)$/;
  return words.filter((word, index) => !isOption(word) && !takesValue.test(words[index - 1] ?? "")).length > 1;
}
