import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createFileTools } from "../../src/agent/tools/fileTools.ts";
import type { ToolEnvironment } from "../../src/agent/tools/toolEnvironment.ts";
import type { Tool, ToolOutput } from "../../src/agent/types.ts";
import { textOf } from "../../src/protocol/transcript.ts";

/** The tools of one member over a folder of its own, called as the loop calls them. */
export interface ToolBench extends AsyncDisposable {
  /** Real path of the working folder. */
  cwd: string;
  /** Beside the working folder. */
  outside: string;
  tools: Tool[];
  call(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<ToolOutput>;
  /** The text of a result; a refusal is its sentence behind "error: ". */
  text(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<string>;
  write(name: string, content: string | Uint8Array): Promise<string>;
  read(name: string): Promise<string>;
  /** The tools of another member in the same folder. */
  another(changes?: Partial<ToolEnvironment>): ToolBench;
}

/** Tools in a new project folder; `changes` stand in place of its environment. */
export async function toolBench(changes: Partial<ToolEnvironment> = {}): Promise<ToolBench> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), "muster-tools-")));
  const [cwd, outside] = [path.join(root, "project"), path.join(root, "outside")];
  await Promise.all([mkdir(cwd), mkdir(outside)]);
  return bench(root, cwd, outside, changes);
}

function bench(root: string, cwd: string, outside: string, changes: Partial<ToolEnvironment>): ToolBench {
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: outside, LANG: "C.UTF-8" };
  const environment: ToolEnvironment = { cwd, env, outputFolder: path.join(root, "outputs"), ...changes };
  const tools = createFileTools(environment);
  const call: ToolBench["call"] = async (name, input, signal = new AbortController().signal) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.run(tool.inputSchema.parse(input), {
      toolUseId: "tu_1",
      signal,
      authorize: async () => ({ allow: true }),
    });
  };
  return {
    cwd,
    outside,
    tools,
    call,
    async text(name, input, signal) {
      try {
        const output = await call(name, input, signal);
        return `${output.isError ? "error: " : ""}${textOf(output.content)}`;
      } catch (error) {
        return `error: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    async write(name, content) {
      const file = path.resolve(cwd, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    read: (name) => readFile(path.resolve(cwd, name), "utf8"),
    another: (more = {}) => bench(root, cwd, outside, { ...changes, ...more }),
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true, force: true });
    },
  };
}
