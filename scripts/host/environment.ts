import path from "node:path";

/** Set by a VS Code, tmux, npm or vitest around this process; a program that a person starts does not have them. */
const SURROUNDINGS =
  /^(VSCODE_.*|TMUX|TMUX_PANE|PORT|NODE_OPTIONS|NODE_ENV|NODE_PATH|ELECTRON_RUN_AS_NODE|VITEST.*|npm_(package|lifecycle)_.*|npm_(command|node_execpath|config_local_prefix|config_user_agent)|INIT_CWD)$/;

/** The environment without what this process's own surroundings put into it, the project's programs on PATH included. */
export function plainEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !SURROUNDINGS.test(name));
  const folders = (env["PATH"] ?? "").split(path.delimiter);
  const ofThePerson = folders.filter(
    (folder) => !/[\\/](node_modules[\\/](\.bin|node[\\/]bin)|node-gyp-bin)[\\/]?$/.test(folder),
  );
  return { ...Object.fromEntries(kept), PATH: ofThePerson.join(path.delimiter) };
}
