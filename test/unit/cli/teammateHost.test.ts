import { describe, expect, it } from "vitest";
import type { CliContext } from "../../../src/cli/context.ts";
import { teammateHost } from "../../../src/cli/run/teammateHost.ts";
import { requirePlace, type TeammateMode } from "../../../src/cli/run/teammateMode.ts";

const NEEDS = { root: "/r", project: "/p", api: async () => ({ apiKey: null, baseUrl: null }) };
const TMUX = { TMUX: "/tmp/tmux-1/default,1,0", TMUX_PANE: "%0" };
const VSCODE = { TERM_PROGRAM: "vscode", VSCODE_PID: "1" };

/** Where teammates run, with what is told of it where $MUSTER_DEBUG asks for it. */
function choose(mode: TeammateMode | undefined, env: Record<string, string>, command?: string) {
  const told: string[] = [];
  const stderr = { write: (text: string) => void told.push(text), isTerminal: false, columns: undefined };
  const io = { stdin: null, stdout: stderr, stderr } as unknown as CliContext["io"];
  const context = { env: { ...env, MUSTER_DEBUG: "1" }, io, notes: { show() {}, add() {} } } as unknown as CliContext;
  const host = teammateHost({ mode, command }, context, NEEDS);
  return { where: host?.starter.type ?? "in-process", told: told.join("") };
}

describe("where muster runs teammates", () => {
  it.each([
    { mode: "auto", env: {}, where: "in-process" },
    { mode: undefined, env: {}, where: "in-process" },
    { mode: "auto", env: VSCODE, where: "in-process" },
    { mode: "auto", env: TMUX, where: "tmux" },
    { mode: undefined, env: { ...TMUX, ...VSCODE }, where: "tmux" },
    { mode: "auto", env: { ...TMUX, ...VSCODE }, where: "tmux" },
    { mode: "tmux", env: {}, where: "tmux" },
    { mode: "tmux", env: VSCODE, where: "tmux" },
    { mode: "auto", env: { TMUX: TMUX.TMUX }, where: "tmux" }, // a pane that is not known has nothing beside it
    { mode: "in-process", env: { ...TMUX, ...VSCODE }, where: "in-process" },
  ] as const)("with mode $mode and $env: $where (row 42)", ({ mode, env, where }) => {
    const chosen = choose(mode, env);
    expect(chosen.where).toBe(where);
    const beside = "TMUX_PANE" in env ? "in tmux, beside this pane" : "in tmux, on a server of their own";
    expect(chosen.told).toContain(`Teammates run ${where === "tmux" ? beside : "in this process"}.`);
  });

  it("is refused as a terminal of VS Code, and for a program of its own in this process", () => {
    const check = (mode: TeammateMode | undefined, command?: string) => () => requirePlace({ mode, command });
    expect(check("terminal")).toThrow("use tmux or in-process here");
    expect(check("in-process", "/bin/agent")).toThrow("--teammate-command needs --teammate-mode tmux");
    for (const mode of [undefined, "auto", "tmux"] as const) expect(check(mode, "/bin/agent")).not.toThrow();
    expect(check("in-process")).not.toThrow();
    expect(choose("auto", {}, "/bin/agent").where).toBe("tmux");
  });
});
