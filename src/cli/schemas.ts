import * as z from "zod";
import { isObject, parseJson } from "../base/json.ts";

/** Schemas of option values. Their messages follow `--option "VALUE": `. */

/** One of a few words; `told`: those that a person is told of. */
export function oneOf<const T extends readonly string[]>(words: T, told: readonly string[] = words) {
  return z.enum(words, { error: `choose one of ${told.join(", ")}` });
}

/** Ids of tasks: `1,2` or `#1, #2`. */
export const idList = z.string().transform((text, context) => {
  const ids = text.split(",").map((id) => id.trim().replace(/^#/, ""));
  if (ids.every((id) => /^[1-9][0-9]{0,14}$/.test(id))) return ids;
  context.addIssue("write ids of tasks with commas between them, such as 1,2");
  return z.NEVER;
});

/** A JSON object. */
export const jsonObject = z.string().transform((text, context): Record<string, unknown> => {
  const value = parseJson(text);
  if (isObject(value)) return value;
  context.addIssue("write a JSON object");
  return z.NEVER;
});

/** Rules with commas or blanks between them; those inside of parentheses belong to a rule. */
export const ruleList = z.string().transform((text) => {
  const rules: string[] = [];
  let depth = 0;
  let rule = "";
  for (const char of text) {
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (depth > 0 || !/[\s,]/.test(char)) rule += char;
    else if (rule !== "") rules.push(rule);
    if (depth <= 0 && /[\s,]/.test(char)) rule = "";
  }
  return rule === "" ? rules : [...rules, rule];
});
