import path from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { projectRoot } from "../project.ts";

type BundleName = "extension" | "services" | "teams" | "cli" | "webview";

/** What is bundled into dist, and how. `dev`: with source maps, and names as they are. */
export function bundles(dev: boolean): Record<BundleName, BuildOptions> {
  return {
    extension: {
      ...shared(dev),
      entryPoints: ["src/extension/extension.ts"],
      outfile: "dist/extension.cjs",
      ...besideVsCode,
      plugins: [...shared(dev).plugins, loadLater(SERVICES, "./services.cjs")],
      supported: { "dynamic-import": false }, // VS Code answers for `vscode` where it is required
    },
    services: {
      ...shared(dev),
      entryPoints: [SERVICES],
      outfile: "dist/services.cjs",
      ...besideVsCode,
      plugins: [
        ...shared(dev).plugins,
        ...Object.entries(LATER).map(([name, file]) => loadLater(file, `./teams/${name}.mjs`)),
      ],
    },
    teams: {
      ...shared(dev),
      entryPoints: LATER,
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
      ...shared(dev),
      keepNames: dev, // giving each function its name takes a fourteenth of a teammate's start
      // a teammate's process loads, and keeps, only what it uses: the rest is in chunks beside it
      entryPoints: { muster: "src/cli/main.ts" },
      outdir: "dist",
      outExtension: { ".js": ".mjs" },
      chunkNames: "cli/chunk-[hash]",
      splitting: true,
      platform: "node",
      format: "esm",
      target: "node22",
      external: ["node-pty"],
      banner: {
        js: [
          "#!/usr/bin/env node",
          ...requireForBundle,
          "if (Number.parseInt(process.versions.node, 10) < 22) {",
          '  console.error("muster: Node 22 or newer is needed, this is " + process.versions.node + ": start muster with one, as with `npx node` in a clone of the project.");',
          "  process.exit(1);",
          "}",
        ].join("\n"),
      },
    },
    webview: {
      ...shared(dev),
      keepNames: false, // nothing logs them here, and each is loaded before the first picture
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
}

/** What all of them have in common. */
function shared(dev: boolean) {
  return {
    absWorkingDir: projectRoot,
    bundle: true,
    metafile: true,
    minify: !dev,
    keepNames: true,
    sourcemap: dev,
    legalComments: "none", // licences of what is bundled are in dist/THIRD-PARTY-NOTICES.txt
    logLevel: "warning",
    define: { "process.env.NODE_ENV": dev ? '"development"' : '"production"' },
    plugins: [leaveOutErrorClasses],
  } satisfies BuildOptions;
}

/** What the extension and its services have in common: VS Code's own loader hands `vscode` to modules of CommonJS. */
const besideVsCode = {
  platform: "node",
  format: "cjs",
  target: "node22",
  external: ["vscode", "node-pty"],
} satisfies BuildOptions;

/** Everything behind views and commands: activation, which every window waits for, reads and compiles none of it. */
const SERVICES = "src/extension/services.ts";

/** Modules that the window loads when they are first needed: it starts without them. */
const LATER: Record<string, string> = {
  startTeam: "src/extension/teams/startTeam.ts",
  storedTeams: "src/extension/teams/storedTeams.ts",
  finishedTeam: "src/extension/teams/finishedTeam.ts",
  workspaceRules: "src/extension/requests/workspaceRules.ts",
  shownChanges: "src/extension/changes/shownChanges.ts",
  runDoctor: "src/extension/runDoctor.ts",
  ruleCheck: "src/permission/ruleCheck.ts",
};

/** Leaves dynamic imports of a module in place, as imports of `built`, a bundle of its own. */
function loadLater(module: string, built: string): Plugin {
  return {
    name: `load-later:${built}`,
    setup(build) {
      const later = path.join(projectRoot, module);
      build.onResolve({ filter: /^\./ }, ({ kind, path: file, resolveDir }) =>
        kind === "dynamic-import" && path.resolve(resolveDir, file) === later
          ? { path: built, external: true }
          : undefined,
      );
    },
  };
}

/**
 * Empties the SDK's table of error classes by their codes: it names a class of every part of the vendor's API, and would
 * bring the parts along. Here errors are told apart by their fields (`modelFailure.ts`); without the table each is of the
 * class of its HTTP status.
 */
const leaveOutErrorClasses: Plugin = {
  name: "leave-out-error-classes",
  setup(build) {
    const filter = /[\\/]@anthropic-ai[\\/]sdk[\\/]core[\\/]error-classes\.mjs$/;
    build.onLoad({ filter }, () => ({ contents: "export const ERROR_CODE_CLASSES = new Map();" }));
  },
};

/** Packages in CommonJS call `require`, which an ES module does not have by itself. */
const requireForBundle = [
  'import { createRequire as createRequireForBundle } from "node:module";',
  "const require = createRequireForBundle(import.meta.url);",
];
