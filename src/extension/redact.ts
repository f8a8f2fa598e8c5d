/**
 * Text for a log: keys of the API are cut to their first characters, those in `secrets` and whatever has the form of
 * one.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 8) clean = clean.replaceAll(secret, `${secret.slice(0, 3)}…`);
  return clean.replace(/\bsk-[A-Za-z0-9_-]{8,}/g, "sk-…");
}
