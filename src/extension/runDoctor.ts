import { createStore } from "../store/store.ts";
import { settingsFilesThere, settingsFindings } from "../team/requests/findInSettings.ts";
import { addFindings } from "../team/requests/settingsFinding.ts";
import { budgetNote } from "../team/views/budgetNote.ts";
import { doctorText } from "./doctorText.ts";
import type { Services } from "./services.ts";

/**
 * *Run Doctor*: checks the files of every team, of the one on show too where it lies elsewhere, and the settings, the
 * person's and those of `folders` (absolute), and shows what was found.
 */
export async function runDoctor(
  { teams, settings, documents, log, say }: Services,
  folders: readonly string[],
): Promise<void> {
  const shown = teams.current?.address?.root;
  const roots = [...new Set([settings().stateRoot, ...(shown === undefined ? [] : [shown])])];
  const texts: string[] = [];
  for (const root of roots) {
    const store = createStore({ root, logger: log });
    try {
      const report = await store.doctor.check();
      for (const folder of [null, ...folders]) addFindings(report, await settingsFindings(store, folder));
      report.checked += (await settingsFilesThere(store, folders)).length;
      texts.push(doctorText(root, report, say));
    } finally {
      store.dispose();
    }
  }
  const { model, models, "budget.team": team, "budget.member": member } = settings();
  const used = teams.live?.session.members().map((one) => one.model) ?? [];
  const note = team === null && member === null ? null : budgetNote([model, ...used], models);
  if (note !== null) texts.push(`${say(note)}\n`);
  await documents.openText("doctor", "doctor.txt", texts.join("\n"));
}
