import stringWidth from "fast-string-width";
import { expect, test } from "vitest";
import { demoHead } from "../../../src/cli/run/runDemo.ts";
import { commandLine } from "../../support/commandLine.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const LONG = "the-researcher-of-the-corner-bakery";

test.each([10, 16, 20, 40, 60])(
  "names are whole and no line is wider than a terminal of %i columns",
  async (columns) => {
    await using temp = await openTempStore();
    await createDemo(temp.store, LONG);
    await temp.store.tasks.create("demo", { subject: "Mend the till ".repeat(9), owner: LONG });
    for (const [argv, whole] of [
      [["teams"], "demo"],
      [["status", "demo"], LONG],
      [["tasks", "demo"], LONG],
      [["doctor"], temp.root],
      [["inbox", "demo", LONG], "No messages."],
      [["task", "update", "demo", "1", "--status", "completed"], LONG],
      [["status", "the-team-that-is-not-there"], "the-team-that-is-not-there"],
    ] as const) {
      const { stdout, stderr } = await commandLine([...argv, "--root", temp.root], { columns });
      const lines = `${stdout}${stderr}`.split("\n");
      expect(Math.max(...lines.map((line) => stringWidth(line))), argv.join(" ")).toBeLessThanOrEqual(columns);
      expect(lines.join("").replace(/\s+/g, ""), argv.join(" ")).toContain(whole.replaceAll(" ", ""));
    }
  },
);

test("a sentence is broken between its words on a terminal, and stays one line elsewhere", async () => {
  await using temp = await openTempStore();
  const argv = ["inbox", "nobody", "nobody", "--root", temp.root];
  const whole = (await commandLine(argv)).stderr;
  expect(whole).toMatch(/^muster: [^\n]+\n$/);
  const broken = (await commandLine(argv, { columns: 40 })).stderr;
  expect(broken.split("\n").length).toBeGreaterThan(2);
  expect(broken.replaceAll("\n  ", " ")).toBe(whole);
});

test("the demo's folders are broken on a narrow terminal, and stand in a line each elsewhere", () => {
  const [project, root] = [`/tmp/muster-demo-${"d".repeat(40)}/corner-bakery`, "/tmp/muster-demo-d/state"] as const;
  expect(demoHead(project, root, Number.POSITIVE_INFINITY)).toContain(`\nProject: ${project}\nState:   ${root}`);
  const lines = demoHead(project, root, 40).split("\n");
  expect(lines.filter((line) => stringWidth(line) > 40)).toEqual([]);
  expect(lines.filter((line) => !/^(?: {2}|The|Project|State)/.test(line))).toEqual([]);
});
