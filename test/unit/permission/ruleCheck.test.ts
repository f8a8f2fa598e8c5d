import { expect, it } from "vitest";
import { checkRules } from "../../../src/permission/ruleCheck.ts";

const warned = (text: string, tool: string) => checkRules([text], tool).warnings.length > 0;

it("warns of rules that allow more than one would think of, and of no narrow one", () => {
  const wide = {
    Bash: [
      "Bash",
      "Bash(*)",
      "Bash(* --version)",
      "Bash(py*)",
      "Bash(python3:*)",
      "Bash(/usr/bin/node *)",
      "Bash(sudo:*)",
      "Bash(npx:*)",
      "Bash(npm exec:*)",
      "Bash(bash -c *)",
      "B*",
    ],
    Edit: ["Edit", "Edit(**)", "Edit(/**)", "Edit(//**)", "Edit(~/**)", "Edit(./**/*)"],
    Read: ["Read(//**)"],
    WebFetch: ["WebFetch", "WebFetch(domain:*)"],
  };
  for (const [tool, rules] of Object.entries(wide))
    for (const rule of rules) expect([rule, warned(rule, tool)]).toEqual([rule, true]);
  const narrow = {
    Bash: ["Bash(npm test:*)", "Bash(git add:*)", "Bash(python3 x.py)", "Bash(npm run lint)", "Bash(make -j4 *)"],
    Edit: ["Edit(src/**)", "Edit(/docs/*.md)", "Edit(~/notes/**)"],
    WebFetch: ["WebFetch(domain:example.com)", "WebFetch(domain:*.example.com)"],
  };
  for (const [tool, rules] of Object.entries(narrow))
    for (const rule of rules) expect([rule, checkRules([rule], tool)]).toEqual([rule, { fault: null, warnings: [] }]);
});

it("says why a text is no rule for this call, the first fault of several rules", () => {
  expect(checkRules(["Bash(npm test)", "npm test"], "Bash").fault).toContain('"npm test" is not a permission rule.');
  expect(checkRules(["Read(src/**)"], "Bash").fault).toBe("Read(src/**) says nothing about Bash.");
  expect(checkRules([], "Bash").fault).toContain("Write a rule");
  expect(checkRules(["Edit(src/**)"], "Write")).toEqual({ fault: null, warnings: [] });
});
