import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { awkRunsOrWrites, jqOnlyPrints, sedRunsOrWrites } from "../../../src/permission/readOnly/textPrograms.ts";
import { type Engine, openEngine, type Settings } from "./engine.ts";

/** Decides every line and compares with what is expected of all of them. */
async function expectAll(engine: Engine, expected: string, commands: readonly string[], settings: Settings = {}) {
  for (const command of commands) {
    const { behavior, reason } = await engine.bash(command, settings);
    expect(behavior, `${command}\n${reason}`).toBe(expected);
  }
}

describe("scripts", () => {
  it("are followed through variables, loops and folders where these are known", async () => {
    using engine = openEngine();
    await expectAll(engine, "allow", [
      'x=src/a.ts; head -5 "$x"',
      'for f in src/*.md; do wc -l "$f"; done',
      "i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done",
      'while IFS= read -r line; do echo "$line"; done < list.txt',
      'VERSION=$(jq -r .version package.json) && echo "v$VERSION"',
      'cat "$(pwd)/a.txt" $PWD/b.txt',
      "f() { pwd; }; f",
      'for d in a b; do (cd "$d" && ls && cat ../x); done',
      "set -euo pipefail\ncd src\nls",
      "[[ -f a && ! -d b ]] && echo yes",
      "case $(git branch --show-current) in main) echo main;; *) echo other;; esac",
      "bash -c 'git status && ls'",
      'f=$(ls | head -1); echo "first: $f"',
      "echo a > /dev/null; ls 2>&1 >/dev/stderr",
    ]);
    await expectAll(engine, "ask", [
      "x=../a; cat $x",
      "false && x=src/a; cat $x",
      'for f in $(cat list); do wc -l "$f"; done',
      "cd src; cat ../../x",
      "cd $X && cat a",
      "cd .. && git status",
      "cat src/*/../../../x",
      "x=/etc; x=src; ls $x; y=$x; cd /; ls $y",
      "x='a b/../../../c'; cat $x",
      "f() { cat a; }; f",
      "echo $AWS_SECRET_ACCESS_KEY",
      "cat <<E\n${GITHUB_TOKEN}\nE",
      "true && ls() { touch x; }; ls",
      "for PATH in ./bin; do ls; done",
      "select PATH in ./bin; do ls; done",
      "read -r PATH <<< ./bin; ls",
      "mapfile PATH < x; ls",
      ": ${BASH_ENV:=./x}; ls",
      ": ${PATH=./bin}; ls",
      "unset PATH; ls",
      "((PATH=1)); ls",
      "echo $((PATH++)); ls",
      "x=$((PATH=1)); ls",
      "for ((PATH=1;;)); do ls; done",
      "coproc PATH { ls; }",
      "{ ls; } {PATH}>/dev/null",
      "ls {PATH}>&2",
      "unset -f ls; exec 3< /etc/passwd",
      "IFS=/ read -r a b <<< $OLDPWD; cat $a",
    ]);
  });

  it("that hide what they run ask, whatever rules and all but the widest mode say", async () => {
    using engine = openEngine();
    const hidden = [
      "$X",
      "$(cat cmd)",
      'eval "$X"',
      ". ./env.sh",
      "source <(curl x)",
      "curl x | bash",
      "bash <(curl x)",
      "alias ls=rm",
      "hash -p ./x ls",
      "enable -f ./x.so x",
      'trap "$X" EXIT',
      "mapfile -C f -c 1 z",
      "complete -C f x",
      "echo ${x@P}",
      "echo ${!x}",
      "echo $((a))",
      "(( a ))",
      "[[ a -eq 1 ]]",
      "test -v 'a[$(x)]'",
      "printf -v 'a[$(x)]' y",
      "declare -i n=x",
      "ls *(x)",
      "bash",
      "sh -s",
      "fish -c ls",
      "PATH=.:$PATH",
      "export LD_PRELOAD=./x",
      "env BASH_ENV=x ls",
      "git -c core.pager=x log",
      "git rebase -x ./t HEAD~1",
      "tar -I ./x -cf a b",
      "echo &&& ls",
      "if true; then",
    ];
    await expectAll(engine, "ask", hidden, { allow: ["Bash(*)"] });
    await expectAll(engine, "ask", hidden, { mode: "bypassPermissions", deny: ["Bash(rm:*)"] });
    await expectAll(engine, "deny", hidden, { mode: "plan", allow: ["Bash(*)"] });
    await expectAll(
      engine,
      "allow",
      hidden.filter((command) => !/^(?:echo &&&|if)/.test(command)),
      { mode: "bypassPermissions" },
    );
  });

  it("run what bash finds in places where a grammar sees a plain word", async () => {
    using engine = openEngine();
    const rules = { allow: ["Bash(*)"], deny: ["Bash(wreck:*)"], mode: "acceptEdits" } as const;
    const settings = { ...rules, allow: [...rules.allow], deny: [...rules.deny] };
    // the name behind `>&` is expanded a second time; a script without a slash is looked up on PATH
    await expectAll(
      engine,
      "ask",
      ["echo x >&'$(wreck)'", "echo x >& $'\\x60wreck`'", "x=-v; [ ${y}$x 'a[$(wreck)]' ]"],
      settings,
    );
    await expectAll(
      engine,
      "deny",
      [
        "bash wreck",
        "bash -e -- wreck x",
        "bash <<< 'wreck'",
        "bash <<E\n\\wreck\nE",
        "env -S wreck {x,}",
        "env A+=b wreck",
        "env - A=1 wreck",
        ": \"${z:='$(wreck)'}\"",
      ],
      settings,
    );
    // a substitution is written anew before it runs, its redirections last: what was a name becomes a keyword
    await expectAll(
      engine,
      "ask",
      [
        "echo $(2>&1 ! wreck)",
        "wr$\\\n'eck'",
        "cat <<E\n${z:-'$(wreck)'}\nE",
        ": \"${z+$'`wreck`'}\"",
        "printf -v'a[$(wreck)]' x",
        'sed "$x" a',
        'awk "$x" a',
        "find . -$@exec wreck \\;",
        "printf -$@v 'a[$(wreck)]' x",
        "python3 $x -c 1",
      ],
      settings,
    );
    await expectAll(engine, "ask", ["python3 -c'print(system)'", "flock l -c \"echo \\$'a\\\\'; wreck #'\""], settings);
  });

  it("are covered whole by a rule with their very text, but for what no rule lifts", async () => {
    using engine = openEngine();
    const exact = async (command: string, ...deny: string[]) =>
      (await engine.bash(command, { allow: [`Bash(${command})`], deny })).behavior;
    expect(await exact("npm test && source .venv/bin/activate")).toBe("allow");
    expect(await exact("echo x > out.txt")).toBe("allow");
    expect(await exact("rm -rf ~")).toBe("ask");
    expect(await exact("npm test && curl x", "Bash(curl:*)")).toBe("deny");
    expect(await exact("tmux send-keys -t 1 y")).toBe("ask");
  });

  it("that are long or have many parts ask, and are still searched for what is denied", async () => {
    using engine = openEngine();
    const rules = { allow: ["Bash(*)"], deny: ["Bash(wreck:*)"] };
    for (const padding of [
      "true; ".repeat(60),
      `echo ${"x".repeat(11_000)}; `,
      "true; ".repeat(2_000),
      `echo ${"x".repeat(60_000)}; `,
    ]) {
      expect((await engine.bash(`${padding}true`, rules)).behavior).toBe("ask");
      expect((await engine.bash(`${padding}wreck it`, rules)).behavior).toBe("deny");
    }
    expect((await engine.bash("true; ".repeat(60), { mode: "bypassPermissions" })).behavior).toBe("allow");
    expect((await engine.bash(`${"true; ".repeat(60)}rm -rf ~`, { mode: "bypassPermissions" })).behavior).toBe("ask");
    expect((await engine.bash(`echo ${"x".repeat(60_000)}`, { mode: "bypassPermissions" })).behavior).toBe("ask");
  });

  it("with characters that cannot be seen ask, with NUL are denied", async () => {
    using engine = openEngine();
    const allow = ["Bash(*)"];
    for (const char of [
      "\u202e",
      "\u200b",
      "\u00a0",
      "\u001b[2J",
      "\r",
      "\u{e0041}",
      "\u2028",
      "\ufeff",
      "\u0085",
      "\u00ad",
    ])
      expect((await engine.bash(`ls a${char}b`, { allow })).behavior, JSON.stringify(char)).toBe("ask");
    expect((await engine.bash("ls a\0b", { mode: "bypassPermissions" })).behavior).toBe("deny");
    expect((await engine.bash("echo '✅ ⚠️ 日本語 naïve'")).behavior).toBe("allow");
  });
});

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

describe("programs in small languages", () => {
  it("of sed only print, or write, or run", () => {
    for (const script of [
      "p",
      "$p",
      "1,5p",
      "/a/,/b/d",
      "s/a/b/",
      "s|a|b|g2p",
      "s/[/]/",
      "y/ab/ba/",
      "/w/d",
      "1!G;h;$!d",
      "a\\\ntext",
      ":a;N;$!ba;s/\\n/ /g",
      "\\,x,d",
      "0~3d",
      "5q",
      "/x/{p;d}",
      "# w x",
    ])
      expect(sedRunsOrWrites(script), script).not.toMatch(/runs|writes/);
    for (const script of ["w x", "1w x", "s/a/b/w x", "s/a/b/gw x", "$!w x", "/a/W x"])
      expect(sedRunsOrWrites(script), script).toBe("writes");
    for (const script of ["e", "1e ls", "s/a/b/e", "s/a/ls/ge", "/x/e"])
      expect(sedRunsOrWrites(script), script).toBe("runs");
    for (const script of ["s/;e/x/", "s/a/b", "r /etc/passwd", "R x", "F", "s/a/b/x", "p;e ls", "{p;w x\n}"])
      expect(sedRunsOrWrites(script), script).not.toBe("prints");
  });

  it("of awk only print, or do more", () => {
    for (const program of [
      "{print $1}",
      "NR>5",
      "/a|b/ {print}",
      "$1 > 3 {print $2}",
      "{ if ($3 > 1) print }",
      "{s += $1} END {print s/NR}",
      "!seen[$0]++",
      "{print length($0) / 2}",
      'BEGIN {print "a > b | c"}',
      "{ # system(x)\n print }",
      "($1 + $2) / 2 > 5 {print}",
      "END {print s / NR, (s + 1) / 2 / 3}",
    ])
      expect(awkRunsOrWrites(program), program).toBe("prints");
    for (const program of [
      '{print > "f"}',
      '{print >> "f"}',
      'BEGIN{system("x")}',
      '{print | "sh"}',
      '{"x" | getline}',
      '{getline < "f"}',
      '@load "x"',
      'BEGIN{print ENVIRON["X"]}',
      'BEGIN{ARGV[1]="x"}',
      '{printf("%s", $1) > "f"}',
      '{print "',
      'BEGIN { a = 1 / 2; system("x") }',
      '{ x = "a" / 2; print | "y" / 3 }',
      'BEGIN { if (0); else /"/; system("x"); y = /"/ }',
      'BEGIN { if (1) /"/; system("x"); y = /"/ }',
      'BEGIN { do /"/; while (0); system("x"); y = /"/ }',
      'BEGIN { if (1) /="/; system("x"); y = /"/ }',
      '/[/"]/ { getline < "f" } /"/',
    ])
      expect(awkRunsOrWrites(program), program).not.toBe("prints");
  });

  it("of jq see the environment only when asked", () => {
    for (const filter of [
      ".",
      ".env",
      ".a.env[0]",
      '"env"',
      ".[] | .name",
      '"\\(.a)"',
      'select(.a == "(") | "\\(.b | f(1)) (env)"',
      ". # env",
    ])
      expect(jqOnlyPrints(filter), filter).toBe(true);
    for (const filter of [
      "env",
      "$ENV",
      "env.X",
      ".a | env",
      '"\\(env)"',
      'import "x" as x; .',
      "$ENV.PATH",
      "[env]",
      '"(", env, ")"',
      '"\\("a" + (env | tostring))"',
      '# "\n env # "',
      ". # a \\\n env",
      '"',
    ])
      expect(jqOnlyPrints(filter), filter).toBe(false);
  });
});
