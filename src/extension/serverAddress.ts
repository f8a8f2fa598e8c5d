/**
 * The server of the person's own that speaks the API: the setting `muster.baseUrl` (as it was given), where it is a web
 * address, else `$ANTHROPIC_BASE_URL`; undefined: there is none.
 */
export function serverAddress(setting: unknown, env: NodeJS.ProcessEnv): string | undefined {
  const given = typeof setting === "string" ? setting.trim() : "";
  return (isWebAddress(given) ? given : env["ANTHROPIC_BASE_URL"]?.trim()) || undefined;
}

/** Whether a text is an address that begins with https:// or http://. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
