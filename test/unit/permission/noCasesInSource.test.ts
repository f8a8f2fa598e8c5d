import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const FIXTURES = path.join(ROOT, "test/fixtures/permission");

/** Command lines of the cases and their parts, in words joined by one blank; those of three words or more. */
function commandLines(): Set<string> {
  const cases = ["permission-cases.json", "everyday-commands.json"].flatMap(
    (file): { input: Record<string, unknown> }[] => JSON.parse(readFileSync(path.join(FIXTURES, file), "utf8")),
  );
  const commands = cases.flatMap(({ input }) => (typeof input["command"] === "string" ? [input["command"]] : []));
  const parts = commands.flatMap((command) => [command, ...command.split("\n"), ...command.split(/&&|\|\||[;|&\n]/)]);
  const lines = parts.map((part) => inWords(part)).filter((part) => part.split(" ").length >= 3);
  return new Set(lines);
}

function inWords(text: string): string {
  return text.trim().split(/\s+/).join(" ");
}

it("the engine decides by what commands mean: no command line of the cases stands in its source", () => {
  const lines = commandLines();
  expect(lines.size).toBeGreaterThan(500);
  const files = globSync("src/permission/**/*.ts", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(40);
  const found = files.flatMap((file) => {
    const text = inWords(readFileSync(path.join(ROOT, file), "utf8"));
    return [...lines].filter((line) => text.includes(line)).map((line) => `${file}: ${line}`);
  });
  expect(found).toEqual([]);
});
