import { counted } from "../../base/counted.ts";
import { MusterError } from "../../base/errors.ts";
import type { DoctorReport } from "../../store/doctorFindings.ts";
import { isMissing } from "../../store/fsErrors.ts";
import type { Store } from "../../store/store.ts";
import { addFindings } from "../../team/requests/settingsFinding.ts";
import { defineCommand } from "../command.ts";
import { type CliContext, writeResult } from "../context.ts";
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
    const isThere = await findRoot(store, context);
    const report = await store.doctor.check(args.TEAM);
    if (!isThere) report.notes.push(`There is no folder ${context.root} yet, so there are no teams to check.`);
    if (args.TEAM === undefined) await checkSettings(store, context.cwd, report);
    const { checked, faults, notes } = report;
    context.notes.forgetFaults(new Set(faults.map(({ file }) => file)));
    const ok = faults.length === 0;
    writeResult(context, { ok, checked, faults, notes }, () =>
      reportText(
        report,
        `${visibleLine(context.root)}${args.TEAM === undefined ? " and settings" : ""}`,
        makeStyle(context.io.stdout.colors),
      ),
    );
    return ok ? EXIT.done : EXIT.refused;
  },
});

/** Whether the state root is there. Throws `root_unreadable` where one was given and is not. */
async function findRoot(store: Store, { root, rootWasGiven }: CliContext): Promise<boolean> {
  const isThere = await store.pathFs.lstat(root).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
  if (isThere || !rootWasGiven) return isThere;
  throw new MusterError("root_unreadable", `There is no folder ${root}: name another with --root.`);
}

/** What reads rules is loaded only where they are checked. */
async function checkSettings(store: Store, cwd: string, report: DoctorReport): Promise<void> {
  const { settingsFilesThere, settingsFindings } = await import("../../team/requests/findInSettings.ts");
  addFindings(report, await settingsFindings(store, cwd));
  report.checked += (await settingsFilesThere(store, [cwd])).length;
}

/** Faults of no team are of the settings. A message that names its file, or says what mends it, says it once. */
function reportText({ checked, faults, notes }: DoctorReport, places: string, style: Style): string {
  const lines = faults.flatMap(({ team, file, message, repair }) => [
    `${style.bad("fault")} ${visibleLine(team ?? "settings")}: ${visibleLine(message)}`,
    ...(message.includes(file) ? [] : [`  ${visibleLine(file)}`]),
    ...(repair === "" ? [] : [`  ${visibleLine(repair)}`]),
  ]);
  const noteLines = notes.map((note) => `${style.dim("note")} ${visibleLine(note)}`);
  const count = `${counted(checked, "file")} checked in ${places}`;
  const found = counted(faults.length, "fault");
  const end = faults.length === 0 ? style.good(`${count}, no faults.`) : `${count}, ${found}.`;
  return [...lines, ...noteLines, end].join("\n");
}
