import { type Rule, ruleNamesTool } from "./rules.ts";
import type { DecisionContext } from "./types.ts";
import { allow, ask, deny, type Verdict } from "./verdict.ts";
import { hostAllowed, hostCovered, hostOf, isPrivateHost } from "./webAddresses.ts";

/**
 * Judges the address of a fetch. A redirect to another host is a new call of this function, and so is a host whose name
 * leads to this machine or its networks: `address` is the IP address that whoever connects has found behind it.
 */
export function judgeFetch({ url, address }: Record<string, unknown>, context: DecisionContext): Verdict {
  if (typeof url !== "string" || !URL.canParse(url)) return deny("The address cannot be read as a URL.");
  const { protocol, username, password } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return deny(`Only http and https are fetched, not ${protocol}`);
  const host = hostOf(url) ?? "";
  if (address !== undefined) return judgeFoundAddress(host, address, context);
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

/** Only a rule that spells out the address itself lets a public name lead to it: whoever owns the name chooses the address. */
function judgeFoundAddress(host: string, address: unknown, { rules }: DecisionContext): Verdict {
  if (typeof address !== "string") return deny("The address behind the host cannot be read.");
  const names = [host, hostOf(`http://${address.includes(":") ? `[${address}]` : address}/`) ?? address];
  const denied = rules.deny.find((rule) => names.some((name) => covers(rule, name)));
  if (denied) return deny(`The rule ${denied.text} denies ${host}, which leads to ${address}.`, denied.text);
  const asked = rules.ask.find((rule) => names.some((name) => covers(rule, name)));
  const leads = `${host} leads to ${address}, which is this machine or its network.`;
  if (asked) return ask("rule", `The rule ${asked.text} asks. ${leads}`, { rule: asked.text });
  const allowed = rules.allow.find((rule) => names.slice(1).some((name) => allows(rule, name)));
  return allowed ? allow(`The rule ${allowed.text} allows ${address}.`, allowed.text) : ask("guarded", leads);
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
