import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineCommand, flag, value } from "../../../src/cli/command.ts";
import { COMMANDS } from "../../../src/cli/commandTable.ts";
import { asksForJson, parseCommandLine } from "../../../src/cli/parse.ts";

const common = { root: value("DIR", "", z.string()), json: flag(""), help: flag(""), version: flag("") };
const run = async () => 0;
const commands = [
  defineCommand({ name: "teams", args: [], summary: "", options: {}, run }),
  defineCommand({
    name: "send",
    args: ["TEAM", "AGENT", "TEXT"],
    summary: "",
    options: { from: value("NAME", "", z.string()), summary: value("S", "", z.string()) },
    run,
  }),
  defineCommand({
    name: "task claim",
    args: ["TEAM", "[ID]"],
    summary: "",
    options: { next: flag(""), as: value("NAME", "", z.string()) },
    run,
  }),
  defineCommand({
    name: "task update",
    args: ["TEAM", "ID"],
    summary: "",
    options: { status: value("S", "", z.enum(["pending", "completed"], { error: "one of pending, completed" })) },
    run,
  }),
];

commands.push(defineCommand({ name: "screen", args: [], summary: "", json: false, options: {}, run }));

const parse = (...argv: string[]) => parseCommandLine(argv, commands, common);
const call = (...argv: string[]) => {
  const invocation = parse(...argv);
  if (invocation.kind !== "run") throw new Error(invocation.kind);
  return { name: invocation.command.name, ...invocation.call };
};
const refusal = (...argv: string[]) => {
  try {
    parse(...argv);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("it was accepted");
};

describe("a command line", () => {
  test("takes options anywhere, in both spellings, until --", () => {
    const expected = {
      name: "send",
      args: { TEAM: "t", AGENT: "a", TEXT: "hello" },
      options: { json: true, help: false, version: false, from: "bob" },
    };
    expect(call("--json", "send", "t", "--from", "bob", "a", "hello")).toEqual(expected);
    expect(call("send", "--from=bob", "t", "a", "hello", "--json")).toEqual(expected);
    expect(call("send", "t", "a", "--from", "bob", "--json", "--", "hello")).toEqual(expected);
    expect(call("send", "t", "a", "--", "--from=x").args["TEXT"]).toBe("--from=x");
  });

  test("keeps values that look odd", () => {
    expect(call("send", "t", "a", "-").args["TEXT"]).toBe("-");
    expect(call("send", "t", "a", "x", "--summary", "- one").options["summary"]).toBe("- one");
    expect(call("send", "t", "a", "x", "--summary=--json").options["summary"]).toBe("--json");
    expect(call("send", "t", "a", "x", "--summary=").options["summary"]).toBe("");
    expect(call("send", "t", "a", "x", "--summary=a=b").options["summary"]).toBe("a=b");
    expect(call("send", "t", "*", "x").args["AGENT"]).toBe("*");
  });

  test("knows commands of two words and arguments that may be left out", () => {
    expect(call("task", "claim", "t", "--next", "--as", "bob")).toMatchObject({
      name: "task claim",
      args: { TEAM: "t", ID: undefined },
      options: { next: true, as: "bob" },
    });
    expect(call("task", "--as=bob", "claim", "t", "7").args["ID"]).toBe("7");
  });

  test("answers --help and --version before anything else is checked", () => {
    expect(parse("--version")).toEqual({ kind: "version" });
    expect(parse("--help")).toMatchObject({ kind: "help", command: null, group: null });
    expect(parse("send", "--help")).toMatchObject({ kind: "help", command: { name: "send" } });
    expect(parse("task", "--help")).toMatchObject({ kind: "help", command: null, group: "task" });
    expect(parse("task", "claim", "--help")).toMatchObject({ command: { name: "task claim" } });
    expect(parse("send", "-h")).toEqual(parse("send", "--help"));
  });

  test("a command that is none has no help", () => {
    for (const words of [["nope"], ["task", "nope"]])
      for (const call of [
        [...words, "--help"],
        ["--help", ...words],
        ["help", ...words],
      ])
        expect(() => parse(...call)).toThrow(/Unknown command/);
  });

  test("has `help` do what --help does", () => {
    expect(parse("help")).toEqual(parse("--help"));
    expect(parse("help", "help")).toEqual(parse("--help"));
    for (const words of [["send"], ["task"], ["task", "claim"]])
      expect(parse("help", ...words)).toEqual(parse(...words, "--help"));
    expect(refusal("help", "temas")).toContain("Unknown command: temas. Did you mean teams?");
    expect(refusal("hlep")).toContain("Unknown command: hlep. Did you mean help?");
    expect(refusal("help", "task", "clam")).toContain("Did you mean task claim?");
  });

  test.each([
    [["send", "t", "a", "x", "--form", "bob"], "Unknown option: --form. Did you mean --from?"],
    [["--wat", "teams"], "Unknown option: --wat. `muster teams --help` lists its options."],
    [["--wobbly"], "Unknown option: --wobbly. `muster help COMMAND` lists a command's options."],
    [["task", "--wobbly"], "Unknown option: --wobbly. `muster help COMMAND` lists a command's options."],
    [["teams", "--form"], "Unknown option: --form. `muster teams --help` lists its options."],
    [["-v"], "Unknown option: -v. Did you mean --version?"],
    [["teams", "-V"], "Unknown option: -V. Did you mean --version?"],
    [["-versoin"], "Unknown option: -versoin. Did you mean --version?"],
    [["send", "t", "a", "-s"], "Unknown option: -s. Did you mean --summary?"],
    [["send", "t", "a", "-v is there"], "Unknown option: -v is there. Put -- before text that begins with a dash."],
    [["send", "t", "a", "-x"], "Unknown option: -x. Put -- before text that begins with a dash."],
    [["teams", "--from", "bob"], "`muster teams` does not know --from."],
    [["teams", "--json=yes"], "--json takes no value."],
    [["send", "t", "a", "x", "--from"], "--from needs a value: --from NAME."],
    [["send", "t", "a", "x", "--from", "--json"], "--from needs a value before --json."],
    [["task", "update", "t", "1", "--status", "done"], '--status "done": one of pending, completed.'],
    [[], "A command is missing."],
    [["temas"], "Unknown command: temas. Did you mean teams?"],
    [["task"], "`muster task` needs one of: claim, update."],
    [["task", "clam", "t"], "Unknown command: task clam. Did you mean task claim? `muster task` has claim, update."],
    [["task", "nope"], "Unknown command: task nope. `muster task` has claim, update."],
    [["screen", "--json"], "`muster screen` does not know --json."],
    [["send", "t", "a"], "TEXT is missing: muster send TEAM AGENT TEXT [OPTION…]"],
    [["send", "t", "a", "two", "words"], 'Unexpected argument: "words". Put text with blanks into quotes'],
    [["teams", "mine"], 'Unexpected argument: "mine". It takes options only: muster teams [OPTION…]'],
    [["toString"], "Unknown command: toString."],
    [["teams", "--constructor"], "Unknown option: --constructor. `muster teams --help` lists its options."],
    [["teams", "--__proto__=1"], "Unknown option: --__proto__."],
  ])("%j is refused with a sentence that names what is wrong", (argv, sentence) => {
    expect(refusal(...argv)).toContain(sentence);
  });

  test("says whether errors go out as JSON, however wrong it is", () => {
    expect(asksForJson(["nonsense", "--json"])).toBe(true);
    expect(asksForJson(["send", "t", "a", "--", "--json"])).toBe(false);
  });
});

test("a value that no option takes is refused in our own words", () => {
  const options = COMMANDS.flatMap(({ name, options }) =>
    Object.entries(options).map(([option, of]) => ({ name, option, of })),
  );
  const refused = options.flatMap(({ name, option, of }) => {
    if (of.kind === "flag") return [];
    return ["", "\u0000 nope"].flatMap((given) => {
      const { error } = of.schema.safeParse(given);
      return error ? [`${name} --${option}: ${error.issues[0]?.message}`] : [];
    });
  });
  expect(refused.length).toBeGreaterThan(5);
  expect(refused.filter((sentence) => /Invalid|expected|Too small/.test(sentence))).toEqual([]);
});
