import { counted } from "../../base/counted.ts";
import type { DoctorReport } from "../../store/doctorFindings.ts";
import type { Store } from "../../store/store.ts";
import { addFindings, type SettingsFinding } from "../../team/requests/settingsFinding.ts";
import { defineCommand } from "../command.ts";
import { writeResult } from "../context.ts";
import { EXIT } from "../exitCodes.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { visibleLine } from "../render/visibleText.ts";

/** `muster doctor [TEAM]`. */
export const doctorCommand = defineCommand({
  name: "doctor",
  args: ["[TEAM]"],
  summary: "Check the files of one team, or of all and the settings",
  notes: "Changes nothing. Exit 1 where something is broken; habits of teams that other programs wrote are notes.",
  options: {},
  async run({ args }, context) {
    const store = context.store();
    const report = await store.doctor.check(args.TEAM);
    if (args.TEAM === undefined) addFindings(report, await findSettings(store, context.cwd));
    const { checked, faults, notes } = report;
    const ok = faults.length === 0;
    writeResult(context, { ok, checked, faults, notes }, () =>
      reportText({ checked, faults, notes }, context.root, makeStyle(context.io.stdout.colors)),
    );
    return ok ? EXIT.done : EXIT.refused;
  },
});

/** What reads rules is loaded only where they are checked. */
async function findSettings(store: Store, cwd: string): Promise<SettingsFinding[]> {
  const { settingsFindings } = await import("../../team/requests/findInSettings.ts");
  return settingsFindings(store, cwd);
}

function reportText({ checked, faults, notes }: DoctorReport, root: string, style: Style): string {
  const lines = faults.flatMap(({ team, file, message, repair }) => [
    `${style.bad("fault")} ${visibleLine(team ?? "-")}: ${visibleLine(message)}`,
    `  ${visibleLine(file)}`,
    `  ${visibleLine(repair)}`,
  ]);
  const noteLines = notes.map((note) => `${style.dim("note")} ${visibleLine(note)}`);
  const count = `${counted(checked, "file")} checked in ${visibleLine(root)}`;
  const found = counted(faults.length, "fault");
  const end = faults.length === 0 ? style.good(`${count}, no faults.`) : `${count}, ${found}.`;
  return [...lines, ...noteLines, end].join("\n");
}
