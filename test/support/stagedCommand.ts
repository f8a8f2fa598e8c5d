import { access, mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ChangesBench, Member } from "./changesBench.ts";
import { eventually } from "./eventually.ts";

/** A command that runs, and does one thing after another when it is told to. */
export interface StagedCommand {
  /** Runs a line of bash in the command, in the project's folder. */
  do(line: string): Promise<void>;
  /** Resolves when the command has ended and its changes are recorded. */
  end(): Promise<void>;
}

let commands = 0;

/** Begins a command of a member. It does not end by itself. */
export async function stagedCommand({ cwd }: ChangesBench, member: Member): Promise<StagedCommand> {
  commands += 1;
  const place = path.join(cwd, "..", `command-${commands}`);
  await mkdir(place);
  const command = `touch '${place}/begun'; i=0; while :; do
    until [ -e '${place}'/$i ]; do sleep 0.01; done; . '${place}'/$i; touch '${place}'/done-$i; i=$((i + 1)); done`;
  const running = member("Bash", { command });
  const isThere = (name: string) =>
    access(path.join(place, name)).then(
      () => true,
      () => false,
    );
  await eventually("the command", () => isThere("begun"));
  let lines = 0;
  const tell = async (line: string) => {
    await writeFile(path.join(place, "next"), line);
    await rename(path.join(place, "next"), path.join(place, String(lines)));
    lines += 1;
    return lines - 1;
  };
  return {
    async do(line) {
      const number = await tell(line);
      await eventually("the command's step", () => isThere(`done-${number}`));
    },
    async end() {
      await tell("exit 0");
      await running;
    },
  };
}
