import { patternCovers } from "./pathRules.ts";
import { isReadTool } from "./rules.ts";
import { anyWithin, pathForms, surroundingsOf } from "./surroundings.ts";
import type { DecisionContext } from "./types.ts";

/**
 * Tells of an absolute path whether reading it is denied, for tools that walk folders and leave such files out. Decided
 * by text: ask with the path as it was named and with its real path.
 */
export async function readDenial(context: DecisionContext, signal?: AbortSignal): Promise<(path: string) => boolean> {
  const around = await surroundingsOf(context, signal);
  const rules = context.rules.deny.filter(({ tool }) => isReadTool(tool));
  return (path) => {
    const forms = pathForms({ lexical: path, real: path }, context);
    if (anyWithin(forms, around.outOfReach)) return true;
    return rules.some((rule) => {
      if (rule.content.kind === "any") return rule.tool === "Read";
      if (rule.content.kind !== "path") return false;
      const { pattern } = rule.content;
      return forms.some((form) => patternCovers(pattern, form, around.anchorsOf(rule)));
    });
  };
}
