import path from "node:path";
import * as z from "zod";
import type { Store } from "../../store/store.ts";
import { defineCommand, value } from "../command.ts";
import { EXIT } from "../exitCodes.ts";
import { usageError } from "../usageError.ts";

/** `muster explain --cases FILE`. */
export const explainCommand = defineCommand({
  name: "explain",
  args: [],
  usage: "--cases FILE",
  summary: "Say what the permission engine decides about calls",
  notes:
    'One JSON line a case: {"id", "decision", "rule", "reason"}. A case is {"id", "mode", "rules": {"allow", "ask", "deny"}, "cwd", "tool", "input", "fixture"?, "platform"?}; {PROJ}, {HOME}, {OUT}, {TEAMS}, {TASKS} and {PLAN} stand for places of a temporary folder, in which its fixture is set up. Nothing runs.',
  options: { cases: value("FILE", "a JSON array, or JSON Lines; - reads standard input; needed", z.string()) },
  async run({ options }, context) {
    if (options.cases === undefined) throw usageError("--cases FILE is missing.");
    const store = context.store();
    const file = path.resolve(context.cwd, options.cases);
    const text = options.cases === "-" ? await context.io.readInput() : await readCases(store, file);
    if (text === null) throw usageError(`There is no file ${file}: name one with cases, or - for standard input.`);
    const { explainCases } = await import("../explain/explainCases.ts"); // the engine is loaded only where it decides
    await explainCases(text, store.pathFs, context);
    return EXIT.done;
  },
});

/** Null: there is none. */
async function readCases(store: Store, file: string): Promise<string | null> {
  const isFolder = await store.pathFs.lstat(file).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
  if (isFolder) throw usageError(`${file} is a folder: name a file with cases, or - for standard input.`);
  return await store.texts.readOptional(file);
}
