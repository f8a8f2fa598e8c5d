const DEVICES =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:[.: ].*)?$/i;

/**
 * Why a path must not be opened on Windows without a question, or undefined. Decided by text alone: to look such a path
 * up may already send the person's credentials to another host.
 */
export function windowsPathProblem(path: string): string | undefined {
  const slashed = path.replaceAll("/", "\\");
  if (/^\\\?\?\\/.test(slashed) || /^\\\\[?.]\\/.test(slashed)) return "it is a device or namespace path";
  if (slashed.startsWith("\\\\")) return "it names a host on the network";
  const names = slashed.replace(/^[A-Za-z]:/, "").split("\\");
  if (names.some((name) => DEVICES.test(name.trimEnd()))) return "it names a device";
  if (names.some((name) => name.includes(":"))) return "it names a stream of a file";
  return undefined;
}
