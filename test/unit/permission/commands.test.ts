import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { expectAll, openEngine } from "../../support/permissionEngine.ts";

describe("removals", () => {
  it("of what cannot be brought back ask in every mode", async () => {
    using engine = openEngine();
    mkdirSync(path.join(engine.places.PROJ, "src"));
    await expectAll(
      engine,
      "ask",
      [
        "rm -rf /",
        "rm -rf /*",
        "rm -rf ~",
        'rm -rf "$HOME"/',
        "rm -rf *",
        "rm -rf ./*",
        "rm -rf .git",
        "rm -rf src/../.git",
        "rm -rf ../proj",
        "rm -rf {PROJ}",
        "rm -rf $X/y",
        "rm -rf -- /usr/",
        "rmdir /home",
        "sudo rm -rf /etc",
        "bash -c 'rm -rf ~'",
        "find / -delete",
        "find . -delete",
        "find . -type f -exec rm {} +",
        "ls | xargs rm",
        "cd / && rm -rf usr",
        "cd $X && rm -rf build",
        "for d in *; do rm -rf $d; done",
        "rm -rf {src,/}",
        "rm -r /private/etc",
        "unlink $X",
      ],
      { mode: "bypassPermissions", allow: ["Bash(rm:*)", "Bash(*)"] },
    );
  });

  it("of ordinary folders are ordinary", async () => {
    using engine = openEngine();
    const ordinary = [
      "rm -rf dist build",
      "rm -rf build/*",
      "rm *.log",
      "find . -name '*.o' -delete",
      "for d in a b; do rm -rf $d; done",
      "rm -rf /tmp/muster-x",
      "rm -rf $(pwd)/build",
    ];
    await expectAll(engine, "allow", ordinary, { mode: "bypassPermissions" });
    await expectAll(engine, "ask", ordinary);
  });
});

describe("the mode for edits", () => {
  it("covers what commands change inside the project, and nothing more", async () => {
    using engine = openEngine();
    await expectAll(
      engine,
      "allow",
      [
        "touch a b",
        "mkdir -p a/b",
        "cp -r a b",
        "mv a b",
        "rm a",
        "tee a < b",
        "sed -i 's/a/b/' a",
        "echo x >> a",
        "LC_ALL=C touch a",
      ],
      { mode: "acceptEdits" },
    );
    await expectAll(
      engine,
      "ask",
      [
        "touch ../a",
        "cp a ~/b",
        "mv ~/a b",
        "rm -r a",
        "sed -i 's/a/b/e' a",
        "ln -s /etc a",
        "chmod +x a",
        "cp a $X",
        "./touch a",
        "FOO=1 touch a",
        "cp --weird a b",
        "echo x > $X",
        "tee >(cat) a $X",
      ],
      { mode: "acceptEdits" },
    );
  });
});

describe("git", () => {
  it("in a repository other than the project's own asks", async () => {
    using engine = openEngine();
    const proj = engine.places.PROJ;
    mkdirSync(path.join(proj, ".git"));
    mkdirSync(path.join(proj, "vendored/.git"), { recursive: true });
    for (const name of ["HEAD", "objects", "refs"]) {
      mkdirSync(path.join(proj, "planted"), { recursive: true });
      writeFileSync(path.join(proj, "planted", name), "");
    }
    const allow = ["Bash(cd:*)", "Bash(git:*)"];
    await expectAll(engine, "allow", ["git status", "cd src && git log", "git -C src diff"], { allow });
    await expectAll(
      engine,
      "ask",
      [
        "cd vendored && git status",
        "git -C vendored log",
        "cd planted && git status",
        "cd {OUT} && git status",
        "cd $X && git status",
      ],
      { allow },
    );
  });
});

describe("other agents", () => {
  it("are not acted on without a question", async () => {
    using engine = openEngine();
    const rules = { allow: ["Bash(*)"] };
    await expectAll(
      engine,
      "ask",
      [
        "tmux send-keys -t 1 y Enter",
        "tmux kill-server",
        "screen -X stuff y",
        "kill 42",
        "pkill node",
        "kill -9 $(pgrep x)",
      ],
      rules,
    );
    await expectAll(engine, "allow", ["tmux ls", "tmux -V", "kill %1", "kill -l", "kill -0 42"], rules);
  });
});

it("that runs without a rule is allowed for what it does", async () => {
  using engine = openEngine();
  mkdirSync(path.join(engine.places.PROJ, "src"));
  writeFileSync(path.join(engine.places.PROJ, "src/a.js"), "");
  const reason = async (command: string, mode: "default" | "acceptEdits") =>
    (await engine.decide("Bash", { command }, { mode })).reason;
  for (const command of ["ls -la", "cat src/a.js && echo hi", "git status"])
    expect(await reason(command, "default")).toBe("It only reads, and inside the project.");
  expect(await reason("rm src/a.js", "acceptEdits")).toBe("The mode accepts edits inside the project.");
  expect(await reason("# nothing", "default")).toBe("It runs nothing.");
});
