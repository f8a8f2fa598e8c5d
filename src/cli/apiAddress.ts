import { MusterError } from "../base/errors.ts";
import { serverOfEnvironment } from "../team/webAddress.ts";

/** $ANTHROPIC_BASE_URL; null where it is not set. Throws `api_unreachable` where it is no web address. */
export function apiAddress(env: NodeJS.ProcessEnv): string | null {
  const { address, fault } = serverOfEnvironment(env);
  if (fault !== null) throw new MusterError("api_unreachable", fault);
  return address;
}
