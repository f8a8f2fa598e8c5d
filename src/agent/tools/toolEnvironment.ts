import type { SerialQueue } from "../../base/serial.ts";
import type { CommandGuard } from "./commandGuard.ts";
import type { SeenFile } from "./seenFiles.ts";

/** What a member's file and command tools work with. Paths are absolute. */
export interface ToolEnvironment {
  /** Where relative paths and commands start. */
  cwd: string;
  /** The environment of commands, without secrets: nothing else reaches them. */
  env: Readonly<Record<string, string>>;
  /** Files that no tool may read, list or change: the state of the team. Asked with a path and with its real path. */
  isHidden?: (path: string) => boolean;
  /** Files that the member had seen before a restart. */
  seenBefore?: readonly SeenFile[];
  /** Told before a file is changed, and awaited: what is to be shown or undone is stored by then. */
  onFileChange?: (change: FileChange) => Promise<void>;
  /** A change that was told has been made. */
  onFileChanged?: (change: FileChange) => Promise<void>;
  /** A change that was told was not made. */
  onFileChangeFailed?: (change: FileChange) => Promise<void>;
  /** Told before a command runs, and awaited; what it resolves to is called, and awaited, when the command has ended. */
  onCommand?: (toolUseId: string) => Promise<() => Promise<void>>;
  /** Shared by all members of a process, so that changes of one file never overlap. */
  fileQueue?: SerialQueue;
  /** Where the whole of a long output is kept; a new folder among the temporary files by default. */
  outputFolder?: string;
  /** Where to look for ripgrep before PATH. */
  ripgrepPaths?: readonly string[];
  /** Aborts when the member is gone: whatever its commands left running is ended. */
  lifetime?: AbortSignal;
  /** Ends commands when this process is killed; one for all members of a process. */
  guard?: CommandGuard;
}

/** A change that is about to be made. Texts are whole, with byte order mark and line ends as in the file. */
export interface FileChange {
  path: string;
  /** Undefined: the file is new. */
  before: string | undefined;
  after: string;
  toolUseId: string;
  tool: "Write" | "Edit";
}
