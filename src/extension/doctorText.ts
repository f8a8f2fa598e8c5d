import type { DoctorReport } from "../store/doctorFindings.ts";
import type { Say } from "./displayLanguage.ts";

/** What the doctor found below a state root, as a text for a person in the display language. */
export function doctorText(root: string, { checked, faults, notes }: DoctorReport, say: Say): string {
  const head =
    faults.length === 0
      ? say(`${checked} files checked in ${root}: no faults.`)
      : say(`${checked} files checked in ${root}. Faults: ${faults.length}.`);
  const found = faults.map(({ team, file, message, repair }) =>
    [`${team ?? ""} · ${say(message)}`.replace(/^ · /, ""), file, ...(repair === "" ? [] : [say(repair)])].join("\n  "),
  );
  const habits = notes.map((note) => `- ${sayNote(note, say)}`);
  const told =
    habits.length === 0 ? [] : [[say("Habits of other programs, and what is no fault:"), ...habits].join("\n")];
  return `${[head, ...found, ...told].join("\n\n")}\n`;
}

/** The team's folder stands before the sentence. */
function sayNote(note: string, say: Say): string {
  const end = note.indexOf(": ");
  return end < 0 ? say(note) : `${note.slice(0, end)} · ${say(note.slice(end + 2))}`;
}
