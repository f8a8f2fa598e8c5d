import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/team/defaultSettings.ts";

it("the defaults of a team's settings are those that the manifest shows", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  const shown: Record<string, { default: unknown }> = manifest.contributes.configuration.properties;
  // what the manifest does not show: a catalog is changed alias by alias, rules are files, and a mode after plans follows
  const { models: _, rules: __, afterPlanMode: ___, budget, ...plain } = DEFAULT_SETTINGS;
  const settings = { ...plain, "budget.team": budget.team, "budget.member": budget.member };
  const defaults = Object.keys(settings).map((name) => [name, shown[`muster.${name}`]?.default]);
  expect(Object.fromEntries(defaults)).toEqual(settings);
});
