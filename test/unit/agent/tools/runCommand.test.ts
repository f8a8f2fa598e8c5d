import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFileTools } from "../../../../src/agent/tools/fileTools.ts";
import { type ToolBench, toolBench } from "../../../support/toolBench.ts";

const bash = (bench: ToolBench, command: string, more: Record<string, unknown> = {}) =>
  bench.text("Bash", { command, ...more });

/** Processes that run in the bench's folder, by their command lines. */
function running(bench: ToolBench): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
      if (/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) return [];
      return environment.includes(bench.outside)
        ? [readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim()]
        : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

async function untilNothingRuns(bench: ToolBench): Promise<void> {
  const end = Date.now() + 5000;
  while (running(bench).length > 0 && Date.now() < end) await sleep(50);
  expect(running(bench)).toEqual([]);
}

describe("Bash", () => {
  it("gives both streams, and the exit code where it is not 0", async () => {
    await using bench = await toolBench();
    expect(await bash(bench, "echo out; echo err >&2")).toBe("out\nerr");
    expect(await bash(bench, "true")).toBe("(no output)");
    expect(await bash(bench, "echo no; exit 3")).toBe("error: Exit code 3\nno");
    expect(await bash(bench, "kill -9 $$")).toBe("error: The command was ended by SIGKILL.");
    expect(await bash(bench, "nonsense-command")).toMatch(
      /^error: Exit code 127\n.*nonsense-command: command not found/,
    );
  });

  it("starts every call anew in the working folder, without start-up files", async () => {
    await using bench = await toolBench();
    await bench.write("start.sh", "echo started; export X=1\n");
    const env = {
      PATH: "/usr/bin:/bin",
      HOME: bench.outside,
      BASH_ENV: `${bench.cwd}/start.sh`,
      "BASH_FUNC_ls%%": "() { echo mine; }",
    };
    const member = bench.another({ env });
    await bash(member, "cd / && export Y=1 && alias x=y");
    expect(await bash(member, 'pwd; echo "[$X$Y]"; type ls')).toBe(`${bench.cwd}\n[]\nls is /usr/bin/ls`);
  });

  it("gives a command only its own environment, and nothing that waits for a person", async () => {
    await using bench = await toolBench();
    process.env["MUSTER_TEST_SECRET"] = "sk-secret";
    const environment = await bash(bench, "env");
    delete process.env["MUSTER_TEST_SECRET"];
    expect(environment).not.toContain("sk-secret");
    expect(environment).toMatch(/^GIT_TERMINAL_PROMPT=0$/m);
    expect(environment).toMatch(/^PAGER=cat$/m);
    expect(await bash(bench, 'read answer; echo "[$answer]"; [ -t 0 ] || echo no terminal')).toBe("[]\nno terminal");
    expect(
      await bash(
        bench,
        "git init -q . && git -c user.name=a -c user.email=a@b commit --allow-empty; git log --format=%s",
      ),
    ).toMatch(/^error: Exit code 128|Aborting commit/);
  });

  it("is not held up by a child that keeps the pipe, and ends it", async () => {
    await using bench = await toolBench();
    expect(await bash(bench, "sleep 300 & echo done")).toBe(
      "done\n(Processes that the command left in the background were ended.)",
    );
    await untilNothingRuns(bench);
  });

  it("ends a background child that does not listen", async () => {
    await using bench = await toolBench();
    await bash(bench, "(trap '' TERM; while :; do sleep 1; done) & sleep 0.2");
    await untilNothingRuns(bench);
  });

  it("names a process that left the group on purpose, and ends it with the member", async () => {
    const lifetime = new AbortController();
    await using bench = await toolBench({ lifetime: lifetime.signal });
    const text = await bash(bench, "setsid sleep 300 > /dev/null 2>&1 & sleep 0.3; echo done");
    expect(text).toMatch(/^done\n(\(Processes .*\)\n)?\(Process \d+ runs on: sleep 300\)$/);
    expect(running(bench)).toEqual(["sleep 300"]);
    lifetime.abort();
    await untilNothingRuns(bench);
  });

  it("ends a command at its time limit, with all that it started", async () => {
    await using bench = await toolBench();
    const text = await bash(bench, "echo begun; setsid sleep 300 & (trap '' TERM; sleep 300); sleep 300", {
      timeout: 500,
    });
    expect(text).toBe("error: The command was ended after 0.5 seconds.\nbegun");
    await untilNothingRuns(bench);
  });

  it("ends a command that does not listen to TERM", async () => {
    await using bench = await toolBench();
    const text = await bash(bench, "trap '' TERM; echo deaf; while :; do sleep 1; done", { timeout: 300 });
    expect(text).toBe("error: The command was ended after 0.3 seconds.\ndeaf");
    await untilNothingRuns(bench);
  });

  it("an abort ends it", async () => {
    await using bench = await toolBench();
    const controller = new AbortController();
    const call = bench.call("Bash", { command: "sleep 300 & sleep 300" }, controller.signal);
    await sleep(300);
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortedError" });
    await untilNothingRuns(bench);
    await expect(bench.call("Bash", { command: "touch made" }, AbortSignal.abort())).rejects.toMatchObject({
      name: "AbortedError",
    });
  });

  it("shows the beginning and the end of a long output, and keeps all of it", async () => {
    await using bench = await toolBench();
    const text = await bash(bench, "seq 1 20000; printf 'é%.0s' $(seq 1 9000)");
    expect(text.length).toBeLessThan(31_000);
    expect(text).toMatch(/^1\n2\n3\n/);
    expect(text).toMatch(/é{9000}$/);
    const [, file = ""] = /The whole output is in (\S+)\.\)/.exec(text) ?? [];
    expect(readFileSync(file, "utf8")).toBe(
      `${Array.from({ length: 20_000 }, (_, n) => n + 1).join("\n")}\n${"é".repeat(9000)}`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("keeps it in a folder of its own where none is given, which goes with the member", async () => {
    const lifetime = new AbortController();
    await using bench = await toolBench();
    const environment = { cwd: bench.cwd, env: { PATH: "/usr/bin:/bin" }, lifetime: lifetime.signal };
    const tool = createFileTools(environment).find(({ name }) => name === "Bash");
    const { signal } = new AbortController();
    const output = await tool?.run(
      { command: "seq 1 20000" },
      { toolUseId: "tu_1", signal, authorize: async () => ({ allow: true }) },
    );
    const [, file = ""] = /The whole output is in (\S+)\.\)/.exec(String(output?.content)) ?? [];
    expect(existsSync(file)).toBe(true);
    lifetime.abort();
    const end = Date.now() + 5000;
    while (existsSync(path.dirname(file)) && Date.now() < end) await sleep(20);
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  it("ends a command that never stops writing", async () => {
    await using bench = await toolBench();
    const before = process.memoryUsage().rss;
    const text = await bash(bench, "yes");
    expect(text).toMatch(/^error: The command was ended because it wrote more than 50 MB/);
    expect(text.length).toBeLessThan(31_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    await untilNothingRuns(bench);
  });

  it("names binary output instead of showing it, but shows names with NUL between them", async () => {
    await using bench = await toolBench();
    expect(await bash(bench, "printf '\\177ELF\\002\\001\\001\\000\\000\\000'")).toBe(
      "(10 bytes of binary output, beginning with 7f454c46020101000000.)",
    );
    expect(await bash(bench, "head -c 40000 /dev/urandom")).toMatch(
      /^\(40000 bytes of binary output, beginning with [0-9a-f]{128}\. The whole output is in \S+\.\)$/,
    );
    expect(await bash(bench, "printf 'some/file/a.txt\\0some/file/b.txt\\0'")).toBe(
      "some/file/a.txt\\0some/file/b.txt\\0",
    );
  });

  it("says why a command cannot be started", async () => {
    await using bench = await toolBench();
    expect(await bash(bench.another({ cwd: `${bench.cwd}/gone` }), "true")).toMatch(
      /^error: The command cannot be started in .*gone: .*ENOENT/,
    );
    await writeFile(path.join(bench.outside, "bash"), "#!/gone/interpreter\n", { mode: 0o755 });
    expect(await bash(bench.another({ env: { PATH: bench.outside } }), "true")).toMatch(
      /^error: The command cannot be started/,
    );
  });

  it("goes on when the output cannot be kept", async () => {
    await using bench = await toolBench({ outputFolder: "/dev/null/outputs" });
    const text = await bash(bench, "seq 1 20000");
    expect(text).toMatch(/^1\n/);
    expect(text).not.toContain("The whole output");
  });
});
