import { resolve } from "node:path";
import type * as vscode from "vscode";
import * as z from "zod";
import { homeFolder } from "../../team/homeFolder.ts";
import { stateRoot } from "./stateRoot.ts";

/** Where the window's state keeps the state roots of teams that it showed, the latest first. */
const ROOTS_KEY = "muster.roots";

/** So many are kept: each is read when teams are listed. */
const MAX_KEPT = 10;

const rootsSchema = z.array(z.string());

/**
 * The state roots whose teams are offered (absolute, each once): the configured one, the one of Claude Code, and those of
 * teams that this window showed before, such as the demo's.
 */
export function knownRoots(
  configured: string,
  memento: Pick<vscode.Memento, "get">,
  { env, home }: { env: NodeJS.ProcessEnv; home: string } = { env: process.env, home: homeFolder() },
): string[] {
  const roots = [configured, stateRoot("", env, home).root, ...keptRoots(memento)];
  return [...new Set(roots.map((root) => resolve(root)))];
}

/** Notes that a team of this state root is on show. */
export function rememberRoot(memento: Pick<vscode.Memento, "get" | "update">, root: string): void {
  const before = keptRoots(memento);
  if (before[0] === root) return;
  void memento.update(ROOTS_KEY, [root, ...before.filter((other) => other !== root)].slice(0, MAX_KEPT));
}

function keptRoots(memento: Pick<vscode.Memento, "get">): string[] {
  return rootsSchema.safeParse(memento.get(ROOTS_KEY)).data ?? [];
}
