import { MusterError } from "../../base/errors.ts";
import { PANE_COLOR, type PaneStart, type SessionOwner, type TmuxCommand } from "./tmuxArguments.ts";
import { type TmuxClient, TmuxRefusal } from "./tmuxClient.ts";

/** A pane as it was made. */
export interface Pane {
  /** `%5`: unique for as long as the server lives, in all its windows and sessions. */
  id: string;
  pid: number;
}

/** A place for the panes of one team. */
export interface PanePlace {
  /** What marks a pane as one of this place, in its option `@muster`. */
  readonly mark: string;
  /** Target of the session whose variables a new pane inherits, as far as it is known before `add`. */
  readonly session: string;
  /** Each pane's title is on show, in its member's colour; where it may not be, the borders have that colour. */
  readonly showsTitles: boolean;
  /** Makes a pane; the person's focus stays where it is. Rejects with TmuxRefusal, or `not_ready`. */
  add(start: Promise<PaneStart>, from: { cwd: string; searchPath: string | undefined }): Promise<Pane>;
  /** Runs the commands that mark a new pane, then gives all panes their share of the room; what the commands print. */
  arrange(marking: readonly TmuxCommand[]): Promise<string>;
}

/** The share of the lead's pane that teammates take, at its right. */
const TEAM_SHARE = "70%";
/** How many panes a session can have before a terminal is attached: each needs two of its lines. */
const DETACHED_SIZE = ["-x", "160", "-y", "96"];
/** How often a session that comes or goes meanwhile is looked for again. */
const ATTEMPTS = 3;

const MADE: TmuxCommand = ["-P", "-F", "#{pane_id} #{pane_pid}"];

/**
 * Beside the lead's own pane, wherever that is now: the first one at its right, the others below, at equal heights.
 * Nothing but the lead's pane and those of its team changes its size.
 */
export function besideLead(client: TmuxClient, lead: string): PanePlace {
  const split = async (starting: Promise<PaneStart>, from: Parameters<PanePlace["add"]>[1]) => {
    const [{ column, zoomed }, start] = await Promise.all([readColumn(client, lead), starting]);
    const last = column.at(-1);
    const where = last ? ["-v", "-t", last.id] : ["-h", "-l", TEAM_SHARE, "-t", lead];
    const zoom = zoomed ? ["-Z"] : [];
    return client.run(
      [["split-window", "-d", ...zoom, ...where, ...MADE, ...start.environment, "--", ...start.vector]],
      from,
    );
  };
  const arrange = async (marking: readonly TmuxCommand[]) => {
    const { column, zoomed, printed } = await readColumn(client, lead, marking);
    // A change of size would end the person's zoom.
    if (column.length > 1 && !zoomed) await client.run(evenHeights(column));
    return printed;
  };
  const makeRoom = async () => {
    const { column, zoomed } = await readColumn(client, lead);
    const last = column.at(-1);
    if (last && !zoomed) await client.run([tallest(last.id)]);
  };
  return {
    mark: lead,
    session: lead,
    showsTitles: false,
    arrange,
    add: (start, from) => withRoom(() => split(start, from), makeRoom, arrange),
  };
}

/**
 * On Muster's own server: one session of the team with one window, in which all panes are stacked. Rejects with
 * `not_ready` where others have all its names.
 */
export async function ownSession(client: TmuxClient, owner: SessionOwner): Promise<PanePlace> {
  let session = await findSession(client, owner);
  const window = () => `=${session.name}:`;
  const arrange = (marking: readonly TmuxCommand[]) =>
    client.run([...marking, ["select-layout", "-t", window(), "even-vertical"]]);
  const lastPane = async () => {
    const panes = await client.run([["list-panes", "-s", "-t", window(), "-F", "#{pane_id}"]]);
    return panes.trim().split("\n").at(-1) ?? window();
  };
  const makeRoom = async () => void (await client.run([tallest(await lastPane())]));
  const make = async (starting: Promise<PaneStart>, from: Parameters<PanePlace["add"]>[1]) => {
    const [last, start] = await Promise.all([lastPane(), starting]);
    const args = ["-d", "-t", last, ...MADE, ...start.environment, "--", ...start.vector];
    return client.run([["split-window", ...args]], from);
  };
  const open = async (starting: Promise<PaneStart>, from: Parameters<PanePlace["add"]>[1]) => {
    const [start] = await Promise.all([starting, client.run(SERVER_START)]);
    const args = ["-d", "-s", session.name, "-n", "team", ...DETACHED_SIZE, ...MADE, ...start.environment];
    const mark = ["set-option", "-t", window(), SESSION_ROOT, owner.root]; // in the same step: nobody sees it without
    try {
      return await client.run([["new-session", ...args, "--", ...start.vector], mark, ENDS_WHEN_EMPTY], from);
    } catch (error) {
      await client.run([ENDS_WHEN_EMPTY]).catch(() => undefined); // it may be over already
      throw error;
    }
  };
  return {
    get mark() {
      return session.name;
    },
    session: `=${session.name}`,
    showsTitles: true,
    arrange,
    async add(start, from) {
      for (let attempt = 1; ; attempt += 1) {
        if (attempt > 1) session = await findSession(client, owner);
        try {
          if (session.isThere) return await withRoom(() => make(start, from), makeRoom, arrange);
        } catch (error) {
          if (!(error instanceof TmuxRefusal && error.isGone)) throw error;
        }
        try {
          return await paneMadeBy(() => open(start, from));
        } catch (error) {
          const duplicate = error instanceof TmuxRefusal && error.message.startsWith("duplicate session");
          if (!duplicate || attempt === ATTEMPTS) throw error;
        }
      }
    },
  };
}

/** Starts Muster's own server where none runs: it ends soon if no session is made. */
export async function startServer(client: TmuxClient): Promise<void> {
  try {
    await client.run([["list-panes", "-a"]]);
  } catch (error) {
    if (!(error instanceof TmuxRefusal && error.isGone)) throw error;
    await client.run(SERVER_START);
  }
}

/** The option of a session that says of which state root its team is. */
const SESSION_ROOT = "@muster-root";

/** The session of the team: the one that it has, else the first of its names that no other session has. */
async function findSession(
  client: TmuxClient,
  { names, root }: SessionOwner,
): Promise<{ name: string; isThere: boolean }> {
  const printed = await client
    .run([["list-panes", "-a", "-F", `#{${SESSION_ROOT}} #{session_name}`]])
    .catch((error) => {
      if (error instanceof TmuxRefusal && error.isGone) return "";
      throw error;
    });
  const there = printed.split("\n");
  const isThere = (name: string) => there.some((row) => row.endsWith(` ${name}`));
  const own = names.find((name) => there.includes(`${root} ${name}`));
  if (own !== undefined) return { name: own, isThere: true };
  const free = names.find((name) => !isThere(name));
  if (free !== undefined) return { name: free, isThere: false };
  throw new MusterError("not_ready", `Other programs have the tmux sessions ${names.join(" and ")}: end one of them.`);
}

const ENDS_WHEN_EMPTY: TmuxCommand = ["set-option", "-s", "exit-empty", "on"];

/** In the member's own colour; the borders have none, as tmux gives that of one pane to its neighbours. */
const PANE_TITLE = ` #{?pane_active,#[bold],}#{?${PANE_COLOR},#[fg=#{${PANE_COLOR}}],}#{pane_title} `;

/**
 * Starts Muster's own server, where there is none, before its first pane: a server keeps the arguments of the client
 * that started it, and everybody sees those. Set on no other server: Esc is heard at once, the wheel scrolls, and a pane
 * says whose it is.
 */
const SERVER_START: readonly TmuxCommand[] = [
  ["start-server"],
  ["set-option", "-s", "exit-empty", "off"],
  // Also where the host is killed before it makes the session.
  ["run-shell", "-b", "-d", "2", "-C", ENDS_WHEN_EMPTY.join(" ")],
  ["set-option", "-s", "escape-time", "10"],
  ["set-option", "-g", "history-limit", "10000"],
  ["set-option", "-g", "mouse", "on"],
  ["set-option", "-g", "status", "off"],
  ["set-option", "-gw", "pane-border-status", "top"],
  ["set-option", "-gw", "pane-border-style", "fg=brightblack"],
  ["set-option", "-gw", "pane-active-border-style", "fg=default"],
  ["set-option", "-gw", "pane-border-format", PANE_TITLE],
];

/** Splits; where there is no room, once more after the last pane got what the others can spare. */
async function withRoom(
  split: () => Promise<string>,
  makeRoom: () => Promise<void>,
  arrange: (marking: readonly TmuxCommand[]) => Promise<string>,
): Promise<Pane> {
  try {
    return await paneMadeBy(split);
  } catch (error) {
    if (!isFull(error)) throw error;
  }
  await makeRoom();
  try {
    return await paneMadeBy(split);
  } catch (error) {
    if (!isFull(error)) throw error;
    await arrange([]);
    throw new MusterError(
      "not_ready",
      "The tmux window has no room for another pane: make the terminal larger, or end a teammate.",
      { cause: error },
    );
  }
}

/** All the height that the other panes of its column can spare: tmux stops where each has one line. */
function tallest(id: string): TmuxCommand {
  return ["resize-pane", "-t", id, "-y", "9999"];
}

function isFull(error: unknown): boolean {
  return error instanceof TmuxRefusal && error.isFull;
}

/** The pane that a command made: also where a hook of the person's prints something, or fails, once it is there. */
async function paneMadeBy(make: () => Promise<string>): Promise<Pane> {
  try {
    const made = await make();
    const pane = paneIn(made);
    if (!pane) throw new TmuxRefusal(`tmux made a pane and did not say which: ${made}`);
    return pane;
  } catch (error) {
    const pane = error instanceof TmuxRefusal ? paneIn(error.printed) : null;
    if (!pane) throw error;
    return pane;
  }
}

function paneIn(printed: string): Pane | null {
  const [, id, pid] = /^(%\d+) (\d+)$/m.exec(printed) ?? [];
  return id === undefined ? null : { id, pid: Number(pid) };
}

interface ColumnPane {
  id: string;
  top: number;
  height: number;
}

/**
 * The lead's teammates in the window in which the lead is now, from top to bottom: one column of them, the last one's.
 * Looks after the commands of `marking`; `printed`: what those print too.
 */
async function readColumn(
  client: TmuxClient,
  lead: string,
  marking: readonly TmuxCommand[] = [],
): Promise<{ column: ColumnPane[]; zoomed: boolean; printed: string }> {
  const format = "#{pane_id} #{pane_left} #{pane_top} #{pane_height} #{pane_dead} #{window_zoomed_flag} #{@muster}";
  const printed = await client.run([...marking, ["list-panes", "-t", lead, "-F", format]]);
  const rows = printed.split("\n").filter((row) => /^%\d+ /.test(row)); // a hook of the person's may print, too
  const panes = rows.map((row) => {
    const [id = "", left, top, height, dead, zoomed, mark] = row.split(" ");
    const place = { left: Number(left), top: Number(top), height: Number(height) };
    return { id, ...place, zoomed: zoomed === "1", ours: mark === lead && dead !== "1" };
  });
  const ours = panes.filter((pane) => pane.ours).sort((a, b) => a.left - b.left || a.top - b.top);
  const column = ours.filter((pane) => pane.left === ours.at(-1)?.left);
  return { column, zoomed: panes.some((pane) => pane.zoomed), printed };
}

/** Each border moves once, from top to bottom: a pane that grows takes from those below it. */
function evenHeights(column: readonly ColumnPane[]): TmuxCommand[] {
  const total = column.reduce((sum, pane) => sum + pane.height, 0);
  return column.slice(0, -1).map((pane, index) => {
    const height = Math.floor((total * (index + 1)) / column.length) - Math.floor((total * index) / column.length);
    return ["resize-pane", "-t", pane.id, "-y", String(Math.max(height, 1))];
  });
}
