// Entry of every npm script: `node scripts/run.mjs TASK [ARG…]`. Runs under whatever Node is there (20 or newer) and
// without packages; it makes sure of Node 24 from the project's own packages and hands over to the task under it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const windows = process.platform === "win32";
const modules = path.join(root, "node_modules");

const START_HELP = `npm start [-- --browser]

Installs what is missing, builds, and opens a VS Code of its own with the extension and a small sample project; Ctrl-C
ends it. Your own settings and files are not touched: its own are in ~/.cache/muster ($XDG_CACHE_HOME/muster). Where the
\`code\` on PATH can open no window, VS Code is served to a browser (Linux; some 750 MB are installed once).

  --browser  serves it to a browser in any case
  --help     prints this`;

const TEST_HELP = `npm test

Installs what is missing (as root, Chromium and tmux too, and once a VS Code for the browser of some 750 MB), then builds,
checks and tests everything: 25 to 40 minutes on two cores. Its last line is \`N passed, N failed\`; reports and pictures
are in artifacts/. One file alone: npm run test:unit -- FILE, and so for process, stress, golden, webview and workbench.

  --help     prints this`;

const CHECK_HELP = `npm run check

Types, formatting, lint, layers, and unused code and packages; changes nothing.

  --help     prints this`;

const BUILD_HELP = `npm run build [-- --dev | --watch]

Bundles the extension, the panel and the command line into dist/, and fails where one is larger than its budget.

  --dev      leaves names as they are, with source maps; sizes are not checked
  --watch    the same, and builds again on every change; Ctrl-C ends it
  --help     prints this`;

const PACKAGE_HELP = `npm run package

Builds, and packs the .vsix into this folder, for *Install from VSIX…*.

  --help     prints this`;

/**
 * Task → the script that does it, whether it may install what is missing, what --help prints before it does, and its
 * command where that takes nothing but --help and `options`.
 */
const TASKS = {
  start: { script: "scripts/start.ts", installs: true, help: START_HELP },
  test: { script: "scripts/test.ts", installs: true, help: TEST_HELP, bare: "npm test" },
  check: { script: "scripts/check.ts", help: CHECK_HELP, bare: "npm run check" },
  build: { script: "scripts/build.ts", help: BUILD_HELP, bare: "npm run build", options: ["--dev", "--watch"] },
  package: { script: "scripts/package.ts", help: PACKAGE_HELP, bare: "npm run package" },
  bench: { script: "scripts/bench.ts" },
  long: { script: "scripts/long.ts" },
  unused: { script: "node_modules/knip/bin/knip.js" },
  vitest: { script: "node_modules/vitest/vitest.mjs" },
};

/** Ends the script with one sentence for the person. */
function fail(sentence) {
  console.error(`muster: ${sentence}`);
  process.exit(1);
}

/** The Node of the project's packages, or undefined. */
function projectNode() {
  const node = path.join(modules, "node", "bin", windows ? "node.exe" : "node");
  if (!existsSync(node)) return undefined;
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout ?? "";
  return version.startsWith("v24.") ? node : undefined;
}

/** Whether every required package of the lock file is installed in the locked version. */
function packagesInstalled() {
  const installedFile = path.join(modules, ".package-lock.json");
  if (!existsSync(installedFile)) return false;
  const wanted = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedFile, "utf8")).packages;
  return Object.entries(wanted).every(
    ([where, { version, optional }]) =>
      where === "" || (installed[where] ? installed[where].version === version : Boolean(optional)),
  );
}

/** `npm ci`; with the npm that started this script where npm did. */
function installPackages() {
  console.log("Installing the project's packages (npm ci), which takes from half a minute to a few minutes …");
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const { status } = spawnSync(command, [...args, "ci", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    shell: windows && command === "npm",
  });
  if (status !== 0) fail("`npm ci` failed (its message is above): mend that and run the command again.");
}

function main() {
  const [name = "", ...args] = process.argv.slice(2);
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (!task) fail(`there is no task "${name}"; choose one of ${Object.keys(TASKS).join(", ")}.`);
  if (Number.parseInt(process.versions.node, 10) < 20)
    fail(`Node ${process.versions.node} is too old: install Node 20 or newer and run the command again.`);

  if (task.help && args.some((argument) => argument === "--help" || argument === "-h")) {
    console.log(task.help);
    return;
  }
  const unknown = task.bare && args.find((argument) => !task.options?.includes(argument));
  if (unknown !== undefined)
    fail(`\`${task.bare}\` has no option "${unknown}": run \`${task.bare} -- --help\` to see those there are.`);
  if (task.installs && !(packagesInstalled() && projectNode())) installPackages();
  const node = projectNode();
  if (!node) fail("Node 24 is missing: run `npm ci`, which installs it as a package, and try again.");
  runTask(node, path.join(root, task.script), args);
}

/** Runs the task in this terminal; it gets the signals too, and its end is ours. */
function runTask(node, script, args) {
  const bins = [path.join(modules, ".bin"), path.dirname(node), process.env.PATH ?? ""].join(path.delimiter);
  const child = spawn(node, [script, ...args], { cwd: root, stdio: "inherit", env: { ...process.env, PATH: bins } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // The terminal sends Ctrl-C to the child as well: this process only has to outlive it.
    process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
  }
  if (process.env.npm_lifecycle_event) endWithParent(child);
  child.on("error", (error) => fail(`${script} could not be started: ${error.message}.`));
  child.on("exit", (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
}

/** A signal to npm ends npm and the shell between it and this process, which is not told: the task ends with them. */
function endWithParent(child) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill("SIGTERM");
  }, 500);
}

main();
