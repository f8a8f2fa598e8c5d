// Bundles src and webview into dist/extension.cjs, dist/services.cjs (what the extension loads with its first view,
// command or team), dist/teams/* (what it loads with its first team), dist/muster.mjs with dist/cli/* (command line) and dist/webview/*.
// `npm run build` calls it and then checks the sizes. `--watch` builds again on every change, `--dev` leaves names as they are and writes source maps.
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";
import { bundles } from "./scripts/build/bundles.ts";
import { keepBuild } from "./scripts/build/keptBuilds.ts";

const root = import.meta.dirname;
const watch = process.argv.includes("--watch");
const dev = watch || process.argv.includes("--dev");
const inRoot = (...parts) => path.join(root, ...parts);

/** What the build does with its results: keep the metafile, make the command line executable. */
function finish(name) {
  return {
    name: "finish",
    setup(build) {
      build.onEnd((result) => {
        if (!result.metafile) return;
        mkdirSync(inRoot("dist/meta"), { recursive: true });
        writeFileSync(inRoot(`dist/meta/${name}.json`), JSON.stringify(result.metafile));
        if (name === "cli") chmodSync(inRoot("dist/muster.mjs"), 0o755);
        if (watch) console.log(`${name}: ${result.errors.length === 0 ? "built" : "failed"}`);
      });
    },
  };
}

const ICON_FILES = ["codicon.css", "codicon.ttf"];

/** The icon font and its style sheet, which the icon element of the webview loads by name. */
function copyIcons() {
  mkdirSync(inRoot("dist/webview"), { recursive: true });
  for (const file of ICON_FILES)
    copyFileSync(inRoot("node_modules/@vscode/codicons/dist", file), inRoot("dist/webview", file));
}

async function main() {
  copyIcons();
  const plans = Object.entries(bundles(dev)).map(([name, options]) => ({
    ...options,
    plugins: [...(options.plugins ?? []), finish(name)],
  }));
  if (watch) {
    for (const plan of plans) await (await esbuild.context(plan)).watch();
    return;
  }
  const results = await Promise.all(plans.map((plan) => esbuild.build(plan)));
  const outputs = results.flatMap((result) => Object.keys(result.metafile.outputs));
  keepBuild(inRoot("dist"), [
    ...outputs.map((output) => path.posix.relative("dist", output)),
    ...ICON_FILES.map((file) => `webview/${file}`),
  ]);
}

try {
  await main();
} catch (error) {
  if (!error.errors) throw error; // esbuild has printed its own errors
  process.exitCode = 1;
}
