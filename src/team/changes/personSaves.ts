import nodePath from "node:path";
import { pathIn } from "../../base/pathIn.ts";
import type { ChangeRecord } from "../../protocol/changes.ts";
import type { MemberStep } from "./fileHistory.ts";

/** An editor tells of a save a moment after the file was written, which may be after the command has ended. */
const LATE_MS = 2_000;

/** Says of a step whether the person changed its file, or a folder that it lies in, in VS Code while the command ran. */
export function personsPart(records: readonly ChangeRecord[]): (step: MemberStep) => boolean {
  const saves = records.flatMap((record) =>
    record.kind === "person" ? record.paths.map((path) => ({ path, atMs: Date.parse(record.at) })) : [],
  );
  return ({ path, command }) => {
    if (!command) return false;
    const [from, to] = [Date.parse(command.since), Date.parse(command.ended) + LATE_MS];
    return saves.some((save) => save.atMs >= from && save.atMs <= to && pathIn(save.path, path, nodePath) !== null);
  };
}
