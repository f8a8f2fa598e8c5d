import { describe, expect, it, vi } from "vitest";
import { Emitter } from "../../../src/base/emitter.ts";
import { silentLogger } from "../../../src/base/logger.ts";
import { createApiKey, hasKey, type SecretStore } from "../../../src/extension/apiKey.ts";
import { keyFault } from "../../../src/extension/keyFault.ts";
import { redact } from "../../../src/extension/redact.ts";

/** A secret storage in memory, which tells of changes as VS Code's does. */
function storage(): SecretStore {
  const values = new Map<string, string>();
  const changes = new Emitter<{ key: string }>();
  return {
    get: async (key) => values.get(key),
    store: async (key, value) => {
      values.set(key, value);
      changes.fire({ key });
    },
    delete: async (key) => {
      values.delete(key);
      changes.fire({ key });
    },
    onDidChange: changes.event,
  };
}

describe("the key of the API", () => {
  it("is the stored one, else the environment's, and tells where it comes from", async () => {
    const key = createApiKey(storage(), { ANTHROPIC_API_KEY: "from-environment" }, silentLogger);
    const sources: string[] = [];
    key.onDidChange(() => sources.push(key.source));
    expect(await key.read()).toBe("from-environment");
    await key.save(" sk-ant-stored \n");
    expect(await key.read()).toBe("sk-ant-stored");
    await key.clear();
    expect(await key.read()).toBe("from-environment");
    expect(sources).toEqual(["environment", "stored", "environment"]);
  });

  it.each([
    [{ ANTHROPIC_API_KEY: "from-environment" }, "from-environment", "environment"],
    [{}, undefined, "none"],
  ])("comes from the environment alone where the secret storage cannot be read: %j", async (env, found, source) => {
    const warn = vi.fn();
    const get = async () => {
      throw new Error("There is no keyring.");
    };
    const key = createApiKey({ ...storage(), get }, env, { warn });
    expect(await key.read()).toBe(found);
    expect(key.source).toBe(source);
    expect(warn).toHaveBeenCalledOnce();
  });

  it("is seen when another window stores it", async () => {
    const shared = storage();
    const key = createApiKey(shared, {}, silentLogger);
    const other = createApiKey(shared, {}, silentLogger);
    expect(await key.read()).toBeUndefined();
    const changed = new Promise((resolve) => key.onDidChange(() => resolve(key.source)));
    await other.save("sk-ant-other");
    expect(await changed).toBe("stored");
  });

  it.each([
    ["", "Paste the key."],
    ["two words", "A key holds no blanks and only plain characters: copy it again."],
    [" sk-ant-123 ", null],
  ])("%j → %j", (text, fault) => {
    expect(keyFault(text)).toBe(fault);
  });

  it.each([
    ["stored", undefined, true],
    ["environment", undefined, true],
    ["none", undefined, false],
    ["unknown", undefined, false],
    ["none", "http://127.0.0.1:9", true],
  ] as const)("from %s, with the server %s: is there for a team: %s", (source, server, isThere) => {
    expect(hasKey({ source }, server)).toBe(isThere);
  });

  it("never reaches a log", () => {
    const text = redact("POST failed with own-secret-key and sk-ant-api03-abcdefghijk_lmn", ["own-secret-key"]);
    expect(text).toBe("POST failed with own… and sk-…");
  });
});
