import { hiddenCharacter } from "./hiddenCharacters.ts";
import type { Surroundings } from "./surroundings.ts";
import type { DecisionPart } from "./types.ts";
import { allow, ask, deny, type Verdict } from "./verdict.ts";

/** Judges a shell command: for now an exact rule or a question. */
export async function judgeShellCommand(
  command: string,
  { context }: Surroundings,
): Promise<{ verdict: Verdict; parts: DecisionPart[] }> {
  const text = command.trim();
  const same = (rules: typeof context.rules.allow) =>
    rules.find(({ tool, content }) => tool === "Bash" && content.kind === "command" && content.pattern.text === text);
  const denied = same(context.rules.deny);
  const asked = same(context.rules.ask);
  const hidden = hiddenCharacter(command);
  const allowed =
    same(context.rules.allow) ??
    context.rules.allow.find(({ tool, content }) => tool === "Bash" && content.kind === "any");
  const verdict = command.includes("\0")
    ? deny("The command holds a NUL character.")
    : denied
      ? deny(`The rule ${denied.text} denies it.`, denied.text)
      : context.mode === "plan"
        ? deny("In plan mode commands do not run: leave plan mode first.")
        : asked
          ? ask("rule", `The rule ${asked.text} asks.`, { rule: asked.text })
          : hidden
            ? ask("guarded", `The command holds ${hidden}.`)
            : allowed
              ? allow(`The rule ${allowed.text} allows it.`, allowed.text)
              : ask("plain", "No rule covers this command.");
  const part = {
    text,
    covered: verdict.behavior === "allow",
    behavior: verdict.behavior,
    rule: verdict.rule,
    reason: verdict.reason,
  };
  return { verdict, parts: [part] };
}
