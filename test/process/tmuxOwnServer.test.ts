import { execFile, execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openTmuxServer, type TmuxServer } from "../support/tmuxServer.ts";
import { isAlive } from "../support/traces.ts";

let server: TmuxServer;

beforeEach(async () => {
  server = await openTmuxServer();
});
afterEach(() => server.close());

/** Variables that tmux makes for every pane. */
const OF_TMUX = ["PWD", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "TMUX_PANE"];
/** What would do something if a shell, tmux or a format took it for more than text; `CANARY` is a file. */
const HOSTILE = [
  ..."plain|-x|--|;|a;|a\\;|\\;|;;|a ; kill-server ;|'q' \"d\"|`touch CANARY`|$(touch CANARY)|$HOME ${HOME}|~|*|a=b|{|}".split(
    "|",
  ),
  ..."#{pane_id}|#(touch CANARY)|##(touch CANARY)|#[fg=red]|##[x]|##|#|%H %% %1|\\n \\\\ \\|😀 é 日本 👩‍💻|&& touch CANARY".split(
    "|",
  ),
  "",
  "|| touch CANARY",
  "> CANARY",
  "line\nnext\n",
  "\ttab \x1b[31m\x07 \x7f \r",
  "z".repeat(4_000),
];

test("arguments, variables and folders arrive byte for byte, and nothing of them runs (T17)", async () => {
  const canary = path.join(server.folder, "canary");
  const hostile = HOSTILE.map((text) => text.replaceAll("CANARY", canary));
  const names = HOSTILE.filter((text) => text !== "" && text.length < 100).map((text) => text.replaceAll("/", "%"));
  const cwd = path.join(server.folder, ...[0, 8, 16, 24].map((at) => names.slice(at, at + 8).join("")), "end;");
  await mkdir(cwd, { recursive: true });
  const env: Record<string, string> = { PATH: server.env["PATH"] ?? "", HOME: server.folder, SHELL: "/odd;shell" };
  for (const [index, text] of hostile.entries()) env[`HOSTILE_${index}`] = text;
  const starter = server.starter();
  for (const lead of [undefined, "beside"]) {
    const name = `ada-${lead ?? "own"}`;
    const spec = server.spec(name, { env, cwd, displayName: hostile.join("").slice(0, 300) }, hostile);
    const first = server.panes()[0]?.id ?? "";
    const used = lead ? server.starter(server.leadIn(first)) : starter;
    const started = await server.start(used, spec);
    const seen = await server.seen(name);
    expect(seen.argv).toEqual(hostile);
    expect(seen.cwd).toBe(cwd);
    for (const name of OF_TMUX) delete seen.env[name];
    expect(seen.env).toEqual(env);
    const row = server.panes().find(({ id }) => id === started.address);
    expect(row?.pid).toBe(seen.pid);
    expect(row?.title.startsWith("plain-x--;a;a\\;")).toBe(true);
  }
  expect(await readdir(server.folder)).not.toContain("canary");
});

test("a title of any characters is shown, and never run, even where a status line expands it twice", async () => {
  const canary = path.join(server.folder, "canary");
  const starter = server.starter();
  const name = `#(touch ${canary}) #{pane_id} \x1b]0;evil\x07 a\nb 😀`;
  const ada = await server.start(starter, server.spec("ada", { displayName: name }));
  const shown = server.panes()[0]?.title ?? "";
  expect(shown).toContain("\uff03(touch");
  expect(shown).not.toMatch(/[#\x00-\x1f]/);
  for (const format of ["#{pane_title}", "#{E:pane_title}", "#{T:pane_title}", "#{E:#{E:pane_title}}"])
    server.tmux("display-message", "-p", "-t", ada.address, format);
  server.tmux("run-shell", "sleep 0.2");
  expect(await readdir(server.folder)).not.toContain("canary");
});

test("what a vector or an environment cannot carry is refused with a sentence, and nothing starts", async () => {
  const starter = server.starter();
  const start = (more: Parameters<TmuxServer["spec"]>[1], args?: readonly string[]) =>
    server.start(starter, server.spec("ada", more, args));
  await expect(start({}, ["x".repeat(100_000)])).rejects.toThrow(
    /longer than the 8 KB .* hand long texts over in a file/,
  );
  await expect(start({ env: { BIG: "x".repeat(100_000) } })).rejects.toThrow("The environment is too large for tmux");
  await expect(start({}, ["a\0b"])).rejects.toThrow("its command has a NUL character in it");
  await expect(start({ argv: [] })).rejects.toMatchObject({ reason: "not_ready" });
  await expect(start({ argv: ["/nonexistent/program", "x"] })).rejects.toThrow(
    "There is no program to run at /nonexistent",
  );
  await expect(start({ argv: ["sleep", "1000"] })).rejects.toThrow("There is no program to run at sleep");
  await expect(start({ cwd: path.join(server.folder, "gone") })).rejects.toThrow(/The folder .*gone cannot be entered/);
  expect(server.panes()).toEqual([]);
  // Nor is an empty server left where it came no further than that.
  const broken = await openBrokenTmux();
  await expect(
    server.start(server.starter(undefined, { ...server.env, PATH: broken }), server.spec("ada")),
  ).rejects.toThrow("tmux refused (no new session today)");
  expect(isDown()).toBe(false);
  await eventually("the server to go", () => isDown());
});

/** A folder with a tmux that does nothing any more once it should make a session, as if its host were killed. */
async function openBrokenTmux(): Promise<string> {
  const folder = path.join(server.folder, "broken");
  await mkdir(folder);
  const script = `#!/bin/sh
case "$*" in *new-session*) touch '${folder}/over'; echo no new session today >&2; exit 1;; esac
[ -e '${folder}/over' ] && exit 1
exec '${realTmux()}' "$@"
`;
  await writeFile(path.join(folder, "tmux"), script, { mode: 0o755 });
  return folder;
}

function realTmux(): string {
  return execFileSync("sh", ["-c", "command -v tmux"], { encoding: "utf8" }).trim();
}

function isDown(): boolean {
  try {
    server.tmux("list-sessions");
    return false;
  } catch (error) {
    return /no server running|No such file/.test(String(error));
  }
}

test("a program of one word, or in a folder with =, is run itself and by no shell", async () => {
  const folder = path.join(server.folder, "a=b; touch canary #{x}");
  await mkdir(folder);
  const program = path.join(folder, "run $(touch canary)");
  await writeFile(program, `#!/bin/sh\nprintf 'started %s ' "$#" "$@"\nexec sleep 1000\n`);
  await chmod(program, 0o755);
  const starter = server.starter();
  for (const argv of [[program], [program, "one;", "two three"]]) {
    const ada = await server.start(starter, server.spec("ada", { argv }));
    const expected = argv.length === 1 ? /^started 0 $/m : /^started 2 started one; started two three $/m;
    await eventually("it to run", async () => expected.test(`${(await starter.capturePane(ada.address)).trim()} `));
  }
  expect(await readdir(server.folder)).not.toContain("canary");
});

test("one session per team, its panes stacked; it goes with its last pane, and the server with the last session", async () => {
  const starter = server.starter();
  const names = ["ada", "bo", "cy", "dee", "eli", "flo"];
  const started = await Promise.all(names.map((name) => server.start(starter, server.spec(name))));
  const other = await server.start(server.starter(), server.spec("gil", { team: "other" }));
  const odd = await server.start(starter, server.spec("hal", { team: "a.b:#{pane_id}" }));
  const rows = server.panes();
  expect(new Set(rows.map(({ session }) => session)).size).toBe(3);
  const demo = rows.filter(({ session }) => session === "muster-demo");
  expect(demo.map(({ id }) => id)).toEqual(started.map(({ address }) => address));
  expect(new Set(demo.map(({ left, width, window }) => `${left} ${width} ${window}`)).size).toBe(1);
  expect(rows.find(({ id }) => id === odd.address)?.session).toMatch(/^muster-a-b---pane_id--[0-9a-f]{6}$/);

  await Promise.all(started.map((one) => one.kill()));
  expect(server.panes().map(({ id }) => id)).toEqual([odd.address, other.address]); // by session
  await other.kill();
  process.kill((await server.seen("hal")).pid, "SIGKILL");
  await odd.exited;
  await eventually("the server to go", () => server.panes().length === 0);
  const again = await server.start(starter, server.spec("ada"));
  expect(server.panes().map(({ id }) => id)).toEqual([again.address]);
});

test("two hosts that open one team's session at once share it", async () => {
  // Another one has started the server, and not yet made the session.
  server.tmux("start-server", ";", "set-option", "-s", "exit-empty", "off");
  const starters = [1, 2, 3].map(() => server.starter());
  const started = await Promise.all(starters.map((starter, n) => server.start(starter, server.spec(`m${n}`))));
  const rows = server.panes();
  expect(rows.map(({ id }) => id).sort()).toEqual(started.map(({ address }) => address).sort());
  expect(new Set(rows.map(({ session, window }) => `${session} ${window}`)).size).toBe(1);
});

test("teams of one name, of two state roots, share no session, and neither sees or ends the other's panes", async () => {
  const [own, other] = [server.starter(), server.starterOf("/another/root")];
  const start = (starter: typeof own, name: string) => server.start(starter, server.spec(name));
  const sessionOf = ({ address }: { address: string }) => server.panes().find(({ id }) => id === address)?.session;
  const [ada, bo] = await Promise.all([start(own, "ada"), start(other, "bo")]); // whoever comes first
  const [first, second] = sessionOf(ada) === "muster-demo" ? [ada, bo] : [bo, ada];
  const [late, early] = second === bo ? [other, own] : [own, other];
  expect(sessionOf(first)).toBe("muster-demo");
  expect(sessionOf(second)).toMatch(/^muster-demo-[0-9a-f]{6}$/);
  const cy = await start(late, "cy");
  expect(sessionOf(cy)).toBe(sessionOf(second));

  await expect(early.capturePane(cy.address)).rejects.toMatchObject({ reason: "not_ready" });
  await expect(early.attachCommand(cy.address)).rejects.toThrow("it was closed");
  await late.capturePane(cy.address);
  await first.kill();
  const dee = await start(late, "dee"); // stays where its team is, although the first name is free now
  expect(sessionOf(dee)).toBe(sessionOf(second));
  const again = await start(early, "eli");
  expect(sessionOf(again)).toBe("muster-demo");
  expect(server.panes()).toHaveLength(4);
});

test("a session of the person's own with a team's name is left alone, and with both names nothing starts", async () => {
  const persons = (name: string) =>
    server.tmux("new-session", "-d", "-s", name, "-P", "-F", "#{pane_id}", "--", "sleep", "1000");
  const theirs = persons("muster-demo");
  const ada = await server.start(server.starter(), server.spec("ada"));
  const session = server.panes().find(({ id }) => id === ada.address)?.session ?? "";
  expect(session).toMatch(/^muster-demo-[0-9a-f]{6}$/);
  await ada.kill();
  const more = persons(session);
  await expect(server.start(server.starter(), server.spec("bo"))).rejects.toThrow(
    `Other programs have the tmux sessions muster-demo and ${session}: end one of them.`,
  );
  expect(server.panes().map(({ id }) => id)).toEqual([theirs, more]);
});

test("no variable of the host, of its server or of the first teammate reaches another one (T14)", async () => {
  const key = { ANTHROPIC_API_KEY: "sk-secret", ELECTRON_RUN_AS_NODE: "1", GITHUB_TOKEN: "secret" };
  const starter = server.starter(undefined, { ...server.env, ...key });
  await server.start(starter, server.spec("ada", { env: { ...server.spec("ada").env, ONLY_ADA: "1" } }));
  server.tmux("set-environment", "-g", "ANTHROPIC_API_KEY", "sk-secret\nLINE=two");
  await server.start(starter, server.spec("bo", { env: { WHO: "bo" } }));
  const { env } = await server.seen("bo");
  expect(Object.keys(env).sort()).toEqual([...OF_TMUX, "WHO"].sort());
  expect(server.tmux("show-environment", "-g")).not.toMatch(/TOKEN|ELECTRON/);
  const { stdout } = await promisify(execFile)("ps", [
    "-ww",
    "-o",
    "args=",
    "-p",
    server.tmux("display-message", "-p", "#{pid}"),
  ]);
  expect(stdout).toMatch(/^\S*tmux /);
  expect(stdout).not.toMatch(/WHO=|ONLY_ADA|standIn/);
});

test("the screen comes as text with colours, and only of our panes", async () => {
  const script = `
    process.stdout.write("\\x1b]0;evil\\x07\\x1b[31mred\\x1b[0m plain \\x1b[1;32m😀 日本\\x1b[0m\\r\\n\\x1b]8;;https://evil.test\\x1b\\\\link\\x1b]8;;\\x1b\\\\ end");
    setInterval(() => {}, 1e6);`;
  const starter = server.starter();
  const ada = await server.start(starter, server.spec("ada", { argv: [process.execPath, "-e", script] }));
  const text = await eventually("the screen", async () => {
    const screen = await starter.capturePane(ada.address);
    return screen.includes("end") && screen;
  });
  expect(text.split("\n").slice(0, 2)).toEqual([
    expect.stringMatching(/^\x1b\[31mred\x1b\[(0|39)m plain \x1b\[.*m😀 日本/),
    expect.stringContaining("link end"),
  ]);
  expect(text.replace(/\x1b\[[\d;:]*m/g, "")).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  const foreign = server.tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "--", "sleep", "1000");
  await expect(starter.capturePane(foreign)).rejects.toMatchObject({ reason: "not_ready" });
  await expect(starter.capturePane("%99")).rejects.toMatchObject({ reason: "not_ready" });
  await expect(starter.capturePane("terminal")).rejects.toMatchObject({ reason: "not_ready" });
});

test("a terminal attaches to one teammate's pane, and what is typed there goes to that one, whichever was opened last", async () => {
  const starter = server.starter();
  const terminal = await openTmuxServer();
  onTestFinished(() => terminal.close());
  const attach = async (name: string, pane: string) => {
    const size = ["-x", "90", "-y", "30"];
    const env = ["env", "-u", "TMUX", `TMUX_TMPDIR=${server.env["TMUX_TMPDIR"]}`];
    const clients = () => server.tmux("list-clients", "-F", "#{session_name}").split("\n").filter(Boolean);
    const before = clients().length;
    const command = escaped(await starter.attachCommand(pane));
    terminal.tmux("new-session", "-d", "-s", name, ...size, "--", ...env, ...command);
    await eventually(`${name}'s terminal`, () => clients().length > before);
    expect(clients().at(-1)).toBe("muster-demo");
  };
  const ada = await server.start(starter, server.spec("ada"));
  await attach("ada", ada.address); // while it is the only one
  const bo = await server.start(starter, server.spec("bo"));
  const cy = await server.start(starter, server.spec("cy"));
  await attach("bo", bo.address);
  await attach("cy", cy.address);
  for (const name of ["ada", "bo", "cy"]) terminal.tmux("send-keys", "-t", name, "-l", `word for ${name}`);
  for (const [name, { address }] of Object.entries({ ada, bo, cy })) {
    const words = () => server.tmux("capture-pane", "-p", "-t", address).match(/word for \w+/g) ?? [];
    await eventually(`${name}'s word`, () => words().length > 0);
    expect(words()).toEqual([`word for ${name}`]);
  }
  terminal.tmux("kill-server");
  expect(server.panes()).toHaveLength(3);
  const foreign = server.tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "--", "sleep", "1000");
  for (const pane of [foreign, "%99"]) await expect(starter.attachCommand(pane)).rejects.toThrow("it was closed");
});

test("each pane's title is in its member's colour; the borders are grey but for the pane that is in front", async () => {
  const starter = server.starter();
  const terminal = await openTmuxServer();
  onTestFinished(() => terminal.close());
  const colors = { ada: "purple", bo: "green", cy: null };
  const addresses: string[] = [];
  for (const [name, color] of Object.entries(colors))
    addresses.push((await server.start(starter, server.spec(name, { color }))).address);
  const env = ["env", "-u", "TMUX", `TMUX_TMPDIR=${server.env["TMUX_TMPDIR"]}`];
  const command = escaped(await starter.attachCommand(addresses[1] ?? ""));
  terminal.tmux("new-session", "-d", "-s", "terminal", "-x", "60", "-y", "30", "--", ...env, ...command);
  const lines = () => terminal.tmux("capture-pane", "-p", "-e", "-t", "terminal").split("\n");
  const titles = () => lines().filter((line) => line.includes("──"));
  const border = (title: string) => /^(?:\x1b\[(\d+)m)?─/.exec(title)?.[1];
  await eventually("bo in front", () => titles().map(border).join() === "90,39,90");
  expect(titles().map((title) => /(\x1b\[3\dm)?(ada|bo|cy) /.exec(title)?.slice(1))).toEqual([
    ["\x1b[35m", "ada"],
    ["\x1b[32m", "bo"],
    [undefined, "cy"],
  ]);
});

/** A vector whose `;` are arguments of the program, not ends of a command of this tmux. */
function escaped(vector: readonly string[]): string[] {
  return vector.map((argument) => (argument === ";" ? "\\;" : argument));
}

test("tmux and env are those that the person installed; without tmux a sentence says what to install (T22)", async () => {
  const planted = path.join(server.folder, "project", "bin");
  await mkdir(planted, { recursive: true });
  const ran = path.join(server.folder, "ran");
  for (const program of ["tmux", "env", "ps"])
    await writeFile(path.join(planted, program), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  const own = server.env["PATH"] ?? "";
  const starter = server.starter(undefined, { ...server.env, PATH: `.:bin:${planted}:${own}` });
  const ada = await server.start(starter, server.spec("ada", { cwd: path.join(server.folder, "project") }));
  const { pid } = await server.seen("ada");
  await ada.kill();
  expect(isAlive(pid)).toBe(false);
  expect(await readdir(server.folder)).not.toContain("ran");

  const without = server.starter(undefined, { ...server.env, PATH: planted });
  await expect(server.start(without, server.spec("bo"))).rejects.toThrow(
    "tmux is not installed: install it (`apt install tmux`, `brew install tmux`), or run teammates elsewhere.",
  );
});

test("a teammate's own server has none of the person's settings, and sets only its own", async () => {
  await writeFile(path.join(server.folder, ".tmux.conf"), "set -g remain-on-exit on\nset -g prefix C-a\n");
  const ada = await server.start(server.starter(), server.spec("ada"));
  expect(server.tmux("show-options", "-gv", "prefix")).toBe("C-b");
  const { stdout } = await promisify(execFile)("ps", ["-o", "pgid=", "-p", String((await server.seen("ada")).pid)]);
  expect(Number(stdout)).toBe((await server.seen("ada")).pid);
  await ada.kill();
  expect(server.panes()).toEqual([]);
});
