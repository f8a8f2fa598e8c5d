import { exec } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { useCliCommands } from "../support/cliCommands.ts";
import { doctorOutput, inboxOutput, taskOutput, teamsOutput } from "../support/cliContract.ts";

const cli = useCliCommands();
const { muster, done, refused, inboxFile } = cli;

describe("usage", () => {
  test("help and version exit 0, an unknown option exits 2 and is named", async () => {
    expect((await muster(["--version"])).stdout).toBe(`${JSON.parse(readFileSync("package.json", "utf8")).version}\n`);
    expect(await muster(["--help"])).toMatchObject({ code: 0, stderr: "" });
    for (const command of ["teams", "run", "demo", "task claim", "teammate"])
      expect((await muster([...command.split(" "), "--help"])).stdout).toContain(`muster ${command}`);
    expect(await refused("usage", 2, ["teams", "--frm", "x"])).toContain("--frm");
    expect(await refused("usage", 2, ["tems"])).toContain("teams");
    await refused("usage", 2, []);
    await refused("usage", 2, ["tasks"]);
  });

  test("what V8 made of the code is kept beside it, and nothing is said where it cannot be", async () => {
    const kept = path.join(path.dirname(cli.file), "compiled");
    const version = { code: 0, stderr: "" };
    expect(await muster(["--version"])).toMatchObject(version);
    expect(readdirSync(kept, { recursive: true }).length).toBeGreaterThan(2);
    rmSync(kept, { recursive: true });
    writeFileSync(kept, "");
    try {
      expect(await muster(["--version"])).toMatchObject(version);
    } finally {
      rmSync(kept);
    }
  });

  test("an error is one line on standard error, and nothing on standard output without --json", async () => {
    for (const [args, code] of [
      [["status", "nope"], 1],
      [["teams", "--frm"], 2],
    ] as const) {
      const result = await muster(args);
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: "" });
      expect(result.stderr).toMatch(/^muster: [^\n]+\n$/);
    }
  });

  test("what comes later is known and says so", async () => {
    expect(await muster(["attach", "nowhere", "alice"])).toMatchObject({ code: 1, stdout: "" });
    expect(await refused("usage", 2, ["attach", "demo", "alice"])).toContain("`muster attach` does not know --json.");
    expect(await refused("usage", 2, ["run", "goal", "--template=x"])).toContain("leave --template out");
    expect((await muster(["help", "run"])).stdout).not.toContain("template");
    // whether there is a key or not
    expect(await refused("usage", 2, ["run", "goal", "--teammate-mode", "terminal"])).toContain("tmux or in-process");
  });

  test("a file that should be a folder, a folder that should be a file, and a program that is missing are named", async () => {
    const file = path.join(cli.home.dir, "file");
    writeFileSync(file, "");
    expect(await refused("not_allowed", 1, ["demo", "--cwd", file])).toContain(`${file} is a file: name a folder`);
    expect(await refused("usage", 2, ["explain", "--cases", cli.home.dir])).toContain("is a folder: name a file");
    expect(await refused("usage", 2, ["explain", "--cases", `${file}s`])).toContain("name one with cases");
    const run = ["run", "goal", "--teammate-command"];
    for (const program of [file, "agent", ""])
      expect(await refused("usage", 2, [...run, program])).toContain("give its whole path");
  });

  test("a teammate must say who it is, and be in its team", async () => {
    await refused("usage", 2, ["teammate"]);
    await refused("usage", 2, ["teammate", "--agent-id", "alice"]);
    await refused("usage", 2, ["teammate", "--agent-id", "alice@demo", "--agent-name", "bob", "--team-name", "demo"]);
    const alice = ["teammate", "--agent-id", "alice@nowhere"];
    await refused("unknown_team", 1, alice);
    await refused("not_ready", 1, [...alice, "--spawn-file", "/nowhere/spawn.json"]);
  });

  test("the state root is --root, then $CLAUDE_CONFIG_DIR, then ~/.claude", async () => {
    const other = path.join(cli.home.dir, "other");
    const env = { CLAUDE_CONFIG_DIR: other };
    expect((await done(teamsOutput, ["teams"], { env })).root).toBe(other);
    expect((await done(teamsOutput, ["teams", "--root", cli.home.root], { env })).teams).toHaveLength(1);
    expect((await done(teamsOutput, ["teams", "--root=../other"])).root).toBe(other);
    await refused("usage", 2, ["teams", "--root="]);
  });

  test("a reader that goes away early is no error", async () => {
    const script = `"${process.execPath}" "${cli.file}" --help | true`;
    const stderr = await new Promise<string>((resolve) =>
      exec(script, { env: cli.home.env }, (_error, _stdout, text) => resolve(text)),
    );
    expect(stderr).toBe("");
  });
});

describe("files that cannot be used", () => {
  test("a state root that is a file, or below one, is said in one sentence", async () => {
    const file = path.join(cli.home.dir, "file");
    writeFileSync(file, "");
    for (const root of [file, path.join(file, "below")]) {
      for (const args of [["teams"], ["status", "demo"], ["send", "demo", "alice", "x"], ["doctor"]])
        await refused("root_unreadable", 4, [...args, "--root", root]);
    }
  });

  test("a torn inbox loses nothing: the whole entries stay, the rest is set aside, the person is told", async () => {
    for (const text of ["one", "two"]) await cli.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text });
    const torn = readFileSync(inboxFile("alice"), "utf8").slice(0, -40);
    writeFileSync(inboxFile("alice"), torn);
    const shown = await muster(["inbox", "demo", "alice", "--json"]);
    expect(shown.code).toBe(0);
    expect(inboxOutput.parse(shown.json()).entries.map(({ text }) => text)).toContain("one");
    expect(shown.stderr).toMatch(/^muster: [^\n]+\n$/);
    const sent = await muster(["send", "demo", "alice", "three", "--json"]);
    expect(sent.code).toBe(0);
    const { entries } = await done(inboxOutput, ["inbox", "demo", "alice"]);
    expect(entries.map(({ text }) => text)).toEqual(expect.arrayContaining(["one", "three"]));
    expect(readdirSync(path.join(cli.home.root, "teams/demo/muster/corrupt"))).not.toEqual([]);
  });

  test("a team whose configuration is beyond use does not hide the others; doctor says what is broken", async () => {
    const broken = path.join(cli.home.root, "teams/broken");
    mkdirSync(broken, { recursive: true });
    writeFileSync(path.join(broken, "config.json"), "{{{");
    const result = await muster(["teams", "--json"]);
    expect(result.code).toBe(0);
    const { teams } = teamsOutput.parse(result.json());
    expect(teams.map(({ name }) => name)).toEqual(["broken", "demo"]);
    const file = path.join(broken, "config.json");
    const told = teams.map(({ damaged }) => damaged?.map((one) => [one.file, `muster: ${one.message}\n`]));
    expect(told).toEqual([[[file, result.stderr]], undefined]);
    expect(result.stderr).toMatch(/^muster: The configuration of team broken is damaged; [^\n]+\n$/);
    await refused("corrupt", 4, ["status", "broken"]);
    const doctor = await muster(["doctor", "--json"]);
    expect({ code: doctor.code, stderr: doctor.stderr }).toEqual({ code: 1, stderr: "" });
    expect(doctorOutput.parse(doctor.json())).toMatchObject({ ok: false, faults: [{ team: "broken" }] });
    rmSync(broken, { recursive: true });
  });
});

describe("a team whose configuration cannot be read", () => {
  test("is listed with what its other files tell, and its file is named", async () => {
    for (const subject of ["First", "Second"]) await cli.store.tasks.create("demo", { subject });
    await cli.store.tasks.update("demo", "1", { status: "completed" }, { by: "user", isAgent: false });
    const file = path.join(cli.home.root, "teams/demo/config.json");
    const whole = readFileSync(file);
    rmSync(file);
    mkdirSync(file);
    const sentence = `Team demo cannot be read: ${file} is a folder where a file should be; move it away.`;
    const listed = await muster(["teams", "--json"]);
    expect(teamsOutput.parse(listed.json()).teams).toMatchObject([
      {
        ...{ name: "demo", members: null, tasks: { pending: 1, in_progress: 0, completed: 1 }, requests: 0 },
        damaged: [{ file, message: sentence }],
      },
    ]);
    const shown = await muster(["teams"]);
    expect(shown.stdout).toMatch(/^demo +not live +- +1\/2 +0 +-$/m);
    expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: `muster: ${sentence}\n` });
    expect(await refused("root_unreadable", 4, ["status", "demo"])).toBe(sentence);
    const task = path.join(cli.home.root, "tasks/demo/9.json");
    mkdirSync(task);
    expect((await muster(["teams"])).stdout).toMatch(/^demo +not live +- +- +- +-$/m);
    rmSync(file, { recursive: true });
    writeFileSync(file, whole);
    const unread = teamsOutput.parse((await muster(["teams", "--json"])).json()).teams[0];
    expect(unread).toMatchObject({ members: null, tasks: null, requests: null, damaged: [{ file: task }] });
    rmSync(task, { recursive: true });
  });
});

describe("doctor", () => {
  test("finds an edge that only one task knows, a lock and a temporary file that were left behind", async () => {
    for (const subject of ["First", "Second"]) await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    const file = path.join(cli.home.root, "tasks/demo/2.json");
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(whole), blockedBy: ["1"], status: "in_progress" }));
    const result = await muster(["doctor", "demo", "--json"]);
    expect(result.code).toBe(1);
    const { faults, checked } = doctorOutput.parse(result.json());
    expect(checked).toBeGreaterThan(2);
    expect(faults.map(({ invariant }) => invariant)).toEqual([
      "edges stand in both tasks",
      "a task in progress has an owner",
      "a blocked task is not started",
    ]);
    expect((await muster(["doctor"])).stdout).toContain("3 faults");
    writeFileSync(file, whole);
  });

  test("tells of a damaged settings file once, counts it, and says which root is not there", async () => {
    const file = path.join(cli.home.project, ".muster/settings.json");
    mkdirSync(path.dirname(file));
    writeFileSync(file, "{\n  // mine\n}");
    const before = doctorOutput.parse((await muster(["doctor", "--json"], { cwd: cli.home.dir })).json()).checked;
    const { code, stdout, stderr } = await muster(["doctor"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const sentence = `${file} does not hold valid settings: line 2, column 3 begins a comment, which JSON does not have. Correct it or remove the file; nothing runs without its rules.`;
    expect(stdout).toBe(
      `fault settings: ${sentence}\n${before + 1} files checked in ${cli.home.root} and settings, 1 fault.\n`,
    );
    const nowhere = path.join(cli.home.dir, "nowhere");
    expect(await refused("root_unreadable", 4, ["doctor", "--root", nowhere])).toContain(
      `There is no folder ${nowhere}`,
    );
    const fresh = await muster(["doctor", "--json"], { cwd: cli.home.dir, env: { CLAUDE_CONFIG_DIR: nowhere } });
    expect(doctorOutput.parse(fresh.json())).toEqual({
      ...{ ok: true, checked: 0, faults: [] },
      notes: [`There is no folder ${nowhere} yet, so there are no teams to check.`],
    });
    rmSync(path.dirname(file), { recursive: true });
  });

  test("goes on where a settings file cannot be read, which is a fault", async () => {
    const file = path.join(cli.home.root, "muster/settings.json");
    mkdirSync(file, { recursive: true });
    const result = await muster(["doctor", "--json"]);
    rmSync(file, { recursive: true });
    expect(result.code).toBe(1);
    const { faults, checked } = doctorOutput.parse(result.json());
    expect(checked).toBeGreaterThan(0);
    const message = `The settings cannot be read: ${file} is a folder where a file should be; move it away.`;
    expect(faults).toMatchObject([{ team: null, file, message }]);
  });
});
