import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { type ApiKey, createApiKey, type SecretStore } from "../../../src/extension/apiKey.ts";

/** What the person types next, and what the status bar said. */
const window = { typed: undefined as string | undefined, bar: [] as string[] };

vi.mock("vscode", () => ({
  l10n: { t: (text: string) => text },
  window: {
    showInputBox: async () => window.typed,
    setStatusBarMessage: (text: string) => window.bar.push(text),
  },
}));

const { clearApiKey, setApiKey } = await import("../../../src/extension/keyCommands.ts");
afterAll(() => vi.doUnmock("vscode"));

beforeEach(() => {
  Object.assign(window, { typed: undefined, bar: [] });
});

/** A window's key; `readable`: whether its secret storage gives back what it keeps. */
function keyOf(env: NodeJS.ProcessEnv = {}, readable = true): ApiKey {
  const kept = new Map<string, string>();
  const secrets: SecretStore = {
    get: async (name) => (readable ? kept.get(name) : undefined),
    store: async (name, value) => void kept.set(name, value),
    delete: async (name) => void kept.delete(name),
    onDidChange: () => ({ dispose() {} }),
  };
  return createApiKey(secrets, env, { warn() {} });
}

const say = (sentence: string) => sentence;

it("a key that was set or cleared is told of, and whether another one is used now", async () => {
  const apiKey = keyOf();
  await setApiKey({ apiKey, say });
  expect(window.bar).toEqual([]); // the person left
  window.typed = "sk-ant-1";
  await setApiKey({ apiKey, say });
  expect([apiKey.source, window.bar]).toEqual(["stored", ["The API key is kept."]]);
  await clearApiKey({ apiKey, say });
  expect([apiKey.source, window.bar.at(-1)]).toEqual(["none", "The API key is removed."]);
  const other = keyOf({ ANTHROPIC_API_KEY: "sk-ant-2" });
  await clearApiKey({ apiKey: other, say });
  expect(window.bar.at(-1)).toBe("The API key is removed. ANTHROPIC_API_KEY is used now.");
});

it("a key that the secret storage did not keep is not told of as kept", async () => {
  window.typed = "sk-ant-1";
  await setApiKey({ apiKey: keyOf({}, false), say });
  expect(window.bar).toEqual([]);
});
