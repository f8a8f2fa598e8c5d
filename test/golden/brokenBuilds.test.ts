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

/** `first`: what a function of the module does before anything else. */
interface Break {
  name: string;
  file: string;
  function: string;
  first: string;
  /** What the check must say. */
  noticed: RegExp;
}

const BREAKS: Break[] = [
  {
    name: "Edit says that it changed a file and writes what was there",
    file: "src/agent/tools/applyEdit.ts",
    function: "applyEdit",
    first: "return { ok: true, text, lines: [1] };",
    noticed: /^files\.txt: /m,
  },
  {
    name: "one message is sent and never delivered",
    file: "src/store/inboxFile.ts",
    function: "deliver",
    first: 'if (entry.from === "nora" && agent === "theo") return [];',
    noticed: /^theo\.txt: /m,
  },
  {
    name: "nobody claims a task by itself",
    file: "src/team/claim.ts",
    function: "wouldClaim",
    first: "return false;",
    noticed: /^theo\.txt: /m,
  },
];

/** Puts a statement first into a function of one module, which must be there once. */
function breaking(broken: Break): Plugin {
  const head = new RegExp(`export (?:async )?function ${broken.function}\\([^]*?\\)(?:: [^\\n{]*)? \\{\\n`);
  return {
    name: "break",
    setup(build) {
      const target = path.join(ROOT, broken.file);
      build.onLoad({ filter: /\.ts$/ }, ({ path: loaded }) => {
        if (loaded !== target) return undefined;
        const text = readFileSync(loaded, "utf8");
        if (!head.test(text)) throw new Error(`${broken.file} has no function ${broken.function}.`);
        return { contents: text.replace(head, (found) => `${found}${broken.first}\n`), loader: "ts" };
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
