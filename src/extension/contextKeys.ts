import * as vscode from "vscode";

/** The context keys of the manifest, `muster.` left out. */
export interface ContextKeys {
  /** The extension is there. */
  ready: boolean;
  /** It is known whether there is a key, and whether a team is to be shown again. */
  looked: boolean;
  /** A key of the API is known, or a server of the person's own is named. */
  hasKey: boolean;
  hasStoredKey: boolean;
  /** A team is on show. */
  hasTeam: boolean;
  /** Nobody runs it, and this window could. */
  canContinue: boolean;
  /** This window runs it. */
  live: boolean;
  /** It is paused. */
  paused: boolean;
  hasTeammates: boolean;
  /** This window runs it, and a member has a tmux pane. */
  hasScreens: boolean;
  /** Its files are those of a team that this window does not run, and no finished team's. */
  canDelete: boolean;
  /** What waits for the person. */
  waiting: number;
  /** See firstSteps.ts. */
  ranDemo: boolean;
  gaveKey: boolean;
  ranTeam: boolean;
  decided: boolean;
  sawChanges: boolean;
}

/** Sets those of the keys that changed. */
export type SetKeys = (keys: Partial<ContextKeys>) => void;

/** Sets context keys; one that has its value already costs nothing. */
export function createContextKeys(): SetKeys {
  const known = new Map<string, unknown>();
  return (keys) => {
    for (const [name, value] of Object.entries(keys)) {
      if (known.get(name) === value) continue;
      known.set(name, value);
      void vscode.commands.executeCommand("setContext", `muster.${name}`, value);
    }
  };
}
