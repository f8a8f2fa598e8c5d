import { readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";
import { describe, test } from "vitest";
import { buildCli } from "../support/buildCli.ts";
import { checkDemo } from "../support/checkDemo.ts";
import { demoRun } from "../support/demoRun.ts";
import { cliHome } from "../support/runCli.ts";

/** A test of the golden test: builds in which one thing is broken must not pass it. */

const ROOT = path.resolve(import.meta.dirname, "../..");

interface Break {
  name: string;
  file: string;
  from: string;
  to: string;
  /** What the check must say. */
  noticed: RegExp;
}

const BREAKS: Break[] = [
  {
    name: "Edit says that it changed a file and writes what was there",
    file: "src/agent/tools/editFile.ts",
    from: "return result.text;",
    to: "return before.text;",
    noticed: /^files\.txt: /m,
  },
  {
    name: "one message is sent and never delivered",
    file: "src/store/messageSender.ts",
    from: "return await deliver(context, paths, to, entry, mustArrive);",
    to: 'if (entry.from === "nora" && to === "theo") return []; return await deliver(context, paths, to, entry, mustArrive);',
    noticed: /^theo\.txt: /m,
  },
  {
    name: "nobody claims a task by itself",
    file: "src/team/claim.ts",
    from: "if (running.member.isLead) return false;",
    to: "return false;",
    noticed: /^theo\.txt: /m,
  },
];

/** Replaces a piece of one module, which must be there once. */
function breaking({ file, from, to }: Break): Plugin {
  return {
    name: "break",
    setup(build) {
      const target = path.join(ROOT, file);
      build.onLoad({ filter: /\.ts$/ }, ({ path: loaded }) => {
        if (loaded !== target) return undefined;
        const text = readFileSync(loaded, "utf8");
        if (text.split(from).length !== 2) throw new Error(`${file} does not hold ${JSON.stringify(from)} once.`);
        return { contents: text.replace(from, () => to), loader: "ts" };
      });
    },
  };
}

// side by side: what they do most is wait for what does not come
describe.concurrent("the golden test of the demo fails for a build in which", () => {
  for (const broken of BREAKS)
    test(broken.name, async ({ expect }) => {
      const cli = await buildCli([breaking(broken)]);
      const home = cliHome();
      try {
        const faults = checkDemo(await demoRun(cli.file, home, "all"), "all");
        expect(faults.join("\n")).toMatch(broken.noticed);
      } finally {
        home.remove();
        cli.remove();
      }
    });
});
