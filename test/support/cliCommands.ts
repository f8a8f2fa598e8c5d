import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type * as z from "zod";
import type { Store } from "../../src/store/store.ts";
import { useBuiltCli } from "./buildCli.ts";
import { doctorOutput, errorOutput } from "./cliContract.ts";
import { type CliHome, type CliOptions, type CliResult, cliHome, runCli } from "./runCli.ts";
import { scriptingTeam } from "./scriptingTeam.ts";

/** What tests of the scripting commands have: the built program, and for each test a home with the team `demo`. */
export interface CliCommands {
  /** muster.mjs */
  readonly file: string;
  readonly home: CliHome;
  readonly store: Store;
  muster(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Runs a command that must succeed and gives its checked JSON. */
  done<S extends z.ZodType>(schema: S, args: readonly string[], options?: CliOptions): Promise<z.infer<S>>;
  /** Runs a command that must be refused with this reason; gives its sentence. */
  refused(reason: string, code: number, args: readonly string[], options?: CliOptions): Promise<string>;
  inboxFile(agent: string): string;
  /** The name of the member whose display name is 研究员. */
  slug(): Promise<string>;
}

/** Sets up commands for the tests of a file; every test must leave files in which nothing is broken. */
export function useCliCommands(): CliCommands {
  const cli = useBuiltCli();
  let home: CliHome;
  let store: Store;
  const muster: CliCommands["muster"] = (args, options) => runCli(cli.file, home, args, options);
  beforeEach(async () => {
    home = cliHome();
    store = await scriptingTeam(home.root);
  });
  afterEach(async () => {
    const result = await muster(["doctor", "--json"]);
    store.dispose();
    home.remove();
    expect(doctorOutput.parse(result.json())).toMatchObject({ ok: true, faults: [] });
  });
  return {
    get file() {
      return cli.file;
    },
    get home() {
      return home;
    },
    get store() {
      return store;
    },
    muster,
    async done(schema, args, options) {
      const result = await muster([...args, "--json"], options);
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
      expect(result.stdout).toMatch(/^[^\n]+\n$/);
      return schema.parse(result.json());
    },
    async refused(reason, code, args, options) {
      const result = await muster([...args, "--json"], options);
      const { error } = errorOutput.parse(result.json());
      expect({ code: result.code, reason: error.reason }).toEqual({ code, reason });
      expect(result.stderr).toBe(`muster: ${error.message}\n`);
      return error.message;
    },
    inboxFile: (agent) => path.join(home.root, "teams/demo/inboxes", `${agent}.json`),
    slug: async () => (await store.teams.read("demo")).members[2]?.name ?? "",
  };
}
