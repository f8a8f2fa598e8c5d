import { compileGlob, type Glob, globMatches } from "./globs.ts";

/** The pattern of a `WebFetch(domain:…)` rule: a host, `*.host` for those below it, or `*`. */
export type HostPattern = { kind: "all" } | { kind: "host"; host: string } | { kind: "below"; host: Glob };

/** Compiles `domain:HOST`; undefined where it is not one. */
export function compileHostPattern(text: string): HostPattern | undefined {
  const match = /^\s*domain:\s*(\S+)\s*$/i.exec(text);
  const host = match?.[1]?.toLowerCase().replace(/\.$/, "");
  if (!host || /[/@\\]/.test(host)) return undefined;
  if (host === "*") return { kind: "all" };
  if (host.includes("*")) return { kind: "below", host: compileGlob(host) };
  return { kind: "host", host: hostOf(`http://${host}/`) ?? host };
}

/**
 * Whether the pattern covers the host, for an allow rule. Only a rule that spells the host out covers an address of this
 * machine or of its networks.
 */
export function hostAllowed(pattern: HostPattern, host: string): boolean {
  if (pattern.kind === "host") return pattern.host === host;
  if (isPrivateHost(host)) return false;
  return pattern.kind === "all" || globMatches(pattern.host, host);
}

/** Whether a deny or ask rule covers the host: a host covers those below it too. */
export function hostCovered(pattern: HostPattern, host: string): boolean {
  if (pattern.kind === "all") return true;
  if (pattern.kind === "host") return host === pattern.host || host.endsWith(`.${pattern.host}`);
  return globMatches(pattern.host, host);
}

/** The host of an address as the WHATWG parser sees it (IPv4 numbers in any writing become dotted), without a final dot. */
export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, "") : undefined;
}

/**
 * Whether a host or an IP address is this machine, a private or link-local network, or an address for machines' metadata.
 * Names are judged by text: whoever connects must judge the address that the name resolves to as well.
 */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/^\[|\]$|\.$/g, "").toLowerCase();
  const numbers = ipv4(name);
  if (numbers) return isPrivateV4(numbers);
  if (name.includes(":")) return isPrivateV6(name);
  return !name.includes(".") || /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/.test(name);
}

function isPrivateV4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 168) return b === 63 && c === 129; // metadata of Azure
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 192) return b === 168 || (b === 0 && c === 0);
  return a === 198 && (b === 18 || b === 19);
}

/** What is not public by its prefix, and the forms that carry an IPv4 address inside: mapped, NAT64, 6to4, Teredo. */
function isPrivateV6(name: string): boolean {
  const groups = ipv6(name);
  if (!groups) return true;
  const [first = 0, second = 0] = groups;
  const tail = groups.slice(6);
  const embedded = (high: number, low: number): boolean => isPrivateV4([high >> 8, high & 255, low >> 8, low & 255]);
  if (groups.slice(0, 5).every((group) => group === 0))
    return groups[5] === 0xffff || groups[5] === 0 ? embedded(tail[0] ?? 0, tail[1] ?? 0) : true;
  if (first === 0x64 && second === 0xff9b) return groups[2] !== 0 || embedded(tail[0] ?? 0, tail[1] ?? 0);
  if (first === 0x2002) return embedded(second, groups[2] ?? 0);
  return first < 0x2000 || first >= 0x4000 || (first === 0x2001 && second === 0);
}

function ipv4(name: string): number[] | undefined {
  const parts = name.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined;
  return parts.map(Number);
}

function ipv6(name: string): number[] | undefined {
  const [head = "", tail, more] = name.replace(/%.*$/, "").split("::");
  if (more !== undefined) return undefined;
  const front = groupsOf(head);
  const back = tail === undefined ? [] : groupsOf(tail);
  if (!front || !back) return undefined;
  const missing = 8 - front.length - back.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  return [...front, ...Array<number>(missing).fill(0), ...back];
}

function groupsOf(text: string): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  for (const part of text.split(":")) {
    const numbers = ipv4(part);
    if (numbers)
      groups.push(((numbers[0] ?? 0) << 8) | (numbers[1] ?? 0), ((numbers[2] ?? 0) << 8) | (numbers[3] ?? 0));
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}
