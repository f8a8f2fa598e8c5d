import { readFileSync } from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { bundles } from "../../../scripts/build/bundles.ts";
import { projectRoot } from "../../../scripts/project.ts";

type Outputs = esbuild.Metafile["outputs"];

describe("what every window loads with the extension", () => {
  it("is only what shows that it is there; all else is in services.cjs", async () => {
    const { extension, services } = bundles(false);
    const [begun, later] = await Promise.all(
      [extension, services].map(async (options) => {
        const { metafile } = await esbuild.build({ ...options, write: false, metafile: true });
        return metafile.outputs;
      }),
    );
    const inExtension = inputsOf(begun ?? {}, new Set(Object.keys(begun ?? {})));
    const inServices = inputsOf(later ?? {}, new Set(Object.keys(later ?? {})));
    expect(inExtension.filter((file) => /node_modules|src\/(protocol|store|agent|permission)\//.test(file))).toEqual(
      [],
    );
    expect(inExtension.length).toBeLessThan(30);
    expect(inServices).toEqual(expect.arrayContaining(["src/extension/services.ts", "src/extension/panel/intents.ts"]));
    const loads = (outputs: Outputs = {}) =>
      Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(loads(begun)).toContain("./services.cjs");
    expect(loads(begun).filter((path) => path.startsWith("./teams/"))).toEqual([]);
    expect(loads(later)).toContain("./teams/startTeam.mjs");
  }, 60_000);
});

it("what package.json asks of Node is what the command line is built for, and asks for when it starts", () => {
  const manifest = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  const lock = JSON.parse(readFileSync(path.join(projectRoot, "package-lock.json"), "utf8"));
  const { cli } = bundles(false);
  expect(manifest.engines.node).toBe(">=22");
  expect(lock.packages[""].engines).toEqual(manifest.engines);
  expect(cli.target).toBe("node22");
  expect(cli.banner?.["js"]).toContain("< 22");
});

describe("what a teammate's process loads", () => {
  let loaded: string[];
  let bundled: string[];
  beforeAll(async () => {
    const { metafile } = await esbuild.build({ ...bundles(false).cli, write: false, metafile: true });
    const { outputs, inputs } = metafile;
    const commandLine = ["src/cli/main.ts", "src/cli/program.ts"];
    const begun = [...commandLine, "src/cli/teammate/runTeammateProcess.ts", "src/agent/messagesClient.ts"];
    loaded = inputsOf(outputs, chunksOf(outputs, begun));
    bundled = Object.keys(inputs);
  }, 60_000);

  /** What of these is loaded, of parts that the whole command line has: one that was moved is not overlooked. */
  function loadedOf(parts: readonly string[]): string[] {
    for (const part of parts)
      expect(
        bundled.some((file) => file.includes(part)),
        part,
      ).toBe(true);
    return loaded.filter((file) => parts.some((part) => file.includes(part)));
  }

  it("is its own code, with what that is built on", () => {
    const parts = ["src/team/process/memberProcess.ts", "src/store/store.ts", "node_modules/zod/", "chokidar/"];
    expect(parts.filter((part) => !loaded.some((file) => file.includes(part)))).toEqual([]);
  });

  it("is not the lead, the demo, or what only some tools need", () => {
    const others = ["src/demo/", "src/cli/run/run", "src/team/lead/lead.ts", "src/team/session.ts"];
    const tools = ["src/agent/tools/webConnection", "src/agent/tools/htmlText"];
    const packages = ["html-to-text", "htmlparser2", "tinyglobby", "fdir", "picomatch"];
    const named = packages.map((name) => `node_modules/${name}/`);
    expect(loadedOf([...others, ...tools, ...named])).toEqual([]);
  });

  it("is not what judges a call, before there is one", () => {
    const engine = ["src/permission/decide.ts", "src/permission/rules.ts", "src/team/requests/judge.ts"];
    expect(loadedOf([...engine, "node_modules/unbash/"])).toEqual([]);
  });

  it("is of the API's client the Messages API alone", () => {
    const parts = loaded.filter((file) => file.includes("@anthropic-ai/sdk/resources/"));
    expect(parts.map((file) => file.replace(/^.*sdk\/resources\//, "")).sort()).toEqual([
      "messages/batches.mjs",
      "messages/messages.mjs",
    ]);
  });
});

/** The chunks that the modules `entries` are in, and all that these import at once. */
function chunksOf(outputs: Outputs, entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    const output = outputs[name];
    if (!output || found.has(name)) return;
    found.add(name);
    for (const { kind, path } of output.imports) if (kind === "import-statement") add(path);
  };
  for (const [name, { entryPoint = "" }] of Object.entries(outputs)) if (entries.includes(entryPoint)) add(name);
  return found;
}

/** The source files of which something is in these chunks. */
function inputsOf(outputs: Outputs, chunks: ReadonlySet<string>): string[] {
  return [...chunks].flatMap((name) =>
    Object.entries(outputs[name]?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : [],
    ),
  );
}
