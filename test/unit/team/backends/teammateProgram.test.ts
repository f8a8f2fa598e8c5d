import { expect, it } from "vitest";
import { foreignProgram, ownProgram } from "../../../../src/team/backends/teammateProgram.ts";

const around = {
  root: "/state",
  env: { PATH: "/bin", ANTHROPIC_API_KEY: "secret", CLAUDE_CONFIG_DIR: "/another" },
};

it("runs muster.mjs with what keeps a waiting process small, and without the key", () => {
  const { argv, env } = ownProgram("/bin/node", "/ext/dist/muster.mjs", around);
  expect(argv[0]).toBe("/bin/node");
  expect(argv.slice(-2)).toEqual(["/ext/dist/muster.mjs", "teammate"]);
  expect(argv.slice(1, -2).every((option) => option.startsWith("--"))).toBe(true); // Node's, before the file
  expect(env).toEqual({ PATH: "/bin", CLAUDE_CONFIG_DIR: "/state", MALLOC_ARENA_MAX: "1" });
});

it("gives a foreign program what that knows, and nothing for Node", () => {
  const { argv, env } = foreignProgram("/bin/other", true, around);
  expect(argv).toEqual(["/bin/other"]);
  expect(env["CLAUDE_CONFIG_DIR"]).toBe("/state");
  expect(env["ANTHROPIC_API_KEY"]).toBeUndefined();
  expect(env["MALLOC_ARENA_MAX"]).toBeUndefined();
});
