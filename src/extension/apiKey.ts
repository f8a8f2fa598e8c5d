import type { Disposable } from "../base/disposable.ts";
import { Emitter, type Event } from "../base/emitter.ts";
import type { Logger } from "../base/logger.ts";

/** The part of VS Code's secret storage that is used. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  onDidChange: Event<{ key: string }>;
}

/** Where the API's key comes from; `unknown` before the first look. */
export type KeySource = "stored" | "environment" | "none" | "unknown";

/** The API's key: the one in the secret storage, else `$ANTHROPIC_API_KEY`. Where it goes from there: `SpawnFile`. */
export interface ApiKey extends Disposable {
  /** What the last look found. */
  readonly source: KeySource;
  readonly onDidChange: Event<void>;
  /** Looks anew. */
  read(): Promise<string | undefined>;
  save(key: string): Promise<void>;
  clear(): Promise<void>;
  /** Keys that were seen, for the log to leave out. */
  seen(): Iterable<string>;
}

/** Whether a team can be started with what is known of the key: a `server` of the person's own may need none. */
export function hasKey({ source }: Pick<ApiKey, "source">, server: string | undefined): boolean {
  return source === "stored" || source === "environment" || server !== undefined;
}

const NAME = "muster.apiKey";

/**
 * The window's key. Nothing is looked up before the first `read`. A secret storage that cannot be read (no keyring) holds
 * none.
 */
export function createApiKey(secrets: SecretStore, env: NodeJS.ProcessEnv, log: Pick<Logger, "warn">): ApiKey {
  const changes = new Emitter<void>();
  const seen = new Set<string>();
  let source: KeySource = "unknown";
  const note = (found: KeySource) => {
    if (found === source) return;
    source = found;
    changes.fire();
  };
  const readStored = async () => {
    try {
      return (await secrets.get(NAME))?.trim();
    } catch (error) {
      log.warn("The secret storage cannot be read: a key can only come from ANTHROPIC_API_KEY.", error);
      return undefined;
    }
  };
  const read = async () => {
    const stored = await readStored();
    const key = stored || env["ANTHROPIC_API_KEY"]?.trim() || undefined;
    if (key) seen.add(key);
    note(stored ? "stored" : key ? "environment" : "none");
    return key;
  };
  const subscription = secrets.onDidChange(({ key }) => {
    if (key === NAME) void read();
  });
  return {
    get source() {
      return source;
    },
    onDidChange: changes.event,
    read,
    save: async (key) => {
      await secrets.store(NAME, key.trim());
      await read();
    },
    clear: async () => {
      await secrets.delete(NAME);
      await read();
    },
    seen: () => seen,
    dispose: () => {
      subscription.dispose();
      changes.dispose();
    },
  };
}
