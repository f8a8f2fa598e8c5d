import { isMusterError } from "../base/errors.ts";
import { acceptMemberName, LEAD_NAME, PERSON_NAME, SYSTEM_NAME } from "../protocol/names.ts";

/** Letters of other scripts and signs that look like these. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: "а α ɑ",
  c: "с ϲ",
  d: "ԁ",
  e: "е ε є",
  h: "һ",
  i: "і ι ı 1 l ӏ ɩ |",
  j: "ј",
  m: "м",
  o: "о ο 0 օ",
  p: "р ρ",
  r: "г",
  s: "ѕ",
  t: "т τ",
  u: "υ ս",
  v: "ν ѵ",
  x: "х",
  y: "у γ",
};

const PLAIN: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([letter, twins]) => twins.split(" ").map((twin) => [twin, letter] as const)),
);
const OWN_NAMES = [LEAD_NAME, PERSON_NAME, SYSTEM_NAME].map(skeleton);

/** Why a member must not be given this name, or undefined: the team refuses it, or it looks like one of the team's own. */
export function refusedMemberName(name: string): string | undefined {
  try {
    acceptMemberName(name);
  } catch (error) {
    if (isMusterError(error)) return error.message;
    throw error;
  }
  const looks = OWN_NAMES.includes(skeleton(name));
  return looks
    ? `${JSON.stringify(name)} looks like a name that the team itself uses. Choose another name.`
    : undefined;
}

/** What a name looks like at a glance. */
function skeleton(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[\s_-]+/g, "-");
  return [...plain]
    .map((char) => PLAIN.get(char) ?? char)
    .join("")
    .replaceAll("rn", "m");
}
