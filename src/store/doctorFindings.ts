import { basename } from "node:path";
import { errorCode, isMusterError } from "../base/errors.ts";
import { failedAt, fileFailure } from "./fsErrors.ts";

/**
 * A broken invariant (`docs/architecture.md`) or one of the settings, which are no team's: where, what is wrong, and what
 * mends it. `file` is absolute.
 */
export interface DoctorFault {
  team: string | null;
  file: string;
  invariant: string;
  message: string;
  repair: string;
}

/** What an examination found. `checked` counts files; `notes` are habits of other programs, which are no faults. */
export interface DoctorReport {
  checked: number;
  faults: DoctorFault[];
  notes: string[];
}

/** Where the checks of one team report. */
export interface Findings {
  /** How a damaged file is mended: as `ours` says, but in a team of another program only by hand. */
  byHand(file: string, ours: string): string;
  checked(files: number): void;
  fault(file: string, invariant: string, message: string, repair: string): void;
  /** A fault in our teams; in others a habit of the program that wrote them. */
  habit(file: string, invariant: string, message: string, repair: string): void;
  note(message: string): void;
  /** Runs a check of a file or folder; what the file system refuses is a fault, and keeps no other check from running. */
  reading(file: string, check: () => Promise<void>): Promise<void>;
}

/** The findings of one team, collected into a report. */
export function findingsOf(report: DoctorReport, team: string, ours: boolean): Findings {
  const fault: Findings["fault"] = (file, invariant, message, repair) =>
    void report.faults.push({ team, file, invariant, message, repair });
  const note = (message: string) => void report.notes.push(`${team}: ${message}`);
  return {
    byHand: (file, repair) =>
      ours ? repair : `The team belongs to another program: end that one, then mend ${file} by hand.`,
    checked(files) {
      report.checked += files;
    },
    fault,
    habit: ours ? fault : (_file, _invariant, message) => note(message),
    note,
    async reading(file, check) {
      try {
        await check();
      } catch (error) {
        if (errorCode(error) === undefined && !isMusterError(error)) throw error;
        const place = failedAt(error) ?? file;
        const { message } = fileFailure(error, `${basename(place)} was not checked`, file);
        fault(place, "every file can be read", message, "");
      }
    },
  };
}
