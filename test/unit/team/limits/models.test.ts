import { expect, it } from "vitest";
import { modelNotice } from "../../../../src/team/limits/modelNotice.ts";
import {
  DEFAULT_MODELS,
  MODEL_ALIASES,
  resolveModel,
  thinkingOf,
  unknownModel,
} from "../../../../src/team/limits/models.ts";

it("each family has the window, the longest reply and the prices that its vendor lists", () => {
  for (const alias of MODEL_ALIASES)
    expect(resolveModel(alias, DEFAULT_MODELS)).toMatchObject({ contextWindow: 1_000_000, maxOutput: 128_000 });
  const { haiku, sonnet, opus } = DEFAULT_MODELS;
  expect(haiku.price?.longPrompt).toEqual({ input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 });
  expect([sonnet.price?.longPrompt, opus.price?.longPrompt]).toEqual([undefined, undefined]);
});

it("a model that nobody described is taken to be small, without a price, and that is said", () => {
  expect(resolveModel("claude-next", DEFAULT_MODELS)).toEqual({
    ...{ id: "claude-next", contextWindow: 200_000, maxOutput: 32_000, price: null },
  });
  expect(unknownModel("claude-next", DEFAULT_MODELS)).toMatch(/the model claude-next: .*200000 tokens.*no budget/);
  expect(unknownModel("sonnet", DEFAULT_MODELS)).toBeNull();
  expect(unknownModel(`${DEFAULT_MODELS.opus.id}-20261101`, DEFAULT_MODELS)).toBeNull();
});

it("a model that thinks by itself is asked for what a person can read", () => {
  const { haiku, sonnet, opus } = DEFAULT_MODELS;
  const asked = (setting: "off" | "adaptive") =>
    [haiku.id, sonnet.id, `${sonnet.id}-20260928`, opus.id, "claude-next"].map((id) => thinkingOf(id, setting));
  expect(asked("off")).toEqual(["off", "between_tools", "between_tools", "adaptive", "off"]);
  expect(asked("adaptive")).toEqual(Array(5).fill("adaptive"));
});

it("a team says it once for each such model, whoever works with it", () => {
  const said: string[] = [];
  const silent = () => {};
  const log = { debug: silent, info: silent, error: silent, warn: (sentence: string) => said.push(sentence) };
  const tell = modelNotice(DEFAULT_MODELS, log);
  const joined = (member: string, model: string) =>
    tell({
      ...{ type: "member_joined", member, model, agentType: "general-purpose", backend: "in-process" },
      ...{ color: "blue", planModeRequired: false },
    });
  tell({ type: "run_started", session: "s", cwd: "/project", model: "local-model" });
  joined("alice", "local-model");
  joined("bob", "haiku");
  joined("carol", "other-model");
  expect(said).toEqual([
    expect.stringContaining("the model local-model:"),
    expect.stringContaining("the model other-model:"),
  ]);
});
