/** What a search looks for, and where. */
export interface SearchQuery {
  pattern: string;
  /** The folder that `glob` is relative to. */
  root: string;
  /** Only this file, whatever `glob` says. */
  file?: string;
  glob?: string;
  ignoreCase: boolean;
  multiline: boolean;
  /** Lines to give around a match. */
  before: number;
  after: number;
  /** One match per file is enough. */
  firstOnly: boolean;
  isHidden: (path: string) => boolean;
}

/** The matches of one file, in order of its lines. */
export interface FileHits {
  file: string;
  /** Matches, not lines: with `multiline` one match may have several. */
  count: number;
  lines: FoundLine[];
}

export interface FoundLine {
  /** From 1. */
  number: number;
  text: string;
  isMatch: boolean;
}

/** Takes the hits of a file, in order of the paths; false: enough. */
export type TakeHits = (hits: FileHits) => boolean;
