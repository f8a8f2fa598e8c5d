import type { MusterError } from "../../base/errors.ts";
import type { DoctorReport } from "../../store/doctorFindings.ts";

/**
 * What in a settings file does not do what it says. `file` is absolute; `what` and `repair` are a sentence each, `repair`
 * empty where `what` says it. `stops`: no call runs before it is corrected. `foreign`: what it says has no effect here and
 * stops nothing, since the file is another program's. `error`: what reading the file threw; absent: it was read.
 */
export interface SettingsFinding {
  file: string;
  what: string;
  repair: string;
  stops: boolean;
  foreign: boolean;
  error?: MusterError;
}

/** A finding as a person reads it, the file first. `say` translates a sentence. */
export function findingText({ file, what, repair }: SettingsFinding, say = (text: string) => text): string {
  return repair === "" ? say(what) : `${file}: ${say(what)} ${say(repair)}`;
}

/**
 * Adds findings to what the doctor says: faults of no team, and notes of another program's files. Each is there once; the
 * `repair` of one whose message says it is empty.
 */
export function addFindings(report: DoctorReport, findings: readonly SettingsFinding[]): void {
  const invariant = "what settings say has an effect";
  for (const { file, what, repair, foreign } of findings) {
    const note = `${file}: ${what}`;
    const isThere = report.faults.some((fault) => fault.file === file && fault.message === what);
    if (isThere || report.notes.includes(note)) continue;
    if (foreign) report.notes.push(note);
    else report.faults.push({ team: null, file, invariant, message: what, repair });
  }
}
