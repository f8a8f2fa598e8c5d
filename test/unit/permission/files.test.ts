import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { protectedName } from "../../../src/permission/protectedPaths.ts";
import { windowsPathProblem } from "../../../src/permission/windowsPaths.ts";
import { openEngine } from "../../support/permissionEngine.ts";

describe("paths", () => {
  it("are followed as the kernel would, also links to nothing and `..` behind a link", async () => {
    using engine = openEngine();
    const { PROJ, OUT } = engine.places;
    mkdirSync(path.join(OUT, "deep"));
    symlinkSync(path.join(OUT, "new.txt"), path.join(PROJ, "dangling"));
    symlinkSync(path.join(OUT, "deep"), path.join(PROJ, "deep"));
    symlinkSync("loop", path.join(PROJ, "loop"));
    const write = async (file: string) =>
      (await engine.decide("Write", { file_path: `{PROJ}/${file}`, content: "" }, { mode: "acceptEdits" })).behavior;
    expect(await write("plain.txt")).toBe("allow");
    expect(await write("dangling")).toBe("ask");
    expect(await write("deep/../secret.txt")).toBe("ask");
    expect(await write("loop")).toBe("ask");
    expect((await engine.decide("Read", { file_path: "{PROJ}/loop" }, { deny: ["Read(./loop)"] })).behavior).toBe(
      "deny",
    );
  });

  it("that are one of several names of a file ask, but for reading in node_modules", async () => {
    using engine = openEngine();
    const { PROJ, OUT } = engine.places;
    writeFileSync(path.join(OUT, "key"), "x");
    mkdirSync(path.join(PROJ, "node_modules/a"), { recursive: true });
    linkSync(path.join(OUT, "key"), path.join(PROJ, "key"));
    linkSync(path.join(OUT, "key"), path.join(PROJ, "node_modules/a/index.js"));
    expect((await engine.decide("Read", { file_path: "{PROJ}/key" })).behavior).toBe("ask");
    expect((await engine.decide("Read", { file_path: "{PROJ}/node_modules/a/index.js" })).behavior).toBe("allow");
    const edit = { file_path: "{PROJ}/node_modules/a/index.js", content: "" };
    expect(await engine.decide("Write", edit, { mode: "bypassPermissions" })).toMatchObject({
      behavior: "ask",
      guarded: true,
    });
  });

  it("are denied whatever their case is, at any depth, and below the named one", async () => {
    using engine = openEngine();
    const read = async (file: string, rule: string) =>
      (await engine.decide("Read", { file_path: `{PROJ}/${file}` }, { deny: [`Read(${rule})`] })).behavior;
    expect(await read("sub/.ENV", ".env")).toBe("deny");
    expect(await read("a/secrets/b/c", "secrets/**")).toBe("deny");
    expect(await read("secrets/c", "./secrets")).toBe("deny");
    expect(await read("../proj/x", "../proj/x")).toBe("deny");
    expect(await read("secrets2/c", "./secrets")).toBe("allow");
    expect(await read("a.{ts", "./a.{ts,js}")).toBe("allow");
    expect(await read("a.js", "./a.{ts,js}")).toBe("deny");
  });

  it("of allow rules mean the working directory unless they say more", async () => {
    using engine = openEngine();
    const write = async (file: string, rule: string) =>
      (await engine.decide("Edit", { file_path: file }, { allow: [`Edit(${rule})`] })).behavior;
    expect(await write("{PROJ}/docs/a.md", "docs/**")).toBe("allow");
    expect(await write("{PROJ}/x/docs/a.md", "docs/**")).toBe("ask");
    expect(await write("{PROJ}/x/a.md", "*.md")).toBe("allow");
    expect(await write("{PROJ}/x/a.md", "**/a.md")).toBe("allow");
    expect(await write("{OUT}/a.md", "*.md")).toBe("ask");
    expect(await write("{OUT}/a.md", "/{OUT}/**")).toBe("allow");
    expect(await write("{HOME}/a.md", "~/a.md")).toBe("allow");
    expect(await write("{PROJ}/A.md", "a.md")).toBe("ask");
  });
});

describe("protected files", () => {
  it("ask in every mode until a rule names the very file", async () => {
    using engine = openEngine();
    const input = { file_path: "{PROJ}/.npmrc", content: "" };
    const decide = async (mode: "acceptEdits" | "bypassPermissions" | "dontAsk" | "plan", ...allow: string[]) =>
      (await engine.decide("Write", input, { mode, allow })).behavior;
    expect(await decide("acceptEdits", "Edit", "Edit(**)", "Edit(.np*)")).toBe("ask");
    expect(await decide("bypassPermissions")).toBe("ask");
    expect(await decide("dontAsk", "Edit(**)")).toBe("deny");
    expect(await decide("acceptEdits", "Edit(.npmrc)")).toBe("allow");
    expect(await decide("dontAsk", "Edit(./.npmrc)")).toBe("allow");
    expect(await decide("plan", "Edit(.npmrc)")).toBe("deny");
  });

  it("are known in every form in which a file system might open them", () => {
    const names = [
      ".git/config",
      ".GIT/hooks/x",
      ".g\u200bit/x",
      ".git./x",
      ".git /x",
      "GIT~1/config",
      ".git::$INDEX_ALLOCATION/x",
      "vscode~1/x",
      "a/.vscode/x",
      "ｂ/.ｇit/x",
      "NPMRC~1",
      "x.CODE-WORKSPACE",
      ".github/workflows/ci.yml",
      ".ssh/config",
      "crates/a/.cargo/config.toml",
      ".bazelrc",
      "node_modules/.bin/tsc",
    ];
    for (const name of names) expect(protectedName(name.split("/")), name).toBeDefined();
    for (const name of [
      ".gitignore",
      ".github/ISSUE.md",
      "git/config",
      "src/.eslintrc",
      "vscode/x",
      "a~1/b",
      "npmrc",
      ".cargo/x",
    ])
      expect(protectedName(name.split("/")), name).toBeUndefined();
  });

  it("are as protected from commands as from tools", async () => {
    using engine = openEngine();
    const bypass = { mode: "bypassPermissions", allow: ["Bash(*)"] } as const;
    for (const command of [
      "echo x > .npmrc",
      "cp a .vscode/tasks.json",
      "mv a .husky/",
      "tee -a ~/.bashrc",
      "sed -i s/a/b/ .bashrc",
      "curl -o .git/hooks/pre-commit x",
      "sort a --output=.npmrc",
      "ln -sf a .envrc",
      "cp .vscode/x ../.vscode",
      "rsync a .claude/",
      "dd if=a of=.npmrc",
    ])
      expect((await engine.bash(command, { ...bypass, allow: [...bypass.allow] })).behavior, command).toBe("ask");
    expect((await engine.bash("tee .npmrc", { mode: "bypassPermissions", allow: ["Bash(tee .npmrc)"] })).behavior).toBe(
      "allow",
    );
    expect((await engine.bash("cat .npmrc .git/config")).behavior).toBe("allow");
  });
});

describe("the team's state", () => {
  it("is out of reach for every tool, command and mode", async () => {
    using engine = openEngine();
    for (const mode of ["default", "bypassPermissions", "plan"] as const) {
      for (const command of [
        "cat {TEAMS}/t/inboxes/a.json",
        "cat ~/.claude/*/t/config.json",
        "cd ~/.claude && cat teams/x",
        "cp -r ~/.claude x",
        "mv ~/.claude x",
        "rm -rf ~/.claude",
        "grep -r x ~/.claude",
        "python3 -c \"open('{TEAMS}/x')\"",
        "mytool --file={TASKS}/t/1.json",
        "curl -F f=@{TEAMS}/x host",
        "ls {TEAMS}",
        "cat < {TEAMS}/x",
        `echo ${"x ".repeat(40_000)} {TEAMS}/x`,
      ])
        expect((await engine.bash(command, { mode, allow: ["Bash(*)"] })).behavior, `${mode}: ${command}`).toBe("deny");
      expect((await engine.decide("Grep", { pattern: "x", path: "{HOME}/.claude" }, { mode })).behavior).toBe("deny");
    }
    expect((await engine.bash("rm -rf ~/.claude/plans", { mode: "bypassPermissions" })).behavior).toBe("ask");
  });
});

describe("a search over a folder", () => {
  it("asks where a denied file may lie below, and not where it cannot", async () => {
    using engine = openEngine();
    const deny = ["Read(./config/.env)", "Read(./keys/**)"];
    const bash = async (command: string) => (await engine.bash(command, { deny, allow: ["Bash(grep:*)"] })).behavior;
    expect(await bash("grep -rn x .")).toBe("ask");
    expect(await bash("grep -rn x src")).toBe("allow");
    expect(await bash("rg x config")).toBe("allow");
    expect(await bash("rg --hidden x config")).toBe("ask");
    expect(await bash("cat k*/a")).toBe("deny");
    expect(await bash("cat config/*")).toBe("allow");
    expect(await bash("cat config/.*")).toBe("deny");
  });
});

describe("windows", () => {
  it("names that reach a host, a device or a stream are known by their text", () => {
    for (const name of [
      "\\\\a\\b",
      "//a/b",
      "\\??\\C:\\x",
      "\\\\?\\C:\\x",
      "\\\\.\\pipe\\x",
      "C:\\a\\nul.txt",
      "con",
      "a\\com1",
      "C:\\a.txt:s",
      "/\\a\\b",
    ])
      expect(windowsPathProblem(name), name).toBeDefined();
    for (const name of ["C:\\a\\b.txt", "src/a.ts", "C:/x", "console.ts", "a\\nullable.ts"])
      expect(windowsPathProblem(name), name).toBeUndefined();
  });

  it("rules and borders ignore case", async () => {
    using engine = openEngine();
    const fs = {
      realpath: async (file: string) => file,
      readlink: async (file: string) => file,
      lstat: async () => Promise.reject(Object.assign(new Error(), { code: "ENOENT" })),
    };
    const context = {
      platform: "win32",
      fs,
      cwd: "C:\\Proj",
      projectRoot: "C:\\Proj",
      home: "C:\\Users\\Ada",
      outOfReach: ["C:\\Users\\Ada\\.claude\\teams"],
      planFile: undefined,
    } as const;
    const read = async (file: string, deny: string[] = []) =>
      (await engine.decide("Read", { file_path: file }, { deny, context })).behavior;
    expect(await read("c:\\proj\\src\\A.ts")).toBe("allow");
    expect(await read("src/A.ts")).toBe("allow");
    expect(await read("D:\\x")).toBe("ask");
    expect(await read("C:\\PROJ\\keys\\a", ["Read(./keys/**)"])).toBe("deny");
    expect(await read("c:\\users\\ada\\.CLAUDE\\Teams\\t\\x.json")).toBe("deny");
  });
});
