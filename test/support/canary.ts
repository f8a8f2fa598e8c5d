import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";

/** Real programs that disguises need; whatever else they name does not exist on the PATH. */
const REAL =
  "bash sh dash env nice timeout nohup xargs find time setsid stdbuf ionice chrt taskset flock script cat echo ls sort head tail wc grep sed awk rev printf true false test seq date basename cut tr uniq diff stat jq perl python3 mkdir touch rm cp mv ln tee sleep busybox rg";

/** A place where commands really run, with programs that tell that they ran. */
export interface Canary {
  /** Folder of the programs: the whole PATH. */
  stubs: string;
  /** Runs each command by bash in an empty folder of its own; gives those that ran a denied program. */
  run(commands: readonly string[]): Promise<number[]>;
  dispose(): void;
}

/** `git` and `npm` only tell when their first operand is the denied one, as the real programs would see it. */
const FIRST_OPERAND = `while [ $# -gt 0 ]; do
  case "$1" in
    -C|-c|--prefix|--loglevel|--git-dir) shift 2 || exit 0;;
    -*) shift;;
    WORD) break;;
    *) exit 0;;
  esac
done
[ $# -gt 0 ] || exit 0
`;
const STUBS: Readonly<Record<string, string>> = {
  wreck: "",
  git: FIRST_OPERAND.replace("WORD", "push"),
  npm: FIRST_OPERAND.replace("WORD", "publish"),
};

/** A place in a new folder; disposing it removes the folder. */
export function openCanary(): Canary {
  const root = mkdtempSync(path.join(tmpdir(), "muster-canary-"));
  const stubs = path.join(root, "bin");
  const canary = path.join(root, "canary");
  mkdirSync(stubs);
  for (const program of REAL.split(" ")) {
    const found = ["/usr/bin", "/bin"].map((folder) => path.join(folder, program)).find((file) => existsSync(file));
    if (found) symlinkSync(found, path.join(stubs, program));
  }
  for (const [name, guard] of Object.entries(STUBS)) {
    const file = path.join(stubs, name);
    writeFileSync(file, `#!/bin/sh\n${guard}echo x >> '${canary}'\n`);
    chmodSync(file, 0o755);
  }
  let batches = 0;
  return {
    stubs,
    async run(commands) {
      batches += 1;
      const folder = path.join(root, `batch-${batches}`);
      mkdirSync(folder);
      for (const [index, command] of commands.entries()) writeFileSync(path.join(folder, `${index}.cmd`), command);
      const child = spawn("/bin/bash", ["--noprofile", "--norc", "-c", DRIVER], {
        env: { COUNT: String(commands.length), FOLDER: folder, STUBS: stubs, CANARY: canary },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
      rmSync(folder, { recursive: true, force: true });
      return output.split("\n").filter(Boolean).map(Number);
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** One bash starts all commands of a batch, each in a bash, an environment and a folder of its own, and reads the canary. */
const DRIVER = `
: > "$CANARY"
for ((n = 0; n < COUNT; n++)); do
  /bin/mkdir -p "$FOLDER/$n"
  cd "$FOLDER/$n"
  command=$(<"$FOLDER/$n.cmd")
  output=$(/usr/bin/env -i PATH="$STUBS" HOME="$FOLDER/$n" /usr/bin/timeout -s KILL 10 \\
    "$STUBS/bash" --noprofile --norc -c "$command" </dev/null 2>&1)
  if [ -s "$CANARY" ]; then
    echo "$n"
    : > "$CANARY"
  fi
done
`;
