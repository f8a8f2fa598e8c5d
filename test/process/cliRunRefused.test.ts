import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { errorOutput } from "../support/cliContract.ts";
import { useCliRuns } from "../support/cliRuns.ts";
import { runCli } from "../support/runCli.ts";
import { scriptingTeam } from "../support/scriptingTeam.ts";

const runs = useCliRuns();

describe("what cannot be used is said in one sentence before the run starts", () => {
  async function refused(
    reason: string,
    code: number,
    args: readonly string[],
    env: Record<string, string>,
  ): Promise<string> {
    const result = await runCli(runs.file, runs.home, [...args, "--json"], { env });
    const { error } = errorOutput.parse(result.json());
    expect({ code: result.code, reason: error.reason }).toEqual({ code, reason });
    expect(result.stderr).toBe(`muster: ${error.message}\n`);
    return error.message;
  }
  const unused = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };

  test("a missing key, and one that cannot be a key", async () => {
    expect(await refused("no_key", 3, ["run", "x"], {})).toContain("ANTHROPIC_API_KEY");
    expect(await refused("no_key", 3, ["run", "x"], { ANTHROPIC_API_KEY: "a\nb" })).toBe(
      "$ANTHROPIC_API_KEY holds characters that no key has: copy the key and set it again.",
    );
    expect(readdirSync(runs.home.home)).toEqual([]);
  });

  test("a team that exists, by folder and by display name", async () => {
    (await scriptingTeam(runs.home.root, "研究 Team")).dispose();
    const before = readFileSync(
      path.join(runs.home.root, "teams", readdirSync(path.join(runs.home.root, "teams"))[0]!, "config.json"),
      "utf8",
    );
    expect(await refused("team_exists", 1, ["run", "x", "--team", "研究 TEAM"], unused)).toBe(
      'There is a team "研究 Team" already: choose another name. A window of VS Code goes on with it (Continue Team), or deletes it (Delete Team…).',
    );
    const [folder] = readdirSync(path.join(runs.home.root, "teams"));
    expect(readFileSync(path.join(runs.home.root, "teams", folder!, "config.json"), "utf8")).toBe(before);
  });

  test("a state root that has the demo's team already", async () => {
    (await scriptingTeam(runs.home.root, "corner-bakery")).dispose();
    expect(await refused("team_exists", 1, ["demo", "--root", runs.home.root, "--approve", "none"], {})).toContain(
      "--root",
    );
    expect(readdirSync(runs.home.env["TMPDIR"] ?? "")).toEqual([]); // no copy of the sample
  });

  test("a tmux that is not there, or whose server is gone", async () => {
    const bin = path.join(runs.home.dir, "bin");
    mkdirSync(bin);
    const demo = ["demo", "--approve", "all", "--teammate-mode", "tmux"];
    const notInstalled =
      "tmux is not installed: install it (`apt install tmux`, `brew install tmux`), or say --teammate-mode in-process.";
    expect(await refused("not_ready", 1, demo, { PATH: bin })).toBe(notInstalled);
    const run = ["run", "x", "--approve", "all", "--teammate-mode", "tmux"];
    expect(await refused("not_ready", 1, run, { ...unused, PATH: bin })).toBe(notInstalled);
    const gone = { TMUX: path.join(runs.home.dir, "no,socket,1,0"), TMUX_PANE: "%0" };
    const told =
      /^The tmux server of this terminal is gone \(.+\): start in another terminal, or say --teammate-mode in-process\.$/;
    expect(await refused("not_ready", 1, ["demo", "--approve", "all"], gone)).toMatch(told);
    expect(await refused("not_ready", 1, run, { ...unused, ...gone })).toMatch(told);
    expect(readdirSync(runs.home.env["TMPDIR"] ?? "").filter((name) => name.startsWith("muster-demo"))).toEqual([]);
  });

  test("a name that is not a name", async () => {
    for (const name of ["../up", "team-lead", "", "a/b", "x".repeat(65)])
      await refused("bad_name", 1, ["run", "x", "--team", name], unused);
  });

  test("an unreadable state root", async () => {
    const file = path.join(runs.home.dir, "file");
    writeFileSync(file, "");
    const sentence = await refused("root_unreadable", 4, ["run", "x", "--root", file], unused);
    expect(sentence).toContain("choose another state root");
    await refused("root_unreadable", 4, ["demo", "--root", file, "--approve", "none"], {});
    expect(readdirSync(runs.home.env["TMPDIR"] ?? "")).toEqual([]); // no copy of the sample
  });

  test("a base URL that is none", async () => {
    for (const url of ["localhost:8080", "ftp://a.example", "nonsense"]) {
      const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url };
      expect(await refused("api_unreachable", 3, ["run", "x"], env)).toMatch(/not a web address: .*Set it/);
    }
  });

  test("a folder that cannot be opened", async () => {
    const loop = path.join(runs.home.project, "loop");
    symlinkSync(loop, loop);
    const sentence = await refused("root_unreadable", 4, ["run", "x", "--cwd", loop], unused);
    expect(sentence).toContain(`${loop} cannot be opened (ELOOP): check`);
  });

  test("a folder that is not there, a rule that is none, a terminal that is none", async () => {
    await refused("usage", 2, ["run", "x", "--cwd", "nowhere"], unused);
    await refused("usage", 2, ["run", "x", "--allowedTools", "(("], unused);
    await refused("usage", 2, ["run", "x", "--approve", "ask"], unused);
    await refused("usage", 2, ["run", "-", "--approve", "stdin"], unused);
    expect(await refused("usage", 2, ["run", "x", "--permission-mode", "yolo"], unused)).toBe(
      '--permission-mode "yolo": choose one of default, acceptEdits, plan, bypassPermissions, dontAsk.',
    );
  });

  test("what is wrong with a call, before the key is asked for", async () => {
    (await scriptingTeam(runs.home.root)).dispose();
    await refused("usage", 2, ["run", "x", "--cwd", "nowhere"], {});
    await refused("usage", 2, ["run", "x", "--disallowedTools", "(("], {});
    await refused("team_exists", 1, ["run", "x", "--team", "demo"], {});
    await refused("unknown_team", 1, ["teammate", "--agent-id", "alice@nope"], {});
    await refused("unknown_member", 1, ["teammate", "--agent-id", "bob@demo"], {});
    await refused("not_allowed", 1, ["teammate", "--agent-id", "team-lead@demo"], {});
    await refused("usage", 2, ["teammate", "--agent-id", "alice@demo", "--allowedTools", "(("], {});
    await refused("usage", 2, ["teammate", "--agent-id", "alice@demo", "--lead-verify-key", "1.x"], {});
    await refused("no_key", 3, ["teammate", "--agent-id", "alice@demo"], {});
    await refused("no_key", 3, ["teammate", "--agent-id", "alice@demo"], { ANTHROPIC_API_KEY: "a b" });
  });

  test("settings that stop every call, with the file and the rule", async () => {
    const settings = path.join(runs.home.project, ".muster/settings.json");
    mkdirSync(path.dirname(settings));
    writeFileSync(settings, JSON.stringify({ permissions: { deny: ["rm -rf"] } }));
    const sentence = await refused("corrupt", 4, ["run", "x"], unused);
    expect(sentence).toBe(
      `${settings}: permissions.deny holds "rm -rf", which is no permission rule. Write Tool or Tool(pattern), as in Bash(npm test:*): no call runs before that.`,
    );
    const doctor = await runCli(runs.file, runs.home, ["doctor", "--json"]);
    expect({ code: doctor.code, faults: (doctor.json() as { faults: unknown }).faults }).toMatchObject({
      code: 1,
      faults: [{ team: null, file: settings, message: expect.stringContaining("rm -rf") }],
    });
  });

  test("settings that stop every call, before the demo's sample is copied", async () => {
    const settings = path.join(runs.home.root, "muster/settings.json");
    mkdirSync(path.dirname(settings), { recursive: true });
    writeFileSync(settings, JSON.stringify({ permissions: { deny: ["rm -rf"] } }));
    const demo = ["demo", "--root", runs.home.root, "--approve", "none"];
    expect(await refused("corrupt", 4, demo, {})).toContain(settings);
    await refused("corrupt", 4, [...demo, "--cwd", "copy"], {});
    expect(readdirSync(runs.home.env["TMPDIR"] ?? "")).toEqual([]);
    expect(readdirSync(runs.home.project)).toEqual([]);
  });

  test("a place where nothing can be made", async () => {
    for (const place of ["/proc/x", "/proc/x/y/z"])
      expect(await refused("root_unreadable", 4, ["demo", "--cwd", place, "--approve", "none"], {})).toBe(
        `No folder can be made at ${place}: name another place.`,
      );
  });

  test("a demo folder that is not empty", async () => {
    mkdirSync(path.join(runs.home.project, "full/of/things"), { recursive: true });
    await refused("not_allowed", 1, ["demo", "--cwd", "full", "--approve", "none"], {});
    expect(readdirSync(path.join(runs.home.project, "full"))).toEqual(["of"]);
  });
});
