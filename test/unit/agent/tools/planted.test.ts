import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { memberEnvironment } from "../../../../src/team/memberEnvironment.ts";
import { type ToolBench, toolBench } from "../../../support/toolBench.ts";

/** A program in the project that leaves a canary outside of it when it runs. */
async function plant(bench: ToolBench, name: string): Promise<string> {
  const file = await bench.write(name, `#!/bin/sh\necho "$0" >> "${bench.outside}/canary"\n`);
  await chmod(file, 0o755);
  return file;
}

const canaries = async (bench: ToolBench) => (await readdir(bench.outside)).filter((name) => name === "canary");

describe("a program that the project brings along is not run by the tools themselves", () => {
  const PATHS: [string, (bench: ToolBench) => string[]][] = [
    ["the project's folder", ({ cwd }) => [cwd, path.join(cwd, "bin")]],
    ["an empty part", () => ["", ".", "bin", "./bin"]],
    ["a link outside that leads in", ({ outside }) => [path.join(outside, "link")]],
    ["a detour", ({ cwd, outside }) => [`${outside}/../project`, `${cwd}/../project/bin`]],
  ];

  it.each(PATHS)("with %s on PATH", async (_, folders) => {
    await using bench = await toolBench();
    for (const name of ["bash", "rg", "git", "sh"]) await plant(bench, name);
    for (const name of ["bash", "rg", "git", "sh"]) await plant(bench, `bin/${name}`);
    await symlink(bench.cwd, path.join(bench.outside, "link"));
    await mkdir(path.join(bench.outside, "bin"));
    await bench.write("a.txt", "needle");
    const PATH = [...folders(bench), "/usr/bin", "/bin"].join(path.delimiter);
    const member = bench.another({ env: { PATH, HOME: bench.outside } });
    expect(await member.text("Grep", { pattern: "needle" })).toContain("a.txt");
    expect(await member.text("Bash", { command: "echo ran" })).toBe("ran");
    expect(await canaries(bench)).toEqual([]);
  });

  it("nor by a link elsewhere that leads to it", async () => {
    await using bench = await toolBench();
    const planted = await plant(bench, "tool");
    await mkdir(path.join(bench.outside, "bin"));
    for (const name of ["bash", "rg"]) await symlink(planted, path.join(bench.outside, "bin", name));
    await bench.write("a.txt", "needle");
    const PATH = [path.join(bench.outside, "bin"), "/usr/bin", "/bin"].join(path.delimiter);
    const member = bench.another({ env: { PATH } });
    expect(await member.text("Grep", { pattern: "needle" })).toContain("a.txt");
    expect(await member.text("Bash", { command: "echo ran" })).toBe("ran");
    expect(await canaries(bench)).toEqual([]);
  });

  it("nor by a command that names git, where the host's PATH has a part that depends on the folder", async () => {
    await using bench = await toolBench();
    await plant(bench, "git");
    const env = memberEnvironment({ PATH: `.:${path.delimiter}:/usr/bin:/bin` });
    expect(await bench.another({ env }).text("Bash", { command: "git --version" })).toMatch(/^git version/);
    expect(await canaries(bench)).toEqual([]);
  });

  it("nor a configuration of ripgrep, or start-up files of bash", async () => {
    await using bench = await toolBench();
    const planted = await plant(bench, "pre");
    await bench.write("rg.conf", `--pre=${planted}\n`);
    await bench.write("a.txt", "needle");
    await writeFile(path.join(bench.outside, ".bashrc"), `. ${planted}\n`);
    await writeFile(path.join(bench.outside, ".bash_profile"), `. ${planted}\n`);
    const env = {
      PATH: "/usr/bin:/bin",
      HOME: bench.outside,
      RIPGREP_CONFIG_PATH: path.join(bench.cwd, "rg.conf"),
      BASH_ENV: planted,
      ENV: planted,
    };
    const member = bench.another({ env });
    expect(await member.text("Grep", { pattern: "needle" })).toContain("a.txt");
    expect(await member.text("Bash", { command: "echo ran" })).toBe("ran");
    expect(await canaries(bench)).toEqual([]);
  });
});

describe("a command", () => {
  it("sees no key or token of the host, whatever it is called", async () => {
    await using bench = await toolBench();
    const secrets = {
      ANTHROPIC_API_KEY: "sk-ant-canary-1",
      GITHUB_TOKEN: "ghp-canary-2",
      AWS_SECRET_ACCESS_KEY: "canary-3",
      MY_OWN_THING: "canary-4",
    };
    const env = memberEnvironment({ ...secrets, PATH: "/usr/bin:/bin", HOME: bench.outside });
    const seen = await bench
      .another({ env })
      .text("Bash", { command: "env; cat /proc/self/environ | tr '\\0' '\\n'; export -p; bash -lc env" });
    expect(seen).toContain("PATH=");
    for (const secret of Object.values(secrets)) expect(seen).not.toContain(secret);
  });

  it("is asked nothing: no password, no pager, no editor, no input", async () => {
    await using bench = await toolBench();
    const environment = await bench.text("Bash", { command: "env" });
    for (const line of [
      "GIT_TERMINAL_PROMPT=0",
      "GIT_ASKPASS=/bin/false",
      "SSH_ASKPASS=/bin/false",
      "PAGER=cat",
      "GIT_PAGER=cat",
      "MANPAGER=cat",
      "SYSTEMD_PAGER=cat",
      "GH_PAGER=cat",
      "AWS_PAGER=",
    ])
      expect(environment.split("\n")).toContain(line);
    expect(await bench.text("Bash", { command: "read -t 5 x; echo $?; readlink /proc/self/fd/0" })).toBe(
      "1\n/dev/null",
    );
  });
});
