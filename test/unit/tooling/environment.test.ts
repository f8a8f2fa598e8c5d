import { expect, it } from "vitest";
import { plainEnvironment } from "../../../scripts/host/environment.ts";

it("a started program gets the person's environment, without npm's, vitest's, tmux' and VS Code's", () => {
  const env = {
    HOME: "/home/ada",
    npm_config_registry: "https://registry.example",
    npm_lifecycle_event: "test",
    npm_package_name: "muster",
    NODE_ENV: "test",
    NODE_OPTIONS: "--inspect",
    VITEST_POOL_ID: "1",
    TMUX: "/tmp/tmux-0/default,1,0",
    VSCODE_IPC_HOOK_CLI: "/tmp/x.sock",
    PATH: "/src/muster/node_modules/.bin:/src/muster/node_modules/node/bin:/usr/lib/node-gyp-bin:/usr/bin:/home/ada/bin",
  };
  expect(plainEnvironment(env)).toEqual({
    HOME: "/home/ada",
    npm_config_registry: "https://registry.example",
    PATH: "/usr/bin:/home/ada/bin",
  });
});
