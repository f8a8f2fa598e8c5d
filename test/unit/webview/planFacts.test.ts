import { expect, it } from "vitest";
import { planFacts } from "../../../webview/board/planFacts.ts";

it("names files that stand as code in the text, each once, and nothing that only looks like one", () => {
  const plan =
    "Read `src/a.ts` and `b.test.tsx`, call `console.log`, `a.b()` and `retry`; then `src/a.ts` again, `文档/说明.md`.";
  expect(planFacts(plan).files).toEqual(["src/a.ts", "b.test.tsx", "文档/说明.md"]);
});

it("names the lines of shell blocks, also where one goes on in the next line, and no other code", () => {
  const plan = [
    ...[
      "1. Test:",
      "   ```bash",
      "   $ npm test -- \\",
      "     --watch=false",
      "   # then",
      "   node x.mjs",
      "   ```",
      "",
    ],
    ...["```ts", "const a = 1;", "```"],
  ].join("\n");
  expect(planFacts(plan)).toEqual({ files: [], commands: ["npm test -- --watch=false", "node x.mjs"] });
});
