import { type Rule, ruleNamesTool } from "./rules.ts";
import type { DecisionContext } from "./types.ts";
import { allow, ask, deny, type Verdict } from "./verdict.ts";
import { hostAllowed, hostCovered, hostOf, isPrivateHost } from "./webAddresses.ts";

/**
 * Judges the address of a fetch. A redirect to another host is a new call of this function; the address that the host
 * resolves to is judged by whoever connects (`isPrivateHost`).
 */
export function judgeFetch(url: unknown, context: DecisionContext): Verdict {
  if (typeof url !== "string" || !URL.canParse(url)) return deny("The address cannot be read as a URL.");
  const { protocol, username, password } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return deny(`Only http and https are fetched, not ${protocol}`);
  const host = hostOf(url) ?? "";
  const denied = context.rules.deny.find((rule) => covers(rule, host));
  if (denied) return deny(`The rule ${denied.text} denies ${host}.`, denied.text);
  const asked = context.rules.ask.find((rule) => covers(rule, host));
  if (asked) return ask("rule", `The rule ${asked.text} asks about ${host}.`, { rule: asked.text });
  if (username || password) return ask("guarded", `The address carries a user name or password for ${host}.`);
  if (/[\\\s\p{Cc}]/u.test(url))
    return ask("guarded", `The address is written so that programs read it differently: ${host}.`);
  const allowed = context.rules.allow.find((rule) => allows(rule, host));
  if (allowed) return allow(`The rule ${allowed.text} allows ${host}.`, allowed.text);
  if (isPrivateHost(host)) return ask("guarded", `${host} is this machine or its network.`);
  const rules = [{ toolName: "WebFetch", ruleContent: `domain:${host}` }];
  const suggestions = [
    { type: "addRules" as const, rules, behavior: "allow" as const, destination: "session" as const },
  ];
  return ask("plain", `No rule allows fetching from ${host}.`, { suggestions });
}

function covers(rule: Rule, host: string): boolean {
  if (!ruleNamesTool(rule, "WebFetch")) return false;
  return rule.content.kind === "any" || (rule.content.kind === "host" && hostCovered(rule.content.pattern, host));
}

function allows(rule: Rule, host: string): boolean {
  if (!ruleNamesTool(rule, "WebFetch")) return false;
  if (rule.content.kind === "any") return !isPrivateHost(host);
  return rule.content.kind === "host" && hostAllowed(rule.content.pattern, host);
}
