import { expect, test } from "vitest";
import { openTempStore } from "../../support/tempStore.ts";

test("plans get names of their own under plans/", async () => {
  await using temp = await openTempStore();
  const { plans } = temp.store;
  const paths = await Promise.all(Array.from({ length: 50 }, () => plans.newPath()));
  expect(new Set(paths).size).toBe(50);
  for (const path of paths) expect(path.slice(temp.root.length)).toMatch(/^\/plans\/[a-z]+-[a-z]+-[a-z]+\.md$/);
  const [path = ""] = paths;
  expect(await plans.read(path)).toBeNull();
  await plans.write(path, "# Plan");
  expect(await plans.read(path)).toBe("# Plan");
});
