import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../../scripts/project.ts";
import { createSay } from "../../../src/extension/displayLanguage.ts";
import { doctorText } from "../../../src/extension/doctorText.ts";

const fault = {
  ...{ team: "crew", file: "/state/teams/crew/config.json", invariant: "names are unique" },
  ...{ message: "Two members are called ann.", repair: "Mend /state/teams/crew/config.json by hand." },
};
const note = "crew: docs is no member any more; its inbox is kept.";

it("tells each fault with its file and what mends it, then what is none", () => {
  expect(doctorText("/state", { checked: 3, faults: [fault], notes: [note] }, (sentence) => sentence)).toBe(
    `3 files checked in /state. Faults: 1.

crew · Two members are called ann.
  /state/teams/crew/config.json
  Mend /state/teams/crew/config.json by hand.

Habits of other programs, and what is no fault:
- crew · docs is no member any more; its inbox is kept.
`,
  );
});

it("says all of it in Chinese, and that there are no faults", async () => {
  const bundle = JSON.parse(await readFile(join(projectRoot, "l10n/bundle.l10n.zh-cn.json"), "utf8"));
  const say = createSay(bundle as Record<string, string>);
  const text = doctorText("/state", { checked: 3, faults: [fault], notes: [note] }, say);
  expect(text.replaceAll(/\/state\S*|crew|ann|docs/g, "")).not.toMatch(/[a-z]{2}/i);
  expect(doctorText("/state", { checked: 3, faults: [], notes: [] }, say)).toBe(
    "已检查 /state 中的 3 个文件：没有问题。\n",
  );
});
