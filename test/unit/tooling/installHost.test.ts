import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/project.ts";

/** Installs with an npm that stands in for a long one; the programs that are looked for are there in name. */
describe.runIf(process.platform === "linux")(
  "an installation of VS Code for the browser that does not come to its end",
  () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), "muster-install-"));
      mkdirSync(path.join(folder, "bin"));
      for (const program of ["g++", "make", "python3"]) {
        writeFileSync(path.join(folder, "bin", program), "#!/bin/sh\n");
        chmodSync(path.join(folder, "bin", program), 0o755);
      }
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    function install(npm: string) {
      writeFileSync(path.join(folder, "npm.js"), npm);
      const module = pathToFileURL(path.join(projectRoot, "scripts/host/installHost.ts")).href;
      const script = `const { installHost } = await import(${JSON.stringify(module)});
      try { installHost(); } catch (error) { console.error(error.message); process.exitCode = 1; }`;
      const env = {
        PATH: [path.join(folder, "bin"), path.dirname(process.execPath)].join(path.delimiter),
        ...{ HOME: folder, MUSTER_HOST_DIR: path.join(folder, "host"), npm_execpath: path.join(folder, "npm.js") },
      };
      return spawnSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });
    }

    it("by Ctrl-C says so and leaves nothing behind", () => {
      const { status, stdout, stderr } = install(
        'process.kill(process.ppid, "SIGINT"); process.kill(process.pid, "SIGINT"); setInterval(() => {}, 1000);',
      );
      expect(stdout).toMatch(
        /^Installing VS Code for the browser .* about 750 MB\) into .*host, once; this takes .* minutes …\n$/,
      );
      expect(stderr).toBe("The installation was interrupted: run the command again for another try.\n");
      expect(status).toBe(1);
      expect(readdirSync(folder).sort()).toEqual(["bin", "npm.js"]);
    });

    it("since npm fails says what to do and leaves nothing behind", () => {
      const { status, stderr } = install("process.exitCode = 1;");
      expect(stderr).toMatch(/^npm install failed in .*: mend that and run the command again\.\n$/);
      expect(status).toBe(1);
      expect(readdirSync(folder).sort()).toEqual(["bin", "npm.js"]);
    });
  },
);
