import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findDesktopCode } from "../../../scripts/start/desktopCode.ts";

describe("the desktop's VS Code", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "muster-code-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A `code` that says its version, in a folder of its own; returns an environment that has it on PATH. */
  function codeIn(place: string, version = "1.140.2"): NodeJS.ProcessEnv {
    const bin = path.join(folder, place);
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, "code"), `#!/bin/sh\necho ${version}\necho 0123abc\necho x64\n`);
    chmodSync(path.join(bin, "code"), 0o755);
    return { PATH: bin, DISPLAY: ":0" };
  }
  const find = (env: NodeJS.ProcessEnv) => findDesktopCode(env, "linux", "1.139.1");

  it("is used where it is on PATH and there is a display", () => {
    expect(find(codeIn("bin"))).toEqual({ command: path.join(folder, "bin/code") });
  });

  it("may have exactly the oldest version", () => {
    expect(find(codeIn("bin", "1.139.1"))).toHaveProperty("command");
  });

  it.each([
    ["a terminal of a served VS Code", { VSCODE_IPC_HOOK_CLI: "/tmp/x.sock" }, "remote or served"],
    ["WSL", { WSL_DISTRO_NAME: "Debian" }, "WSL"],
    ["an SSH session", { SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }, "SSH"],
    ["a dev container", { REMOTE_CONTAINERS: "true" }, "dev container"],
  ])("is not looked for in %s", (_where, mark, reason) => {
    expect(find({ ...codeIn("bin"), ...mark })).toEqual({ obstacle: expect.stringContaining(reason) });
  });

  it.each(["remote-cli", ".vscode-server/bin/abc", "code-server/bin"])("is not a program in %s", (place) => {
    expect(find(codeIn(place))).toEqual({ obstacle: expect.stringContaining("remote") });
  });

  it("is not a link to a remote one", () => {
    codeIn("remote-cli");
    mkdirSync(path.join(folder, "bin"));
    symlinkSync(path.join(folder, "remote-cli/code"), path.join(folder, "bin/code"));
    expect(find({ PATH: path.join(folder, "bin"), DISPLAY: ":0" })).toHaveProperty("obstacle");
  });

  it("needs a display on Linux", () => {
    expect(find({ ...codeIn("bin"), DISPLAY: "" })).toEqual({ obstacle: expect.stringContaining("display") });
    expect(find({ ...codeIn("bin"), DISPLAY: "", WAYLAND_DISPLAY: "wayland-0" })).toHaveProperty("command");
  });

  it("must not be older than what the extension was run in", () => {
    expect(find(codeIn("bin", "1.99.3"))).toEqual({ obstacle: expect.stringContaining("1.99.3 is too old") });
  });

  it("must tell its version", () => {
    expect(find(codeIn("bin", "an editor"))).toEqual({ obstacle: expect.stringContaining("no version") });
  });

  it("is missed without a word on PATH", () => {
    expect(find({ PATH: folder })).toEqual({ obstacle: expect.stringContaining("no `code` on PATH") });
  });
});
