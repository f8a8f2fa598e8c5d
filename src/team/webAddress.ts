/** Whether a text is an address that begins with https:// or http://. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/**
 * The server that $ANTHROPIC_BASE_URL names, and what is wrong with that, one sentence. Both are null where it is not set;
 * what is no web address is no server.
 */
export function serverOfEnvironment(env: NodeJS.ProcessEnv): { address: string | null; fault: string | null } {
  const address = env["ANTHROPIC_BASE_URL"]?.trim();
  if (!address) return { address: null, fault: null };
  if (isWebAddress(address)) return { address, fault: null };
  const fault = `$ANTHROPIC_BASE_URL is not a web address: ${JSON.stringify(address)}. Set it to one that begins with https:// or http://, or unset it.`;
  return { address: null, fault };
}
