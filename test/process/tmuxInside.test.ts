import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openTmuxServer, type PaneRow, type TmuxServer } from "../support/tmuxServer.ts";
import { isAlive } from "../support/traces.ts";

/** A program that a person runs in a pane. */
const PERSON = ["--", "sleep", "1000"];
let server: TmuxServer;

beforeEach(async () => {
  server = await openTmuxServer();
});
afterEach(() => server.close());

function pane(id: string): PaneRow {
  const found = server.panes().find((row) => row.id === id);
  if (!found) throw new Error(`there is no pane ${id}`);
  return found;
}

/** A person's session: numbering begins at `base`; gives the pane in which the lead runs. */
function personSession(base: 0 | 1, size = ["-x", "200", "-y", "50"]): string {
  return server.tmux(
    ...["start-server", ";", "set-option", "-g", "base-index", String(base), ";"],
    ...["set-option", "-gw", "pane-base-index", String(base), ";"],
    ...["new-session", "-d", "-s", "work", ...size, "-P", "-F", "#{pane_id}", ...PERSON],
  );
}

function personPane(...where: string[]): string {
  return server.tmux(...where, "-P", "-F", "#{pane_id}", ...PERSON);
}

describe.each([0, 1] as const)("beside a lead in tmux that counts from %i", (base) => {
  test("the lead keeps 30 % at the left, teammates share the right, and the focus stays", async () => {
    const lead = personSession(base);
    const starter = server.starter(server.leadIn(lead));
    const addresses: string[] = [];
    for (const name of ["ada", "bo", "cy"]) addresses.push((await server.start(starter, server.spec(name))).address);

    const column = addresses.map(pane);
    expect(pane(lead)).toMatchObject({ left: 0, top: 0, height: 50, width: 59, active: true });
    expect(column.map(({ left, width }) => ({ left, width }))).toEqual(Array(3).fill({ left: 60, width: 140 }));
    expect(column.map(({ top }) => top)).toEqual([...column.map(({ top }) => top)].sort((a, b) => a - b));
    expect(column.reduce((sum, { height }) => sum + height, 0)).toBe(48);
    expect(Math.max(...column.map(({ height }) => height)) - Math.min(...column.map(({ height }) => height))).toBe(0);
    expect(column.map(({ title }) => title)).toEqual(["ada", "bo", "cy"]);
    expect(server.tmux("show-options", "-p", "-v", "-t", addresses[0] ?? "", "pane-border-style")).toBe("fg=blue");
    expect(server.tmux("show-options", "-p", "-t", lead)).toBe("");
  });

  test("only the lead's window changes, with another one in front and another session attached", async () => {
    const lead = personSession(base);
    const bystander = personPane("split-window", "-v", "-t", lead);
    const front = personPane("new-window", "-t", "work:");
    server.tmux("new-session", "-d", "-s", "other", "-x", "90", "-y", "30", ...PERSON);
    await attachTerminal("other");
    const before = server.panes();

    const starter = server.starter(server.leadIn(lead));
    const ada = await server.start(starter, server.spec("ada"));
    const bo = await server.start(starter, server.spec("bo"));

    expect([pane(ada.address).window, pane(bo.address).window]).toEqual([pane(lead).window, pane(lead).window]);
    expect(pane(front).active).toBe(true);
    await bo.kill();
    await ada.kill();
    await Promise.all([ada.exited, bo.exited]);
    expect(server.panes()).toEqual(before);
    expect(pane(bystander)).toEqual(before.find(({ id }) => id === bystander));
  });

  test("a window that was renumbered, moved, or killed is no hindrance", async () => {
    const lead = personSession(base);
    personPane("new-window", "-d", "-t", "work:");
    const starter = server.starter(server.leadIn(lead));
    const ada = await server.start(starter, server.spec("ada"));

    server.tmux("move-window", "-s", `work:${base}`, "-t", "work:7");
    const bo = await server.start(starter, server.spec("bo"));
    expect(pane(bo.address)).toMatchObject({ window: pane(lead).window, left: 60 });

    const old = pane(lead).window;
    server.tmux("break-pane", "-d", "-s", lead);
    server.tmux("kill-window", "-t", old);
    expect(await ada.exited).toEqual({ reason: "its process in tmux ended" });
    await bo.exited;
    const cy = await server.start(starter, server.spec("cy"));
    expect(pane(cy.address)).toMatchObject({ window: pane(lead).window, left: 60, top: 0, height: 50 });
    expect(pane(lead).window).not.toBe(old);
  });
});

test("panes that a person had beside the lead keep their size, and a zoomed pane stays zoomed", async () => {
  const lead = personSession(0);
  const below = personPane("split-window", "-v", "-d", "-t", lead);
  const before = pane(below);
  const starter = server.starter(server.leadIn(lead));
  for (const name of ["ada", "bo", "cy"]) await server.start(starter, server.spec(name));
  expect(pane(below)).toEqual(before);

  server.tmux("resize-pane", "-Z", "-t", lead);
  await server.start(starter, server.spec("dee"));
  expect(server.tmux("display-message", "-p", "-t", lead, "#{window_zoomed_flag} #{pane_active}")).toBe("1 1");
});

test("six at once each get a pane (row 44)", async () => {
  const lead = personSession(1);
  const starter = server.starter(server.leadIn(lead));
  const names = ["ada", "bo", "cy", "dee", "eli", "flo"];
  const started = await Promise.all(names.map((name) => server.start(starter, server.spec(name))));
  const seen = await Promise.all(names.map((name) => server.seen(name)));
  expect(started.map(({ address }) => pane(address).pid)).toEqual(seen.map(({ pid }) => pid));
  expect(server.panes()).toHaveLength(7);
  expect(pane(lead).width).toBe(59);
});

test("where a window is full, one sentence says so, and no pane or process is left", async () => {
  const lead = personSession(0, ["-x", "80", "-y", "8"]);
  const starter = server.starter(server.leadIn(lead));
  for (const name of ["ada", "bo", "cy", "dee"]) await server.start(starter, server.spec(name));
  const before = server.panes();
  await expect(server.start(starter, server.spec("eli"))).rejects.toThrow(
    "The tmux window has no room for another pane: make the terminal larger, or end a teammate.",
  );
  expect(server.panes()).toEqual(before);
});

test("our pane goes with its process although the person keeps dead panes (remain-on-exit)", async () => {
  const lead = personSession(0);
  server.tmux("set-option", "-g", "remain-on-exit", "on");
  const starter = server.starter(server.leadIn(lead));
  const before = server.panes();
  const ada = await server.start(starter, server.spec("ada"));
  process.kill((await server.seen("ada")).pid, "SIGKILL");
  await ada.exited;
  await eventually("the pane to go", () => server.panes().length === 1);
  const short = server.spec("bo", { argv: ["/bin/sh", "-c", "exit 3"] });
  await server.start(starter, short).then(
    (bo) => bo.exited,
    (error) => expect(error).toMatchObject({ reason: "not_ready" }),
  );
  await eventually("the pane to go", () => server.panes().length === 1);
  expect(server.panes()).toEqual(before);
  expect(server.tmux("show-options", "-gv", "remain-on-exit")).toBe("on");
});

test("a shell that is slow to start, or has something to do, changes nothing: none is started (rows 38, 41)", async () => {
  const marks = path.join(server.folder, "shell-ran");
  const shell = path.join(server.folder, "shell");
  const line = `echo ran >> '${marks}'; sleep 3\n`;
  await writeFile(shell, `#!/bin/sh\n${line}exec /bin/sh "$@"\n`, { mode: 0o755 });
  for (const file of [".bashrc", ".profile", ".bash_profile", ".zshenv", ".env"])
    await writeFile(path.join(server.folder, file), line);
  const lead = personSession(0);
  server.tmux("set-option", "-g", "default-shell", shell, ";", "set-option", "-g", "default-command", shell);
  const rc = path.join(server.folder, ".env");
  const spec = server.spec("ada", {
    env: { PATH: server.env["PATH"] ?? "", HOME: server.folder, ENV: rc, BASH_ENV: rc },
  });
  await server.start(server.starter(server.leadIn(lead)), spec);
  expect((await server.seen("ada")).env).toMatchObject({ BASH_ENV: rc });
  await expect(readFile(marks, "utf8")).rejects.toThrow("ENOENT");
});

test("what a person types while four start, and later to all panes at once, reaches none of them (row 39)", async () => {
  const lead = personSession(0);
  const typed = personPane("split-window", "-v", "-t", lead);
  const starter = server.starter(server.leadIn(lead));
  const names = ["ada", "bo", "cy", "dee"];
  const all = Promise.all(
    names.map((name) => {
      const listen = `process.stdin.on("data", (d) => process.stdout.write("heard " + d)); setInterval(() => {}, 1e6);`;
      return server.start(starter, server.spec(name, { argv: [process.execPath, "-e", listen] }));
    }),
  );
  const terminal = await attachTerminal("work");
  for (let n = 0; n < 20; n += 1) terminal.type(`word${n}`);
  const started = await all;
  terminal.type("last");
  await eventually("the keys to arrive", async () => server.tmux("capture-pane", "-p", "-t", typed).includes("last"));
  server.tmux("set-option", "-w", "-t", lead, "synchronize-panes", "on");
  terminal.type("to all");
  for (const id of [typed, lead])
    await eventually("the keys to arrive", async () => server.tmux("capture-pane", "-p", "-t", id).includes("to all"));
  for (const { address } of started) expect(await starter.capturePane(address)).not.toMatch(/word|last|heard|all/);
});

test("hooks of a person that print or fail cost no teammate, and leave no pane", async () => {
  const lead = personSession(0);
  for (const hook of ["after-split-window", "after-list-panes", "after-set-option", "after-select-pane"])
    server.tmux("set-hook", "-g", hook, "display-message -p hooked");
  const before = server.tmux("list-panes", "-a", "-F", "#{pane_id}");
  const starter = server.starter(server.leadIn(lead));
  const ada = await server.start(starter, server.spec("ada"));
  server.tmux("set-hook", "-g", "after-split-window", "select-layout -t nowhere tiled");
  const bo = await server.start(starter, server.spec("bo"));
  expect(pane(bo.address)).toMatchObject({ left: pane(ada.address).left, pid: (await server.seen("bo")).pid });
  for (const one of [ada, bo]) await one.kill();
  expect(server.tmux("list-panes", "-a", "-F", "#{pane_id}")).toBe(before);
});

test("kill ends what the process started, also what left its group, and no other pane", async () => {
  const lead = personSession(0);
  const starter = server.starter(server.leadIn(lead));
  const file = path.join(server.folder, "child");
  const script = `
    const { spawn } = require("node:child_process");
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    require("node:fs").writeFileSync(${JSON.stringify(file)}, String(child.pid));
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1e6);`;
  const ada = await server.start(starter, server.spec("ada", { argv: [process.execPath, "-e", script] }));
  const bo = await server.start(starter, server.spec("bo"));
  const child = await eventually(
    "the child",
    async () => Number(await readFile(file, "utf8").catch(() => "")) || undefined,
  );
  const { pid } = pane(ada.address);
  await ada.kill();
  expect(await ada.exited).toEqual({ reason: "its process in tmux ended" });
  await eventually("both to be gone", async () => !isAlive(pid) && !isAlive(child)); // killed, they take their time
  expect(server.panes().map(({ id }) => id)).toEqual([lead, bo.address]);
  await ada.kill(); // once more is no fault
});

test("a pane that was closed under a process that ignores it ends that process", async () => {
  const lead = personSession(0);
  const starter = server.starter(server.leadIn(lead));
  const deaf = `process.on("SIGHUP", () => {}); process.stdout.on("error", () => {}); console.log("on"); setInterval(() => {}, 1e6);`;
  const ada = await server.start(starter, server.spec("ada", { argv: [process.execPath, "-e", deaf] }));
  await eventually("it to run", async () => (await starter.capturePane(ada.address)).includes("on"));
  const { pid } = pane(ada.address);
  server.tmux("kill-pane", "-t", ada.address);
  expect(await ada.exited).toEqual({ reason: "its tmux pane was closed" });
  expect(isAlive(pid)).toBe(false);
});

test("after a restart of the server, its panes of the same numbers are nobody's", async () => {
  const lead = personSession(0);
  const starter = server.starter(server.leadIn(lead));
  const ada = await server.start(starter, server.spec("ada"));
  const lives = server.leadIn(lead);
  server.tmux("kill-server");
  await ada.exited;
  await eventually("the server to go", () => {
    const again = personSession(0);
    personPane("split-window", "-h", "-t", again);
    return true;
  });
  expect(server.leadIn(lead).tmux).not.toBe(lives.tmux);
  const before = server.panes();
  expect(before.map(({ id }) => id)).toContain(ada.address);
  await ada.kill();
  await ada.reveal({ preserveFocus: true });
  await expect(starter.capturePane(ada.address)).rejects.toMatchObject({ reason: "not_ready" });
  expect(server.panes()).toEqual(before);
});

test("reveal shows the pane, wherever the person is", async () => {
  const lead = personSession(1);
  const starter = server.starter(server.leadIn(lead));
  const ada = await server.start(starter, server.spec("ada"));
  personPane("new-window", "-t", "work:");
  expect(pane(ada.address).active).toBe(false);
  await ada.reveal({ preserveFocus: true });
  expect(pane(ada.address).active).toBe(true);
});

test("a start that is aborted while tmux makes the pane leaves none, and no process", async () => {
  const lead = personSession(0);
  server.tmux("set-hook", "-g", "after-split-window", "run-shell 'sleep 1'");
  const starter = server.starter(server.leadIn(lead));
  const before = server.panes();
  const abort = new AbortController();
  const started = starter.start(server.spec("ada"), abort.signal);
  const { pid } = await server.seen("ada");
  abort.abort();
  await expect(started).rejects.toMatchObject({ name: "AbortedError" });
  expect(server.panes()).toEqual(before);
  expect(isAlive(pid)).toBe(false);
  await expect(starter.start(server.spec("bo"), AbortSignal.abort())).rejects.toMatchObject({ name: "AbortedError" });
  expect(server.panes()).toEqual(before);
});

test("without its lead's pane, or a real TMUX, a start is refused with a sentence", async () => {
  const lead = personSession(0);
  const gone = { ...server.leadIn(lead), pane: "%99" };
  await expect(server.start(server.starter(gone), server.spec("ada"))).rejects.toThrow(
    "The tmux pane or server is gone (can't find pane: %99): start the lead again.",
  );
  const odd = { tmux: "nonsense", pane: lead };
  await expect(server.start(server.starter(odd), server.spec("ada"))).rejects.toMatchObject({ reason: "not_ready" });
  const format = { ...server.leadIn(lead), pane: "#(touch x)" };
  await expect(server.start(server.starter(format), server.spec("ada"))).rejects.toMatchObject({ reason: "not_ready" });
});

/** A person's terminal that is attached to a session: a tmux of its own whose pane runs the client. */
async function attachTerminal(session: string) {
  const outer = await openTmuxServer();
  onTestFinished(() => outer.close());
  const socket = server.tmux("display-message", "-p", "#{socket_path}");
  const attach = ["env", "-u", "TMUX", "tmux", "-u", "-S", socket, "attach-session", "-t", `=${session}`];
  outer.tmux("new-session", "-d", "-x", "200", "-y", "51", "--", ...attach);
  await eventually("the terminal to be attached", () => server.tmux("list-clients", "-t", `=${session}`) !== "");
  return {
    type: (word: string) => void outer.tmux("send-keys", "-l", "--", `${word} `),
  };
}
