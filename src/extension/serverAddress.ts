import { isWebAddress, serverOfEnvironment } from "../team/webAddress.ts";

/**
 * The server of the person's own that speaks the API: the setting `muster.baseUrl` (as it was given), where it is a web
 * address, else `$ANTHROPIC_BASE_URL`, where that is one; undefined: there is none.
 */
export function serverAddress(setting: unknown, env: NodeJS.ProcessEnv): string | undefined {
  const given = typeof setting === "string" ? setting.trim() : "";
  return isWebAddress(given) ? given : (serverOfEnvironment(env).address ?? undefined);
}
