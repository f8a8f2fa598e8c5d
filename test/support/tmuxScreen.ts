import { execFileSync } from "node:child_process";
import { eventually } from "./eventually.ts";

/** A program on a real terminal: a tmux server of its own, with one pane. */
export interface TmuxScreen {
  /** What the pane shows, with what has scrolled away. */
  text(): string;
  /** The same with the sequences of its colours and styles. */
  styled(): string;
  /** Types a line. */
  type(line: string): void;
  /** Pastes text, all at once. */
  paste(text: string): void;
  /** Presses keys by their tmux names (`C-c`), all at once. */
  press(...keys: string[]): void;
  /** Resolves when the screen holds the text. */
  shows(text: string): Promise<void>;
  close(): void;
}

/** Starts a shell command in a pane of so many columns. */
export function tmuxScreen(command: string, env: Readonly<Record<string, string>>, columns = 100): TmuxScreen {
  const socket = `muster-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...env, TERM: "xterm-256color", TMUX_TMPDIR: env["TMPDIR"] },
    });
  tmux("new-session", "-d", "-s", "test", "-x", String(columns), "-y", "50", command);
  tmux("set-option", "-g", "remain-on-exit", "on");
  const text = () => tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "test");
  return {
    text,
    styled: () => tmux("capture-pane", "-p", "-e", "-J", "-S", "-", "-t", "test"),
    type: (line) => {
      tmux("send-keys", "-t", "test", "-l", line);
      tmux("send-keys", "-t", "test", "Enter");
    },
    paste: (text) => {
      execFileSync("tmux", ["-L", socket, "load-buffer", "-"], {
        input: text,
        env: { ...env, TMUX_TMPDIR: env["TMPDIR"] },
      });
      tmux("paste-buffer", "-p", "-t", "test"); // marked as a terminal marks it, where the program has asked for that
    },
    press: (...keys) => void tmux("send-keys", "-t", "test", ...keys),
    shows: async (wanted) => {
      await eventually(`the terminal to show ${JSON.stringify(wanted)}`, () => text().includes(wanted)).catch(
        (error) => {
          throw new Error(`${error.message}:\n${text()}`);
        },
      );
    },
    close: () => void tmux("kill-server"),
  };
}
