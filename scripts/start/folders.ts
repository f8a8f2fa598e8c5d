/** Folders of a VS Code that `npm start` opens; nothing of the person's own VS Code or teams is touched. */
export interface StartFolders {
  /** Holds those below, and `port` where VS Code is served. */
  root: string;
  /** User data and extensions of VS Code. */
  profile: string;
  /** The extension's state root (`CLAUDE_CONFIG_DIR`). */
  stateRoot: string;
  /** The sample project, which is opened. */
  sample: string;
}
