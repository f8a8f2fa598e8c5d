import * as vscode from "vscode";

/** A window that has not answered by then has lost its connection, or is frozen, in ms. */
const ANSWER_MS = 5_000;

/**
 * Whether the window of this extension host answers. A host lives on for minutes after its window has lost the connection
 * (a tab that crashed, a machine that sleeps), and nobody sees what its team asks.
 */
export async function windowAnswers(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_MS);
  });
  // a context key that nothing reads: VS Code answers once the window has set it
  const answered = vscode.commands.executeCommand("setContext", "muster.asked", true).then(() => true);
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
