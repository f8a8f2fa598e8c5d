const HARMLESS_DEVICES = new Set(["null"]);
const HARMLESS_OUTPUTS = new Set(["null", "stdout", "stderr", "tty"]);
const PROCESS_FILES = new Set([
  "environ",
  "mem",
  "root",
  "cwd",
  "fd",
  "fdinfo",
  "maps",
  "smaps",
  "pagemap",
  "map_files",
  "exe",
  "cmdline",
  "task",
  "auxv",
  "stack",
  "syscall",
]);

/**
 * What is special about a path in `/dev` or `/proc`, or undefined: devices may block or never end, and the files of a
 * process hold its environment, its memory and doors to the whole file system. No rule with a wildcard allows them.
 */
export function specialFile(segments: readonly string[], access: "read" | "write"): string | undefined {
  const [top, second, third] = segments;
  if (top === "dev" && second !== undefined) {
    const harmless = access === "write" ? HARMLESS_OUTPUTS : HARMLESS_DEVICES;
    return segments.length === 2 && harmless.has(second) ? undefined : "it is a device";
  }
  if (top === "proc") {
    if (access === "write") return "it changes the running system";
    if (second !== undefined && third !== undefined && PROCESS_FILES.has(third))
      return "it shows a process from inside";
    if (second === "kcore" || second === "kmem") return "it shows the system's memory";
  }
  if (top === "sys" && access === "write") return "it changes the running system";
  return undefined;
}
