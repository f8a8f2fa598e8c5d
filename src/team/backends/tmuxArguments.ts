import { stripVTControlCharacters } from "node:util";
import { MusterError } from "../../base/errors.ts";
import { sha256Hex } from "../../protocol/digest.ts";
import { cut, plainText } from "../terminal/plainText.ts";
import { terminalColor } from "../terminal/terminalColor.ts";
import type { ProcessSpec } from "./processStarter.ts";

/** One tmux command: its name and its arguments, as they are meant. */
export type TmuxCommand = readonly string[];

/** The longest program with its arguments that a pane is started with, in bytes. */
const MAX_VECTOR_BYTES = 8192;
/** A client's message to the server is 16 KiB, with its head; measured: 16,300 bytes pass, 16,384 do not. */
const MAX_MESSAGE_BYTES = 16_000;

/**
 * The commands as one argument vector of the tmux client. The client ends a command at an argument whose last character
 * is `;`, wherever it stands: such an argument is escaped. Everything else of an argument arrives as it is.
 */
export function commandLine(commands: readonly TmuxCommand[]): string[] {
  return commands.flatMap((command, index) => [...(index > 0 ? [";"] : []), ...command.map(escapeEnd)]);
}

function escapeEnd(argument: string): string {
  return argument.endsWith(";") ? `${argument.slice(0, -1)}\\;` : argument;
}

/** Throws `not_ready` where the commands are longer than tmux takes. */
export function checkMessageSize(line: readonly string[]): void {
  if (packedBytes(line) <= MAX_MESSAGE_BYTES) return;
  throw new MusterError(
    "not_ready",
    "The environment is too large for tmux, which takes 16 KB: unset large variables, or run the teammate elsewhere.",
  );
}

function packedBytes(vector: readonly string[]): number {
  return vector.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0);
}

/** Variables that tmux itself makes for a pane. PWD is the folder in which the pane starts. */
const OF_TMUX: ReadonlySet<string> = new Set("TERM TERM_PROGRAM TERM_PROGRAM_VERSION TMUX TMUX_PANE PWD".split(" "));

/** How a pane gets exactly the environment of its spec, but for what tmux makes itself. */
export interface PaneStart {
  /** `-e NAME=VALUE`… for the command that makes the pane. */
  environment: string[];
  /** The program with its arguments, behind `env`: always several words, so tmux gives them to no shell. */
  vector: string[];
}

/**
 * What starts `spec` in a pane. tmux adds its server's and its session's variables (`inherited`) and overwrites SHELL:
 * `env` sets that right and becomes the program, so the pane's process is the teammate. Throws `not_ready` for what
 * cannot be started.
 */
export function paneStart(spec: ProcessSpec, env: string, inherited: readonly string[]): PaneStart {
  checkVector(spec.argv);
  const own = Object.entries(spec.env).filter(([name]) => !OF_TMUX.has(name));
  if ([...own.flat(), spec.cwd].some((text) => text.includes("\0"))) throw notStartable("has a NUL character in it");
  const unwanted = [...new Set([...inherited, "SHELL"])].filter((name) => !OF_TMUX.has(name) && !(name in spec.env));
  const shell = spec.env["SHELL"];
  return {
    environment: own.flatMap(([name, value]) => ["-e", `${name}=${value}`]),
    vector: [
      env,
      ...unwanted.flatMap((name) => ["-u", name]),
      ...(shell === undefined ? [] : [`SHELL=${shell}`]),
      ...withoutAssignment(spec.argv),
    ],
  };
}

/** `env` takes a word with `=` for a variable: a program in a folder of such a name goes through a shell's `exec`. */
function withoutAssignment(argv: readonly string[]): readonly string[] {
  return argv[0]?.includes("=") ? ["/bin/sh", "-c", 'exec "$0" "$@"', ...argv] : argv;
}

function checkVector(argv: readonly string[]): void {
  if (argv.length === 0) throw notStartable("names no program");
  if (argv.some((argument) => argument.includes("\0"))) throw notStartable("has a NUL character in it");
  if (packedBytes(argv) > MAX_VECTOR_BYTES) {
    throw notStartable("is longer than the 8 KB that fit into a tmux pane; hand long texts over in a file");
  }
}

function notStartable(why: string): MusterError {
  return new MusterError("not_ready", `The teammate cannot be started in tmux: its command ${why}.`);
}

/** The names in the output of `show-environment`; those that are removed (`-NAME`) are not among them. */
export function environmentNames(output: string): string[] {
  return output.split("\n").flatMap((line) => {
    const end = line.indexOf("=");
    return end > 0 && !line.startsWith("-") ? [line.slice(0, end)] : [];
  });
}

/** Whose a session on Muster's own server is. */
export interface SessionOwner {
  /** What it may be called, the first one first. */
  names: readonly string[];
  /** What marks the sessions and panes of one state root: hexadecimal digits. */
  root: string;
}

/** The session of a team of this state root (an absolute path): another root's team of that name may have the first name. */
export function sessionOwner(team: string, root: string): SessionOwner {
  const name = sessionName(team);
  const mark = rootMark(root);
  return { names: [name, `${name}-${mark.slice(0, 6)}`], root: mark };
}

/** What marks what is of this state root (an absolute path). */
export function rootMark(root: string): string {
  return sha256Hex(root).slice(0, 16);
}

/** The first name of a team's session on Muster's own server. tmux has a meaning for `.`, `:`, `#` and some more in such a name. */
export function sessionName(team: string): string {
  const plain = team.replace(/[^A-Za-z0-9_-]/g, "-");
  return plain === team ? `muster-${team}` : `muster-${plain}-${sha256Hex(team).slice(0, 6)}`;
}

/**
 * A name as a pane's title. tmux and a person's status line may expand what stands in a title, more than once: its `#`
 * becomes the full-width one, which means nothing to tmux.
 */
export function paneTitle(displayName: string): string {
  return cut(plainText(displayName).replace(/\s+/g, " ").trim(), 60).replaceAll("#", "\uff03");
}

/** The option of a teammate's pane that holds its member's colour. */
export const PANE_COLOR = "@muster-color";

/** A member's colour as tmux names it. */
export function paneColor(color: string | null): string {
  const name = terminalColor(color);
  if (name === "reset") return "default";
  return name.endsWith("Bright") ? `bright${name.slice(0, -"Bright".length)}` : name;
}

/** A captured screen with its colours, and no other control sequence of the program that wrote it. */
export function colouredScreen(captured: string): string {
  return captured
    .split(/(\x1b\[[0-9;:]*m)/)
    .map((part, index) => (index % 2 === 1 ? part : plainText(stripVTControlCharacters(part))))
    .join("");
}
