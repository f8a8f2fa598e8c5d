/**
 * The environment of the members' commands: this process's own without the API's variables and without anything whose
 * name says that it is a secret.
 */
export function memberEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !API.test(entry[0]) && !SECRET.test(entry[0]),
  );
  return Object.fromEntries(kept);
}

const API = /^ANTHROPIC_/i;
const SECRET = /(^|_)(API_?KEY|ACCESS_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$)/i;
