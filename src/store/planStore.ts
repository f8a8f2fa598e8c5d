import { dirname, join } from "node:path";
import { writeFileAtomic } from "./atomicFile.ts";
import { listDir, withDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import type { StoreContext } from "./storeContext.ts";

/** `{root}/plans/{three-words}.md`: plans, which their members write themselves. */
export interface PlanStore {
  /** A path that no plan has yet. */
  newPath(): Promise<string>;
  /** Null where there is no such file. */
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
}

/** The plans of a store. */
export function createPlanStore(context: StoreContext): PlanStore {
  const given = new Set<string>();
  return {
    async newPath() {
      const { plans } = context.paths;
      const names = await withFileErrors("The plans cannot be listed", plans, () => listDir(context.fs, plans));
      const taken = new Set([...names, ...given]);
      for (;;) {
        const name = `${pick(MANNERS)}-${pick(DOINGS)}-${pick(THINGS)}.md`;
        if (taken.has(name)) continue;
        given.add(name);
        return join(plans, name);
      }
    },
    read: (path) =>
      withFileErrors("The plan cannot be read", path, async () => {
        try {
          return (await context.fs.read(path)).bytes.toString("utf8");
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      }),
    write: (path, text) =>
      withFileErrors("The plan was not written", path, () =>
        withDir(context.fs, dirname(path), null, () => writeFileAtomic(context.fs, path, text)),
      ),
  };
}

const MANNERS = words(
  "amber brisk calm candid clear copper crisp deft eager early fair firm fond frank fresh gentle glad golden grand keen kind late lively lucid mellow mild neat noble open patient plain proud quick quiet rapid ready silver simple sincere sober steady stout sunny swift tidy vivid warm wise",
);
const DOINGS = words(
  "asking baking binding brewing building calling carving casting climbing counting crossing drawing drifting fixing folding forging gathering grinding growing joining knitting laying leading lifting linking mapping mending milling minding moving painting planting pressing raising reading roaming rowing sailing setting shaping sorting sowing spinning sweeping testing turning walking weaving",
);
const THINGS = words(
  "acorn anchor anvil apple arch badger barge basil beacon birch bridge brook candle canal cedar clover compass cricket dune ember falcon fern finch fjord garnet gate harbor hazel heron island jetty kettle lantern ledger lichen maple marsh meadow orchard otter pebble pine plum quarry raven reed river saddle sparrow thistle timber valley willow",
);

function words(text: string): string[] {
  return text.split(" ");
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? "plain";
}
