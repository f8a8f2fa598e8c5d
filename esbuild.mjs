// Bundles src and webview into dist/extension.cjs, dist/teams/* (what the extension loads with its first team),
// dist/muster.mjs (command line) and dist/webview/*.
// `npm run build` calls it and then checks the sizes. `--watch` builds again on every change, `--dev` leaves names as they are and writes source maps.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";

const root = import.meta.dirname;
const watch = process.argv.includes("--watch");
const dev = watch || process.argv.includes("--dev");
const inRoot = (...parts) => path.join(root, ...parts);

/** @type {esbuild.BuildOptions} */
const shared = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  minify: !dev,
  keepNames: true,
  sourcemap: dev,
  legalComments: "none", // licences of what is bundled are in dist/THIRD-PARTY-NOTICES.txt
  logLevel: "warning",
  define: { "process.env.NODE_ENV": dev ? '"development"' : '"production"' },
};

/** Modules of src/extension that are loaded when they are first needed: the window starts without them. */
const LATER = ["startTeam", "storedTeams", "finishedTeam"];

/** Leaves the dynamic imports of these modules in place, as imports of their own bundles. */
const loadLater = {
  name: "load-later",
  setup(build) {
    const later = new RegExp(`^\\./(${LATER.join("|")})\\.ts$`);
    build.onResolve({ filter: later }, ({ kind, path: file }) =>
      kind === "dynamic-import" ? { path: file.replace(later, "./teams/$1.mjs"), external: true } : undefined,
    );
  },
};

/** The SDK's own tools for agents, which it loads only for workers of hosted environments: nothing here starts one. */
const leaveOutSdkTools = {
  name: "leave-out-sdk-tools",
  setup(build) {
    build.onLoad({ filter: /@anthropic-ai[\\/]sdk[\\/]tools[\\/]agent-toolset[\\/]node\.mjs$/ }, () => ({
      contents: "",
    }));
  },
};

/** Packages in CommonJS call `require`, which an ES module does not have by itself. */
const requireForBundle = [
  'import { createRequire as createRequireForBundle } from "node:module";',
  "const require = createRequireForBundle(import.meta.url);",
];

/** @type {Record<string, esbuild.BuildOptions>} */
const bundles = {
  extension: {
    ...shared,
    entryPoints: ["src/extension/extension.ts"],
    outfile: "dist/extension.cjs",
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["vscode", "node-pty"],
    plugins: [loadLater],
  },
  teams: {
    ...shared,
    entryPoints: LATER.map((name) => `src/extension/${name}.ts`),
    outdir: "dist/teams",
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunk-[hash]",
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node22",
    external: ["node-pty"],
    banner: { js: requireForBundle.join("\n") },
  },
  cli: {
    ...shared,
    entryPoints: ["src/cli/main.ts"],
    outfile: "dist/muster.mjs",
    platform: "node",
    format: "esm",
    target: "node22",
    external: ["node-pty"],
    banner: {
      js: [
        "#!/usr/bin/env node",
        ...requireForBundle,
        "if (Number.parseInt(process.versions.node, 10) < 22) {",
        '  console.error("muster: Node 22 or newer is needed, this is " + process.versions.node + ".");',
        "  process.exit(1);",
        "}",
      ].join("\n"),
    },
  },
  webview: {
    ...shared,
    entryPoints: ["webview/main.tsx", "webview/styles.css"],
    outdir: "dist/webview",
    platform: "browser",
    format: "esm",
    splitting: true,
    target: "chrome138",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".ttf": "copy", ".svg": "copy" },
    assetNames: "[name]",
    chunkNames: "chunks/[name]-[hash]",
  },
};

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
  const plans = Object.entries(bundles).map(([name, options]) => ({
    ...options,
    plugins: [...(options.plugins ?? []), leaveOutSdkTools, finish(name)],
  }));
  if (watch) {
    for (const plan of plans) await (await esbuild.context(plan)).watch();
    return;
  }
  const results = await Promise.all(plans.map((plan) => esbuild.build(plan)));
  removeStale(results.flatMap((result) => Object.keys(result.metafile.outputs)));
}

/** Deletes what earlier builds left in folders with chunks: these have their content in their names. */
function removeStale(outputs) {
  const kept = new Set([
    ...outputs.map((output) => inRoot(output)),
    ...ICON_FILES.map((file) => inRoot("dist/webview", file)),
  ]);
  for (const folder of ["dist/webview", "dist/teams"]) {
    for (const entry of readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile() && !kept.has(file)) rmSync(file, { force: true });
    }
  }
}

try {
  await main();
} catch (error) {
  if (!error.errors) throw error; // esbuild has printed its own errors
  process.exitCode = 1;
}
