/**
 * The environment of the members' commands: a host's own without the variables of the API and of an editor around it, and
 * without anything whose name says that it is a secret.
 */
export function memberEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !HOST.test(entry[0]) && !SECRET.test(entry[0]),
  );
  return Object.fromEntries(kept);
}

const HOST = /^(ANTHROPIC|VSCODE|ELECTRON)_/i;
const SECRET = /(^|_)(API_?KEY|ACCESS_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$)/i;
