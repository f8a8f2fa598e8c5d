import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { hostname } from "node:os";
import type { Disposable } from "../../base/disposable.ts";

/**
 * Ends the commands of a host that cannot do it any more, because it was killed. Disposed of when the host's members are
 * gone: what is still listed then is ended as well.
 */
export interface CommandGuard extends Disposable {
  /** With what the mark of every command begins that the guard is to find. */
  readonly id: string;
  /** A command runs as the process group `pgid`. */
  watch(pgid: number): void;
  /** The group is gone: its number may be given to another one. */
  release(pgid: number): void;
  /** A file or folder that is to be removed with the host. */
  keep(path: string): void;
  /** It has gone already, or is to stay. */
  forget(path: string): void;
  /**
   * Folders in which the host writes: what a kill leaves in them of a write, and its locks, are to be removed. `mark`: what
   * follows the host's process id in the names of its files there, three hexadecimal digits.
   */
  sweep(folders: readonly string[], mark: string): void;
}

/** The guard's name among its arguments, by which whoever ends a process with its children knows what ends by itself. */
export const GUARD_NAME = "muster-guard";

/** Name of the variable that marks all processes of a command, so that those which leave its group are found. */
export const COMMAND_MARK = "MUSTER_COMMAND";

/**
 * Its standard input ends when the host does, however that happens; then it gives up the locks that their owner's file says
 * the host holds (written by lockOwner.ts, the host's name by processIdentity.ts; where `stat` tells when a folder was
 * made), asks what is listed or marked to end, and kills it after two seconds. Only Linux shows marks; elsewhere what left
 * its group lives on. Then it removes what is kept, and what the host's process id and mark are in the name of: temporary
 * files, and spawn files that nobody took.
 */
const SCRIPT = `
trap '' HUP INT TERM QUIT
mark=$1
host=$2
machine=$3
shift 3
groups=' '
while read -r kind what; do
  case $kind in
    +) groups="$groups$what " ;;
    -) case $groups in *" $what "*) groups="\${groups%%" $what "*} \${groups#*" $what "}" ;; esac ;;
    f | s) set -- "$@" "$kind$what" ;;
    -f | -s)
      for entry; do
        shift
        [ "-$entry" = "$kind$what" ] || set -- "$@" "$entry"
      done
      ;;
  esac
done
marked() {
  [ -d /proc/self ] && grep -lsaF -- "$mark" /proc/[0-9]*/environ | sed 's,^/proc/,,; s,/.*,,'
}
send() {
  for one in $groups; do kill -s "$1" -- "-$one"; done
  for one in $(marked); do kill -s "$1" "$one"; done
} 2>/dev/null
unlock() {
  space=$(readlink /proc/self/ns/pid)
  find "$1" -name "*.lock.owner" -exec grep -lF -- '"pid":'"$host"',"host":"'"$machine\${space:+#$space}"'"' {} + | while IFS= read -r owner; do
    lock=\${owner%.owner}
    held=$(stat -c "%i.%.9W" -- "$lock" | sed 's/\\.\\([0-9]*\\)$/\\1/')
    [ -n "$held" ] && grep -qF -- '"instance":"'"$held"'"' "$owner" && rmdir -- "$lock" && rm -f -- "$owner"
  done
} 2>/dev/null
for entry; do
  case $entry in
    s*) unlock "\${entry#s???}" ;;
  esac
done
exists() {
  kill -s 0 -- "-$1" 2>/dev/null
}
runs() { # what has ended and is not fetched counts as there; in its line, the state and the parent stand before the group
  exists "$1" || return 1
  [ -d /proc/self ] || return 0
  grep -qsE -- "[)] [^ZX] [0-9]+ $1 " /proc/[0-9]*/stat
  [ $? -ne 1 ]
}
left() {
  for one in $groups; do "$1" "$one" && return 0; done
  [ -n "$(marked)" ]
}
if left exists; then
  send TERM
  waited=0
  while left runs && [ $waited -lt 9 ]; do # looking takes its time too
    sleep 0.2
    waited=$((waited + 1))
  done
  send KILL
fi
for entry; do
  case $entry in
    f*) rm -rf -- "\${entry#f}" ;;
    s*)
      own=\${entry#s}
      own=$host.\${own%%/*}?????
      find "\${entry#s???}" \\( -name "*.$own.tmp" -o -name "*.$own.json" \\) -prune -exec rm -rf -- {} +
      ;;
  esac
done
`;

/** One for each host process: a small shell that starts with the first that it is told. Windows has none. */
export function createCommandGuard(): CommandGuard {
  const id = randomUUID();
  const lines = new Set<string>();
  let shell: ChildProcess | undefined;
  let over = false;

  const start = () => {
    const started = spawn(
      "/bin/sh",
      ["-c", SCRIPT, GUARD_NAME, `${COMMAND_MARK}=${id}.`, String(process.pid), hostname()],
      {
        cwd: "/",
        detached: true, // what ends the host's process group does not end its guard
        env: { PATH: "/usr/bin:/bin" },
        stdio: ["pipe", "ignore", "ignore"],
      },
    );
    const gone = () => {
      if (shell === started) shell = undefined; // somebody killed it: the next command starts a new one
    };
    started.once("error", gone).once("exit", gone);
    started.stdin?.on("error", gone);
    started.unref();
    (started.stdin as Socket).unref();
    return started;
  };
  const tell = (line: string) => {
    if (shell) return void shell.stdin?.write(`${line}\n`);
    shell = start();
    for (const known of lines) shell.stdin?.write(`${known}\n`);
  };
  const add = (line: string) => {
    if (over || process.platform === "win32" || line.includes("\n")) return;
    lines.add(line);
    tell(line);
  };
  return {
    id,
    watch: (pgid) => add(`+ ${pgid}`),
    release(pgid) {
      if (lines.delete(`+ ${pgid}`) && shell) tell(`- ${pgid}`);
    },
    keep: (path) => add(`f ${path}`),
    forget(path) {
      if (lines.delete(`f ${path}`) && shell) tell(`-f ${path}`);
    },
    sweep(folders, mark) {
      for (const folder of folders) add(`s ${mark}${folder}`);
    },
    dispose() {
      over = true;
      // the process goes on, and so does what it writes
      for (const line of lines) if (shell && line.startsWith("s ")) tell(`-${line}`);
      shell?.stdin?.end();
    },
  };
}
