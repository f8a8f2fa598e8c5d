import { MusterError } from "../base/errors.ts";

/** $ANTHROPIC_API_KEY. Throws `no_key` where there is none (then `hint` follows), and where it cannot be one. */
export function apiKeyOf(env: NodeJS.ProcessEnv, hint = ""): string {
  const key = env["ANTHROPIC_API_KEY"]?.trim();
  if (!key) throw new MusterError("no_key", `There is no API key: set $ANTHROPIC_API_KEY${hint}.`);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new MusterError(
    "no_key",
    "$ANTHROPIC_API_KEY holds characters that no key has: copy the key and set it again.",
  );
}
