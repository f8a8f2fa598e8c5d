import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../../src/store/store.ts";
import type { Claimer } from "../../src/store/taskStore.ts";

/** Who changes a task: the person. */
export const person = { by: "user", isAgent: false };

/** Who changes a task: a member. */
export const agent = (by: string) => ({ by, isAgent: true });

/** A member that claims and has just these tools. */
export const claimer = (by: string, ...tools: string[]): Claimer => ({ by, hasTool: (tool) => tools.includes(tool) });

/** A task of the team `demo` as it stands in its file. */
export const rawTask = async (root: string, id: string) =>
  JSON.parse(await readFile(join(root, `tasks/demo/${id}.json`), "utf8"));

/** Creates tasks of the team `demo`, in this order: their ids count from 1. */
export async function createTasks(store: Store, ...subjects: string[]): Promise<void> {
  for (const subject of subjects) await store.tasks.create("demo", { subject });
}
