import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { serverAddress } from "../../../src/extension/serverAddress.ts";
import { readSettings } from "../../../src/extension/settings.ts";
import { DEFAULT_MODELS, resolveModel } from "../../../src/team/limits/models.ts";

function settings(values: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) {
  return readSettings((name) => values[name], env, "/home/ann");
}

describe("settings", () => {
  it("have the defaults that the manifest shows", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    const shown: Record<string, { default: unknown }> = manifest.contributes.configuration.properties;
    const { models, baseUrl, stateRoot, faults, ...plain } = settings({});
    for (const [name, value] of Object.entries(plain)) expect(shown[`muster.${name}`]?.default, name).toEqual(value);
    expect(Object.keys(shown).sort()).toEqual(
      [...Object.keys(plain), "models", "baseUrl", "stateRoot"].map((name) => `muster.${name}`).sort(),
    );
    expect({ models, baseUrl, stateRoot, faults }).toEqual({
      models: DEFAULT_MODELS,
      baseUrl: undefined,
      stateRoot: "/home/ann/.claude",
      faults: [],
    });
  });

  it("keep a value that cannot be used from doing harm, and say so in a sentence", () => {
    const read = settings({ maxMembers: -1, thinking: "loud", baseUrl: "file:///etc", stateRoot: "teams", model: "" });
    expect(read).toMatchObject({
      maxMembers: 8,
      thinking: "off",
      baseUrl: undefined,
      stateRoot: "/home/ann/.claude",
      model: "sonnet",
    });
    expect(read.faults).toHaveLength(5);
    for (const fault of read.faults)
      expect(fault).toMatch(/^The setting muster\.\w+ .*: its default holds until you change it\.$/);
  });

  it("know budgets that are none, and take no other nonsense for one", () => {
    expect(settings({ "budget.team": null })).toMatchObject({ "budget.team": null, faults: [] });
    expect(settings({ "budget.member": 0.5 })).toMatchObject({ "budget.team": 5, "budget.member": 0.5, faults: [] });
    const read = settings({ "budget.team": 0, "budget.member": "much", maxMembers: null });
    expect(read).toMatchObject({ "budget.team": 5, "budget.member": null, maxMembers: 8 });
    expect(read.faults).toHaveLength(2);
  });

  it("let an alias stand for another model, whose price is not guessed", () => {
    const { models } = settings({ models: { opus: { id: "my-opus", contextWindow: 1_000_000 } } });
    expect(resolveModel("opus", models)).toEqual({
      id: "my-opus",
      contextWindow: 1_000_000,
      maxOutput: 32_000,
      price: null,
    });
    expect(resolveModel("haiku", models)).toEqual(DEFAULT_MODELS.haiku);
  });

  it.each([
    [undefined, {}, undefined],
    ["", {}, undefined],
    [null, {}, undefined],
    ["https://api.example", {}, "https://api.example"],
    [" https://api.example ", {}, "https://api.example"],
    ["localhost:8080", {}, undefined],
    ["http://", {}, undefined],
    ["file:///etc", { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" }, "http://127.0.0.1:9"],
    ["", { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" }, "http://127.0.0.1:9"],
    ["", { ANTHROPIC_BASE_URL: " " }, undefined],
    ["", { ANTHROPIC_BASE_URL: "localhost:8080" }, undefined],
    ["http://", { ANTHROPIC_BASE_URL: "ftp://a.example" }, undefined],
  ])("name a server of one's own in one way, whoever asks: %j, %j", (baseUrl, env, server) => {
    expect(settings({ baseUrl }, env).baseUrl).toBe(server);
    expect(serverAddress(baseUrl, env)).toBe(server);
  });

  it("say that $ANTHROPIC_BASE_URL is no address, where it would be asked", () => {
    const env = { ANTHROPIC_BASE_URL: "localhost:8080" };
    expect(settings({}, env).faults).toEqual([
      '$ANTHROPIC_BASE_URL is not a web address: "localhost:8080". Set it to one that begins with https:// or http://, or unset it.',
    ]);
    expect(settings({ baseUrl: "https://api.example" }, env).faults).toEqual([]);
  });

  it("have an absolute state root also where $CLAUDE_CONFIG_DIR is relative", () => {
    expect(settings({}, { CLAUDE_CONFIG_DIR: "state" }).stateRoot).toBe(path.resolve("state"));
  });

  it("win over the environment, which wins over the defaults", () => {
    const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CLAUDE_CONFIG_DIR: "/state" };
    expect(settings({}, env)).toMatchObject({ baseUrl: "http://127.0.0.1:9", stateRoot: "/state" });
    expect(settings({ baseUrl: "https://api.example", stateRoot: "~/teams" }, env)).toMatchObject({
      baseUrl: "https://api.example",
      stateRoot: "/home/ann/teams",
    });
  });
});
