/** A broken invariant (docs/architecture.md): where, what is wrong, and what mends it. */
export interface Fault {
  team: string | null;
  /** Absolute path. */
  file: string;
  invariant: string;
  message: string;
  repair: string;
}

/** Collects what the checks find. */
export interface Findings {
  /** Files that were looked at. */
  checked: number;
  faults: Fault[];
  notes: string[];
}

/** Where a check reports; a finding in a team of another generation is that generation's habit, and a note. */
export interface Reporter {
  fault(file: string, invariant: string, message: string, repair: string): void;
  /** A fault in our teams; a note in others. */
  habit(file: string, invariant: string, message: string, repair: string): void;
}

/** A reporter for one team. */
export function reporterFor(findings: Findings, team: string, ours: boolean): Reporter {
  const fault: Reporter["fault"] = (file, invariant, message, repair) =>
    void findings.faults.push({ team, file, invariant, message, repair });
  return {
    fault,
    habit: ours ? fault : (_file, _invariant, message) => void findings.notes.push(`${team}: ${message}`),
  };
}
