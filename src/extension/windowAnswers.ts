import * as vscode from "vscode";
import { settledWithin, systemClock } from "../base/clock.ts";

/** A window that has not answered by then has lost its connection, or is frozen, in ms. */
const ANSWER_MS = 5_000;

/**
 * Whether the window of this extension host answers. A host lives on for minutes after its window has lost the connection
 * (a tab that crashed, a machine that sleeps), and nobody sees what its team asks.
 */
export async function windowAnswers(): Promise<boolean> {
  // a context key that nothing reads: VS Code answers once the window has set it
  const answered = vscode.commands.executeCommand("setContext", "muster.asked", true);
  return settledWithin(systemClock, [answered], ANSWER_MS);
}
