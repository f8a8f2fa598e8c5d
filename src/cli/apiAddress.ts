import { MusterError } from "../base/errors.ts";

/** $ANTHROPIC_BASE_URL; null where it is not set. Throws `api_unreachable` where it is no web address. */
export function apiAddress(env: NodeJS.ProcessEnv): string | null {
  const address = env["ANTHROPIC_BASE_URL"]?.trim();
  if (!address) return null;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new MusterError(
    "api_unreachable",
    `$ANTHROPIC_BASE_URL is not a web address: ${JSON.stringify(address)}. Set it to one that begins with https:// or http://, or unset it.`,
  );
}
