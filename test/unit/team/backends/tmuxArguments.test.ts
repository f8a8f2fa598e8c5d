import { describe, expect, test } from "vitest";
import {
  checkMessageSize,
  colouredScreen,
  commandLine,
  environmentNames,
  paneColor,
  paneStart,
  paneTitle,
  sessionName,
  sessionOwner,
} from "../../../../src/team/backends/tmuxArguments.ts";
import { HOSTILE } from "../../../support/hostileStrings.ts";

const SPEC = {
  team: "demo",
  name: "ada",
  displayName: "Ada",
  color: "blue",
  argv: ["/usr/bin/node", "run.js"],
  env: { HOME: "/home/a", SHELL: "/bin/zsh", TERM: "xterm", TMUX: "/x,1,0" },
  cwd: "/work",
};

describe("a command line of tmux", () => {
  test("ends a command only between commands", () => {
    const commands = [
      ["display-message", "a;"],
      ["split-window", "--", ";", ";;", "a\\;", "a;b", "\\", ""],
    ];
    const line = commandLine(commands);
    expect(line).toEqual("display-message|a\\;|;|split-window|--|\\;|;\\;|a\\\\;|a;b|\\|".split("|"));
  });

  test("of more than 16 KB is refused", () => {
    expect(() => checkMessageSize(["é".repeat(7_999)])).not.toThrow();
    expect(() => checkMessageSize(["é".repeat(8_000)])).toThrow("tmux, which takes 16 KB");
  });
});

describe("the start of a pane", () => {
  test("sets the spec's variables, removes others, and leaves tmux its own", () => {
    const start = paneStart(SPEC, "/usr/bin/env", ["HOME", "SECRET", "PWD", "SECRET", "TERM_PROGRAM"]);
    expect(start.environment).toEqual(["-e", "HOME=/home/a", "-e", "SHELL=/bin/zsh"]);
    expect(start.vector).toEqual(["/usr/bin/env", "-u", "SECRET", "SHELL=/bin/zsh", "/usr/bin/node", "run.js"]);
  });

  test("has no SHELL where the spec has none", () => {
    expect(paneStart({ ...SPEC, env: {} }, "/usr/bin/env", []).vector.slice(0, 3)).toEqual([
      ..."/usr/bin/env -u SHELL".split(" "),
    ]);
  });

  test("never lets env take the program for a variable", () => {
    const { vector } = paneStart({ ...SPEC, argv: ["/a=b/node"] }, "/usr/bin/env", []);
    expect(vector.slice(-4)).toEqual(["/bin/sh", "-c", 'exec "$0" "$@"', "/a=b/node"]);
  });

  test.each([
    ["no program", { argv: [] }],
    ["a NUL in an argument", { argv: ["/bin/true", "a\0"] }],
    ["a NUL in a variable", { env: { A: "a\0" } }],
    ["a NUL in the folder", { cwd: "/a\0" }],
    ["more than 8 KB", { argv: ["/bin/true", "é".repeat(4_096)] }],
  ])("is refused with %s", (_, more) => {
    expect(() => paneStart({ ...SPEC, ...more }, "/usr/bin/env", [])).toThrow("The teammate cannot be started in tmux");
  });
});

test("names of variables are read from the lines that set one", () => {
  expect(environmentNames("A=1\n-B\nC=x\nmore\nD=\n=odd\n")).toEqual(["A", "C", "D"]);
});

test("teams have sessions of their own, with no character that tmux gives a meaning", () => {
  expect(sessionName("demo-2")).toBe("muster-demo-2");
  const odd = ["a.b", "a:b", "a#b", "a b", "#{x}", "é", "e"].map(sessionName);
  expect(new Set(odd).size).toBe(odd.length);
  for (const name of odd) expect(name).toMatch(/^muster-[\w-]+$/);
});

test("a team of another state root has another mark, and a second name of its own", () => {
  const [one, other] = ["/home/a/.claude", "/home/b/.claude"].map((root) => sessionOwner("demo", root));
  for (const { names, root } of [one, other].filter((owner) => owner !== undefined)) {
    expect(root).toMatch(/^[0-9a-f]{16}$/);
    expect(names).toEqual(["muster-demo", `muster-demo-${root.slice(0, 6)}`]);
  }
  expect(one?.root).not.toBe(other?.root);
});

test.each(HOSTILE.map((text, index) => [index, text] as const))("a title has nothing that acts (%i)", (_, text) => {
  expect(paneTitle(text)).not.toMatch(/[#\x00-\x1f\x7f-\x9f]/);
});

test("colours have tmux's names", () => {
  expect(["blue", "orange", "pink", "purple", "constructor", null].map(paneColor)).toEqual(
    "blue brightred brightmagenta magenta default default".split(" "),
  );
});

test.each(HOSTILE.map((text, index) => [index, text] as const))(
  "a screen keeps colours and nothing else (%i)",
  (_, text) => {
    const screen = colouredScreen(`\x1b[1;31mred\x1b[0m ${text}\nend`);
    expect(screen).toMatch(/^\x1b\[1;31mred\x1b\[0m /);
    expect(screen.endsWith("\nend")).toBe(true);
    expect(screen.replace(/\x1b\[[\d;:]*m/g, "")).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  },
);
