import path from "node:path";
import type { Store } from "../store/store.ts";
import { defaultStateRoot } from "../team/homeFolder.ts";
import type { CliIo } from "./cliIo.ts";
import type { FaultNotes } from "./openStore.ts";
import { usableWidth } from "./render/table.ts";
import { wrapPainted } from "./render/wrapText.ts";
import { usageError } from "./usageError.ts";

/** What a command works with. */
export interface CliContext {
  readonly io: CliIo;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: string;
  readonly json: boolean;
  /** The state root: `--root` > $CLAUDE_CONFIG_DIR > ~/.claude. Absolute. */
  readonly root: string;
  readonly rootWasGiven: boolean;
  readonly notes: FaultNotes;
  /** The store over `root`, opened at the first call and closed by the caller of the command. */
  store(): Store;
}

/** The state root as an absolute path. Throws `usage` for an empty `--root`. */
export function stateRoot(given: string | undefined, env: NodeJS.ProcessEnv, cwd: string, home: string): string {
  if (given === "") throw usageError("--root needs a folder.");
  return given === undefined ? defaultStateRoot(env, home, cwd) : path.resolve(cwd, given);
}

/** The value of a TEXT or GOAL argument: `-` reads standard input, its last newline left out. */
export async function readText(given: string, name: string, io: CliIo): Promise<string> {
  const text = given === "-" ? (await io.readInput()).replace(/\r?\n$/, "") : given;
  if (text.trim() === "")
    throw usageError(given === "-" ? `${name} is empty: nothing came on standard input.` : `${name} is empty.`);
  return text;
}

/**
 * Writes a command's result: one JSON value with `--json`, else the lines for a person, which a terminal gets broken between
 * their words.
 */
export function writeResult(context: CliContext, value: unknown, human: () => string): void {
  const { stdout } = context.io;
  const text = context.json ? JSON.stringify(value) : wrapPainted(human(), usableWidth(stdout.columns));
  stdout.write(`${text}\n`);
}
