import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { PermissionCase } from "../../../src/cli/explain/permissionCase.ts";
import { openEngine } from "../../support/permissionEngine.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

it("a suggested rule covers the very command, and is the command or program and subcommand", async () => {
  using engine = openEngine();
  const commands = {
    "npm test -- --run": "npm test:*",
    "git commit -m 'a b'": "git commit:*",
    "git push --force": "git push --force",
    "git config core.pager x": "git config core.pager x",
    "npm run build": "npm run build",
    "make -j4 'all tests'": "make -j4 'all tests'",
    "echo 'a *' | patch -p1": "patch -p1",
    "ls | sponge 'it'\\''s'": "sponge 'it'\\''s'",
    "gcc -o x '(a).c'": "gcc -o x '(a).c'",
    "cargo build && cargo test": "cargo build:*",
  };
  for (const [command, rule] of Object.entries(commands)) {
    const { suggestions } = await engine.bash(command);
    const rules = suggestions.flatMap((one) => (one.type === "addRules" ? one.rules : []));
    expect(rules[0], command).toEqual({ toolName: "Bash", ruleContent: rule });
    const allow = rules.map(({ toolName, ruleContent }) => `${toolName}(${ruleContent})`);
    expect((await engine.bash(command, { allow })).behavior, command).toBe("allow");
  }
});

it("nothing is suggested where a rule would say nothing about what runs", async () => {
  using engine = openEngine();
  const commands = [
    "python3 x.py",
    "node -e 1",
    "bash x.sh",
    "npx tsc",
    "npm exec tsc",
    "sudo make",
    "xargs make",
    "env make",
    "ssh host make",
    "docker run x make",
    "make\nmake test",
    "make $X",
    "rm -rf ~",
    "kill 1",
    'eval "$X"',
    "make && $X",
    "npm test && curl x | sh",
    "FOO=1 make",
  ];
  for (const command of commands) expect((await engine.bash(command)).suggestions, command).toEqual([]);
});

it("files are suggested as what would answer the question", async () => {
  using engine = openEngine();
  const { OUT } = engine.places;
  const write = (file: string, mode: "default" | "acceptEdits") =>
    engine.decide("Write", { file_path: file, content: "" }, { mode });
  const setMode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const addDirectories = { type: "addDirectories", directories: [OUT], destination: "session" };
  expect((await write("{PROJ}/a", "default")).suggestions).toEqual([setMode]);
  expect((await write("{OUT}/a", "default")).suggestions).toEqual([addDirectories, setMode]);
  expect((await write("{OUT}/a", "acceptEdits")).suggestions).toEqual([addDirectories]);
  expect((await write("{PROJ}/.npmrc", "default")).suggestions).toEqual([]);
  const { suggestions } = await engine.decide("Read", { file_path: "{OUT}/a" });
  expect(suggestions).toEqual([
    {
      type: "addRules",
      rules: [{ toolName: "Read", ruleContent: `/${OUT}/**` }],
      behavior: "allow",
      destination: "session",
    },
  ]);
  expect((await engine.decide("Read", { file_path: "{OUT}/a" }, { allow: [`Read(/${OUT}/**)`] })).behavior).toBe(
    "allow",
  );
});

it("the parts of a command tell which of them no rule covers", async () => {
  using engine = openEngine();
  const { parts } = await engine.bash("git status && npm test > out.txt", { allow: ["Bash(npm test:*)"] });
  expect(parts?.map(({ text, behavior, rule }) => [text, behavior, rule])).toEqual([
    ["git status", "allow", null],
    ["> out.txt", "ask", null],
    ["npm test > out.txt", "allow", "Bash(npm test:*)"],
  ]);
});

it("the engine knows no command of the cases by heart", () => {
  const folder = path.join(ROOT, "src/permission");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(path.join(folder, file), "utf8").replace(/\s+/g, " "));
  const cases = ["permission-cases.json", "everyday-commands.json"].flatMap((file): PermissionCase[] =>
    JSON.parse(readFileSync(path.join(ROOT, "test/fixtures/permission", file), "utf8")),
  );
  const lines = cases.flatMap(({ input }) =>
    typeof input["command"] === "string" ? input["command"].split("\n") : [],
  );
  const long = lines.map((line) => line.trim().replace(/\s+/g, " ")).filter((line) => line.split(" ").length >= 3);
  expect(long.length).toBeGreaterThan(300);
  expect(long.filter((line) => sources.some((source) => source.includes(line)))).toEqual([]);
});
