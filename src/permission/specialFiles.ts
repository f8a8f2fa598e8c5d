const HARMLESS: Readonly<Record<"read" | "write", ReadonlySet<string>>> = {
  read: new Set(["null"]),
  write: new Set(["null", "stdout", "stderr", "tty"]),
};
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

/** Whether the path is a device that swallows or shows what is written, or holds nothing. */
export function harmlessDevice([top, name, ...more]: readonly string[], access: "read" | "write"): boolean {
  return top === "dev" && name !== undefined && more.length === 0 && HARMLESS[access].has(name);
}

/**
 * What is special about a path in `/dev` or `/proc`, or undefined: devices may block or never end, and the files of a
 * process hold its environment, its memory and doors to the whole file system. No rule with a wildcard allows them.
 */
export function specialFile(segments: readonly string[], access: "read" | "write"): string | undefined {
  const [top, second, third] = segments;
  if (top === "dev" && second !== undefined) return harmlessDevice(segments, access) ? undefined : "it is a device";
  if (top === "proc") {
    if (access === "write") return "it changes the running system";
    if (second !== undefined && third !== undefined && PROCESS_FILES.has(third))
      return "it shows a process from inside";
    if (second === "kcore" || second === "kmem") return "it shows the system's memory";
  }
  if (top === "sys" && access === "write") return "it changes the running system";
  return undefined;
}
