import { isMusterError } from "../../base/errors.ts";
import type { Store } from "../../store/store.ts";
import { defineCommand } from "../command.ts";
import { writeResult } from "../context.ts";
import { checkFolders } from "../doctor/checkFolders.ts";
import { checkTeam } from "../doctor/checkTeam.ts";
import { type Findings, reporterFor } from "../doctor/findings.ts";
import { EXIT } from "../exitCodes.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { visibleLine } from "../render/visibleText.ts";

/** `muster doctor [TEAM]`. */
export const doctorCommand = defineCommand({
  name: "doctor",
  args: ["[TEAM]"],
  summary: "Check the files of one team or of all",
  notes: "Changes nothing. Exit 1 where something is broken; habits of teams that other programs wrote are notes.",
  options: {},
  async run({ args }, context) {
    const store = context.store();
    const teams =
      args.TEAM === undefined
        ? (await store.teams.list()).map(({ name }) => name)
        : [await store.teams.resolve(args.TEAM)];
    const findings: Findings = { checked: 0, faults: [], notes: [] };
    for (const team of teams) await examine(store, team, findings);
    const { checked, faults, notes } = findings;
    const ok = faults.length === 0;
    writeResult(context, { ok, checked, faults, notes }, () =>
      findingsText(findings, makeStyle(context.io.stdout.colors)),
    );
    return ok ? EXIT.done : EXIT.refused;
  },
});

async function examine(store: Store, team: string, findings: Findings): Promise<void> {
  const paths = store.paths.team(team);
  try {
    const snapshot = await store.snapshots.read(team);
    const report = reporterFor(findings, team, snapshot.config.muster !== undefined);
    checkTeam(snapshot, paths, report);
    await checkFolders(store.fs, paths, findings, report);
  } catch (error) {
    if (isMusterError(error, "unknown_team")) return; // it went meanwhile
    if (!isMusterError(error, "corrupt")) throw error;
    const repair = `Mend ${paths.config} by hand, or remove the team's folder.`;
    findings.faults.push({
      team,
      file: paths.config,
      invariant: "a file that does not parse is never empty",
      message: error.message,
      repair,
    });
  }
}

function findingsText({ checked, faults, notes }: Findings, style: Style): string {
  const lines = faults.flatMap(({ team, file, message, repair }) => [
    `${style.bad("fault")} ${visibleLine(team ?? "-")}: ${visibleLine(message)}`,
    `  ${visibleLine(file)}`,
    `  ${visibleLine(repair)}`,
  ]);
  const noteLines = notes.map((note) => `${style.dim("note")} ${visibleLine(note)}`);
  const end =
    faults.length === 0
      ? style.good(`${checked} files checked, no faults.`)
      : `${checked} files checked, ${faults.length} faults.`;
  return [...lines, ...noteLines, end].join("\n");
}
