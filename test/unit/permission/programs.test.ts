import { describe, expect, it } from "vitest";
import { expectAll, openEngine } from "../../support/permissionEngine.ts";

describe("options that run a program", () => {
  it("are not covered by a rule for the program, however short they are written", async () => {
    using engine = openEngine();
    const commands = [
      "git fetch --upload-pac='touch x' .",
      "git clone -qu 'touch x' . y",
      "git clone -c core.sshCommand='touch x' a:b",
      "git clone --conf=core.sshCommand='touch x' a:b",
      "git clone --template=./hooks a:b",
      "git init --templ=./hooks",
      "git push --receive-p='touch x' .",
      "git push --exe='touch x' .",
      "git rebase --exe='touch x' HEAD~1",
      "git archive --remote=. --exe='touch x' HEAD",
      "git archive --remote=ext::'touch x' HEAD",
      "git grep --open='touch x' a",
      "git difftool --extc='touch x' -y",
      "git send-email --sendmail-cmd='touch x' p",
      "git instaweb --httpd=./x",
      "tar cIf 'touch x' a.tar b",
      "tar xFf ./x a.tar",
      "tar cf a.tar --checkpoint=1 --checkpoint-act=exec=x b",
      "tar xf a.tar --to-com=x",
      "tar xf a.tar --use=x",
      "tar xf h:a.tar --rsh-c=x",
      "man --pag='touch x' ls",
      "sort --comp=./x a",
      "split --filt=./x a",
      "rsync --rsh='touch x' a h:b",
      "scp -S ./x a h:b",
      "scp -oproxycommand=./x a h:b",
      "sftp -D ./x",
      "ssh -I ./x.so h",
      "wget --use-askpass=./x http://x",
      "wget -qe use_askpass=./x http://x",
      "npm test --script-sh=./x",
      "npm run a -script-shell=./x",
      "go test -exec ./x ./...",
      "go build --toolexec=./x",
      "go build -ldflags=-extld=./x",
      "cargo build --config 'build.rustc=\"x\"'",
      "fd x -xtouch",
      "fc -s",
      "parallel ::: 'touch x'",
    ];
    for (const command of commands) {
      const allow = [`Bash(${command.split(" ")[0]}:*)`];
      await expectAll(engine, "ask", [command], { allow });
    }
    await expectAll(
      engine,
      "allow",
      [
        "git fetch --all",
        "git clone --depth 1 a:b",
        "git commit -m --exec",
        "tar xzf a.tar.gz",
        "tar cf a.tar --checkpoint=1 b",
        "rsync -av --recursive a b",
        "npm install --global x",
        "npm test -- --shell=x",
        "go test -v ./...",
        "cargo run -- --config x",
        "wget -q http://x",
        "scp -P 22 a h:b",
        "parallel echo ::: a",
      ],
      { allow: "git tar rsync npm go cargo wget scp parallel".split(" ").map((program) => `Bash(${program}:*)`) },
    );
  });

  it("do not hide what is denied", async () => {
    using engine = openEngine();
    const settings = { allow: ["Bash(*)"], deny: ["Bash(rm:*)"] };
    for (const command of [
      "echo 'rm x' | xargs -I{} bash -c {}",
      "printf 'rm x' | xargs -0 -I@ sh -c @",
      "printf x | xargs --replace=% sh -c '%'",
      "printf rm | xargs -i {} x",
      "printf rm | xargs -I{} env {} x",
      "bash +O extglob -c 'rm x'",
      "coreutils rm x",
      "/lib64/ld-linux-x86-64.so.2 /bin/rm x",
      "npm explore x -- rm y",
      "fd x -xrm",
      "fd x --exec=rm y",
    ])
      expect((await engine.bash(command, settings)).behavior, command).not.toBe("allow");
    await expectAll(engine, "allow", ["ls | xargs -I{} echo {}", "ls | xargs -n1 echo"], settings);
  });
});

describe("protected files", () => {
  it("are not written with options that are shortened, bundled or not known", async () => {
    using engine = openEngine();
    const commands = [
      "cp --forc x .git/hooks/pre-commit",
      "cp --targ=.git/hooks x",
      "mv -Zt .git/hooks x",
      "rm --forc .git/config",
      "tee --app .git/config",
      "ln --symb -f x .git/hooks/pre-commit",
      "sed --in-plac s/a/b/ .git/config",
      "sed -n 'w .git/config' x",
      "perl -pi -e s/a/b/ .git/config",
      "awk '{print > \".git/config\"}' x",
      "find . -fprint .git/hooks/x",
      "sort -uo.git/hooks/x y",
      "curl -sLo .git/hooks/pre-commit http://x",
      "curl -sLo.git/hooks/pre-commit http://x",
      "curl --trace .git/hooks/pre-commit http://x",
      "wget -qP .git/hooks http://x/pre-commit",
      "tar xf a.tar -C.git/hooks",
      "tar xCf .git/hooks a.tar",
      "tar cf .git/hooks/pre-commit b",
      "tar xf a.tar --one-top-level=.git/hooks",
      "rsync a .git/hooks/ --exclude x",
      "unzip -od .git a.zip",
      "patch .git/config x.diff",
      "ed .git/config",
      "split x .git/hooks/",
      "git archive --outp=.git/hooks/pre-commit HEAD",
      "git log --outp=.git/hooks/x",
      "git worktree add .git/hooks/x",
      "git mv x .vscode/settings.json",
      "git checkout HEAD -- .vscode/settings.json",
      "git config core.pager x",
      "sed -i 's/a/b/w .git/config' x",
      "cd .git/hooks && tar xf ../../a.tar",
      "cd .git/hooks && curl -O http://x/pre-commit",
      "cd .vscode; unzip -o ../a.zip",
    ];
    for (const settings of [{ allow: ["Bash(*)"] }, { mode: "bypassPermissions" as const }])
      await expectAll(engine, "ask", commands, settings);
    const [exact = ""] = commands;
    await expectAll(engine, "allow", [exact], { allow: [`Bash(${exact})`] });
    const reading = [
      "git add .vscode/settings.json",
      "git log -p .github",
      "diff .git/config x",
      "tar xf a.tar -C out",
    ];
    await expectAll(engine, "allow", reading, { allow: ["Bash(*)"] });
  });
});

describe("sweeps", () => {
  it("over the team's state are denied, and over a file that a rule denies ask", async () => {
    using engine = openEngine();
    const mode = "bypassPermissions" as const;
    for (const command of [
      "find -H {HOME} -name config.json -exec cat {} +",
      "tar cf x.tar {HOME}",
      "tar -C {HOME} -cf x.tar .",
      "rsync -a {HOME} out",
      "zip -r x.zip {HOME}",
    ])
      await expectAll(engine, "deny", [engine.fill(command)], { mode });
    const settings = { allow: ["Bash(*)"], deny: ["Read(.env)"] };
    await expectAll(engine, "ask", ["find . -type f -exec cat {} +", "tar czf x.tgz ."], settings);
    await expectAll(engine, "allow", ["find src -type f -exec wc -l {} +", "tar czf x.tgz src"], {
      allow: ["Bash(*)"],
    });
  });

  it("that a test by name does not narrow ask in every mode", async () => {
    using engine = openEngine();
    const mode = "bypassPermissions" as const;
    const sweeps = [
      "find . -name '*' -delete",
      "find . ! -name keep -delete",
      "find . -not -path './a/*' -delete",
      "find / -name x -o -delete",
      "rsync -a --delete empty/ ./",
      "rsync -a --delete-after empty/ {HOME}",
    ];
    for (const command of sweeps) await expectAll(engine, "ask", [engine.fill(command)], { mode });
    await expectAll(engine, "allow", ["find . -name '*.o' -delete", "rsync -a --delete src/ out/"], { mode });
  });
});
