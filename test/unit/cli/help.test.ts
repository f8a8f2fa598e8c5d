import { readFileSync } from "node:fs";
import stringWidth from "fast-string-width";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { flag, type Options, value } from "../../../src/cli/command.ts";
import { COMMANDS } from "../../../src/cli/commandTable.ts";
import { helpOf, helpOfAll } from "../../../src/cli/help.ts";
import { VERSION } from "../../../src/cli/version.ts";
import { commandLine } from "../../support/commandLine.ts";

const common: Options = {
  root: value("DIR", "state root; else $CLAUDE_CONFIG_DIR, else ~/.claude", z.string()),
  help: flag("show this"),
};
const all = (width: number) => [
  helpOfAll(COMMANDS, common, null, width),
  ...COMMANDS.map((one) => helpOf(one, common, width)),
];
const wordsOf = (text: string) => text.split(/\s+/);
const whole = all(Number.POSITIVE_INFINITY);

describe("help", () => {
  test.each([
    ["explain", "explain --cases FILE"],
    ["task create", "task create TEAM --subject S"],
    ["task claim", "task claim TEAM ID|--next --as NAME"],
    ["teammate", "teammate --agent-id A@T"],
  ])("the usage of %s names what it cannot do without", (name, called) => {
    const command = COMMANDS.find((one) => one.name === name);
    expect(command && helpOf(command, common, Number.POSITIVE_INFINITY)).toContain(`muster ${called} [OPTION…]`);
    expect(whole[0]).toContain(`  ${called}`);
  });

  test("a command that shows a screen offers no --json, and every one that speaks to an API is named", async () => {
    const offers = await Promise.all(
      COMMANDS.map(async ({ name }) => [name, (await commandLine([...name.split(" "), "--help"])).stdout] as const),
    );
    expect(offers.filter(([, text]) => !text.includes("--json  ")).map(([name]) => name)).toEqual(["attach"]);
    expect(whole[0]).toContain("say which API `run` and `teammate` speak to");
  });

  test("the help of a group says how its commands are called", async () => {
    for (const argv of [
      ["task", "--help"],
      ["help", "task"],
    ]) {
      const { stdout } = await commandLine(argv);
      expect(stdout).toMatch(/^muster task COMMAND \[ARG…\] \[OPTION…\]\n/);
      expect(stdout).toContain("`muster help task COMMAND` and `muster task COMMAND --help` say more.");
    }
  });

  test("the demo says which state root it has, and says it once", async () => {
    const { stdout } = await commandLine(["demo", "--help"]);
    expect(stdout.match(/--root.*/g)).toEqual([
      "--root names one.",
      expect.stringMatching(/^--root DIR +state root \(default: one of its own in a temporary folder\)$/),
    ]);
  });

  test("commands stand in the order of their reference", () => {
    const titles = readFileSync("docs/command-line.md", "utf8").match(/(?<=^### `muster ).*(?=`)/gm) ?? [];
    const named = COMMANDS.map(({ name }) => name);
    const called = titles.map((title) => named.findLast((name) => title === name || title.startsWith(`${name} `)));
    expect(called).toEqual(named);
  });

  test("a form of JSON is broken between its parts on a narrow terminal", () => {
    for (const name of ["explain", "run"]) {
      const command = COMMANDS.find((one) => one.name === name);
      const text = command ? helpOf(command, common, 40) : "";
      expect(text).toMatch(/\{"id",/);
      expect(text).not.toMatch(/^\s*,/m);
    }
  });

  test("values to choose from are broken between them on a narrow terminal", async () => {
    const { stdout } = await commandLine(["task", "update", "--help"], { columns: 40 });
    expect(stdout).toContain("  --status pending|in_progress|\n    completed|deleted\n");
    expect((await commandLine(["task", "update", "--help"])).stdout).toContain("pending|in_progress|completed|deleted");
  });

  test("help and version are a JSON value too", async () => {
    const version = await commandLine(["--version", "--json"]);
    expect([version.code, JSON.parse(version.stdout)]).toEqual([0, { version: VERSION }]);
    const help = await commandLine(["teams", "--help", "--json"], { columns: 20 });
    expect(JSON.parse(help.stdout)).toEqual({ help: (await commandLine(["teams", "--help"])).stdout.trimEnd() });
  });

  test.each([20, 40, 80, 200])(
    "on a terminal of %i columns no line is wider and no word is broken that fits",
    (width) => {
      for (const [at, text] of all(width).entries()) {
        expect(text.split("\n").filter((line) => stringWidth(line) > width)).toEqual([]);
        const words = new Set(wordsOf(text));
        const fitting = wordsOf(whole[at] ?? "").filter((word) => stringWidth(word) <= width - 6);
        expect(fitting.filter((word) => !words.has(word))).toEqual([]);
        expect(text.replace(/\s/g, "")).toBe(whole[at]?.replace(/\s/g, "")); // nothing is cut
      }
    },
  );

  test("what an option means stands beside it, and below it where that would be narrow", () => {
    const line = "  --root DIR  state root; else $CLAUDE_CONFIG_DIR, else ~/.claude";
    expect(helpOfAll(COMMANDS, common, null, Number.POSITIVE_INFINITY)).toContain(line);
    expect(helpOfAll(COMMANDS, common, null, 50)).toContain(
      "  --root DIR  state root; else $CLAUDE_CONFIG_DIR,\n              else ~/.claude",
    );
    expect(helpOfAll(COMMANDS, common, null, 40)).toContain(
      "  --root DIR\n      state root; else\n      $CLAUDE_CONFIG_DIR, else ~/.claude",
    );
  });

  test("where there is no terminal each command and each option has a line", () => {
    const [overview = ""] = whole;
    for (const { name, summary } of COMMANDS)
      expect(overview.split("\n").some((line) => line.startsWith(`  ${name}`) && line.endsWith(`  ${summary}`))).toBe(
        true,
      );
  });
});
