import path from "node:path";
import { expect, test } from "vitest";
import { memberEnvironment } from "../../../src/team/memberEnvironment.ts";

test("the members' environment holds what is known to be harmless, and nothing else", () => {
  const kept = {
    PATH: "/bin",
    HOME: "/h",
    LANG: "C",
    NODE_ENV: "test",
    LC_ALL: "C",
    npm_config_cache: "/c",
    https_proxy: "http://proxy.test:3128",
    CLAUDE_CONFIG_DIR: "/r",
    CARGO_HOME: "/cargo",
  };
  const dropped = {
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: "u",
    anthropic_auth_token: "t",
    CLAUDE_CODE_OAUTH_TOKEN: "t",
    GITHUB_TOKEN: "t",
    AWS_SECRET_ACCESS_KEY: "s",
    OPENAI_API_KEY: "k",
    DB_PASSWORD: "p",
    VSCODE_IPC_HOOK_CLI: "/tmp/x.sock",
    ELECTRON_RUN_AS_NODE: "1",
    npm_config_token: "t",
    // no list of names of secrets is ever whole
    STRIPE_SK: "k",
    MONGO_URI: "mongodb://u:p@db",
    PGPASSFILE: "/h/.pgpass",
    KUBECONFIG: "/h/.kube/config",
    SSH_AUTH_SOCK: "/tmp/agent",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
    NODE_OPTIONS: "--require ./planted.js",
    GIT_CONFIG_COUNT: "1",
    RIPGREP_CONFIG_PATH: "rg.conf",
    LC_PRIVATE_KEY1: "k",
    HTTP_PROXY: "http://user:secret@proxy.test:3128",
    http_proxy: "user:secret@proxy.test:3128",
    ALL_PROXY: "socks5://user:sec/ret@proxy.test",
    GOPROXY: "https://token@goproxy.test,direct",
  };
  expect(memberEnvironment({ ...kept, ...dropped, UNSET: undefined })).toEqual(kept);
  const planted = { PATH: [".", "", "bin", "/usr/bin", "./node_modules/.bin", "/bin"].join(path.delimiter) };
  expect(memberEnvironment(planted)).toEqual({ PATH: ["/usr/bin", "/bin"].join(path.delimiter) });
});
