import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { explainCase } from "../../../src/cli/explain/explainCase.ts";
import type { PermissionCase } from "../../../src/cli/explain/permissionCase.ts";
import type { Behavior } from "../../../src/permission/types.ts";
import { nodePathFs } from "../../../src/store/pathFs.ts";

const FIXTURES = path.resolve(import.meta.dirname, "../../fixtures/permission");

/** A case of the fixtures, with what it is about. */
interface Case extends PermissionCase {
  group: string;
  expect: Behavior;
  why: string;
}

/** Cases that are wrong, each with the reason; they stay failing here, and the engine is not bent to them. */
const WRONG: Readonly<Record<string, string>> = {
  A017: "echo is read-only, so it is allowed without any rule (U035, U349, U351, U454); a further allow rule cannot make the engine stricter. What the case means, that a dot is no wildcard, is tested in rules.test.ts.",
};

for (const file of ["permission-cases.json", "everyday-commands.json"]) {
  const cases: Case[] = JSON.parse(readFileSync(path.join(FIXTURES, file), "utf8"));
  describe(file, () => {
    for (const given of cases) {
      const test = given.id in WRONG ? it.fails : it;
      test(`${given.id} ${given.group}: ${given.expect}, ${given.why}`, async () => {
        const decision = await explainCase(given, nodePathFs);
        expect(decision.behavior, decision.reason).toBe(given.expect);
        expect(decision.reason).not.toBe("");
      });
    }
  });
}
