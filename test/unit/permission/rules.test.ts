import { describe, expect, it } from "vitest";
import { isMusterError } from "../../../src/base/errors.ts";
import { commandAllowed, commandCovered, compileCommandPattern } from "../../../src/permission/commandPatterns.ts";
import { collectRules, tightened } from "../../../src/permission/ruleFiles.ts";
import { parseRule } from "../../../src/permission/rules.ts";
import type { Decision } from "../../../src/permission/types.ts";
import { openEngine } from "../../support/permissionEngine.ts";

const allows = (rule: string, ...words: string[]) => commandAllowed(compileCommandPattern(rule), words);
const covers = (rule: string, ...words: (string | undefined)[]) => commandCovered(compileCommandPattern(rule), words);

describe("rules for commands", () => {
  it("match word by word, and only `*` is a wildcard", () => {
    expect(allows("echo a.b", "echo", "a.b")).toBe(true);
    expect(allows("echo a.b", "echo", "aXb")).toBe(false);
    expect(allows("cat src/[id].ts", "cat", "src/[id].ts")).toBe(true);
    expect(allows("cat src/[id].ts", "cat", "src/i.ts")).toBe(false);
    expect(allows("npm run build*", "npm", "run", "build:web")).toBe(true);
    expect(allows("npm run 'build*'", "npm", "run", "build:web")).toBe(false);
    expect(allows("git * main", "git", "push", "origin", "main")).toBe(true);
    expect(allows("git * main", "git", "push", "origin", "next")).toBe(false);
  });

  it("end on a word, with both ways to write the open end", () => {
    for (const rule of ["git log:*", "git log *"]) {
      expect(allows(rule, "git", "log")).toBe(true);
      expect(allows(rule, "git", "log", "-p")).toBe(true);
      expect(allows(rule, "git", "logout")).toBe(false);
      expect(allows(rule, "/usr/bin/git", "log")).toBe(false);
    }
  });

  it("deny the same program by another path, spelling, or order of options", () => {
    expect(covers("rm -rf:*", "/bin/RM", "-r", "-f", "x")).toBe("surely");
    expect(covers("rm -rf:*", "rm", "-fr", "x")).toBe("surely");
    expect(covers("rm -rf:*", "rm", "x")).toBe("no");
    expect(covers("git push:*", "git", "-C", "x", "--no-pager", "push")).toBe("surely");
    expect(covers("git push:*", "git", "stash", "push")).toBe("no");
    expect(covers("git reset --hard:*", "git", "reset", "--har", "HEAD")).toBe("surely");
  });

  it("know when a word that is not known might be theirs", () => {
    expect(covers("git push:*", "git", undefined)).toBe("perhaps");
    expect(covers("git push:*", "git", "-C", undefined, "status")).toBe("perhaps");
    expect(covers("git push:*", "git", "commit", "-m", undefined)).toBe("no");
    expect(covers("rm:*", "rm", undefined)).toBe("surely");
  });

  it("take no time to speak of with wildcards that a regular expression would choke on", async () => {
    using engine = openEngine();
    const rule = `Bash(${"a*".repeat(500)}b)`;
    const path = `Read(./${"*a".repeat(500)}b)`;
    const decision = await engine.bash("a".repeat(5000), { allow: [rule], deny: [path, rule] });
    expect(decision.behavior).toBe("ask");
  });
});

describe("texts of rules", () => {
  it("are a tool, or a tool with a pattern", () => {
    expect(parseRule("Read", "user", "/").content).toEqual({ kind: "any" });
    expect(parseRule(" Bash(npm test:*) ", "user", "/")).toMatchObject({ tool: "Bash", text: "Bash(npm test:*)" });
    expect(parseRule("mcp__github__*", "user", "/").tool).toBe("mcp__github__*");
    for (const text of [
      "",
      "(x)",
      "Bash(",
      "Bash(x",
      "WebFetch(example.com)",
      "Read({a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b})",
    ])
      expect(() => parseRule(text, "user", "/"), text).toThrow(
        expect.toSatisfy((error) => isMusterError(error, "usage")),
      );
  });

  it("of a workspace only tighten until its file is accepted", () => {
    const permissions = {
      defaultMode: "bypassPermissions",
      allow: ["Bash(*)"],
      ask: ["Bash(git push:*)"],
      deny: ["Read(./.env)", "no rule"],
      additionalDirectories: ["/"],
    } as const;
    const file = { source: "workspace", root: "/w", permissions } as const;
    const foreign = collectRules([{ ...file, accepted: false }], "default");
    expect(foreign.mode).toBe("default");
    expect(foreign.additionalDirectories).toEqual([]);
    expect(
      [foreign.rules.allow, foreign.rules.ask, foreign.rules.deny].map((rules) => rules.map(({ text }) => text)),
    ).toEqual([[], ["Bash(git push:*)"], ["Read(./.env)"]]);
    expect(foreign.faults).toHaveLength(1);
    const accepted = collectRules([{ ...file, accepted: true }], "default");
    expect(accepted.mode).toBe("bypassPermissions");
    expect(accepted.rules.allow).toHaveLength(1);
    expect(collectRules([{ ...file, accepted: false, permissions: { defaultMode: "plan" } }], "default").mode).toBe(
      "plan",
    );
  });

  it("of a hook only tighten a decision", () => {
    const decision: Decision = {
      behavior: "ask",
      rule: null,
      reason: "r",
      suggestions: [],
      parts: null,
      guarded: false,
    };
    expect(tightened(decision, { behavior: "allow", reason: "hook" })).toBe(decision);
    expect(tightened(decision, { behavior: "deny", reason: "hook" })).toMatchObject({
      behavior: "deny",
      reason: "hook",
    });
  });
});

describe("tools", () => {
  it("that nobody knows ask, are allowed by name, and are denied by a text of their input", async () => {
    using engine = openEngine();
    const call = ["mcp__github__create_issue", { title: "x", repo: "a/b" }] as const;
    expect((await engine.decide(...call)).behavior).toBe("ask");
    expect((await engine.decide(...call, { allow: ["mcp__github"] })).behavior).toBe("allow");
    expect(
      (await engine.decide(...call, { allow: ["mcp__github__*"], deny: ["mcp__github__create_issue(a/*)"] })).behavior,
    ).toBe("deny");
    expect((await engine.decide(...call, { allow: ["mcp__git"] })).behavior).toBe("ask");
    expect((await engine.decide(...call, { mode: "plan", allow: ["mcp__github"] })).behavior).toBe("deny");
    expect((await engine.decide(...call, { mode: "bypassPermissions" })).behavior).toBe("allow");
  });

  it("of the team are free in every mode unless a rule denies them", async () => {
    using engine = openEngine();
    expect((await engine.decide("SendMessage", {}, { mode: "plan" })).behavior).toBe("allow");
    expect((await engine.decide("SendMessage", {}, { mode: "dontAsk" })).behavior).toBe("allow");
    expect((await engine.decide("SendMessage", {}, { deny: ["SendMessage"] })).behavior).toBe("deny");
  });

  it("that make a member refuse names that look like the team's own", async () => {
    using engine = openEngine();
    for (const name of ["tеam-lead", "team_lead", "team 1ead", "tearn-lead", "USER", "sуstem", "con", "a\u0000b", ""])
      expect((await engine.decide("SpawnTeammate", { name }, { allow: ["SpawnTeammate"] })).behavior, name).toBe(
        "deny",
      );
    for (const name of ["nora", "研究员", "Ann Lee", "user-tests"])
      expect((await engine.decide("SpawnTeammate", { name }, { allow: ["SpawnTeammate"] })).behavior, name).toBe(
        "allow",
      );
  });
});

describe("calls that name nothing to judge", () => {
  it("are not allowed", async () => {
    using engine = openEngine();
    const allow = ["Bash", "Read", "Write"];
    for (const command of [undefined, 7, ["rm", "-rf", "/"], null])
      expect((await engine.decide("Bash", { command }, { allow, mode: "bypassPermissions" })).behavior).toBe("deny");
    expect((await engine.decide("Read", {}, { allow })).behavior).toBe("ask");
    const twoFiles = { file_path: "{PROJ}/a", notebook_path: "{TEAMS}/t/config.json" };
    expect((await engine.decide("Write", twoFiles, { mode: "bypassPermissions" })).behavior).toBe("deny");
  });
});
