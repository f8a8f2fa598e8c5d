import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createFileTools } from "../../src/agent/tools/fileTools.ts";
import { systemClock } from "../../src/base/clock.ts";
import { silentLogger } from "../../src/base/logger.ts";
import { SerialQueue } from "../../src/base/serial.ts";
import type { ChangeRecord } from "../../src/protocol/changes.ts";
import { textOf } from "../../src/protocol/transcript.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { toolRecord } from "../../src/team/changes/toolRecord.ts";
import { WorkRecord } from "../../src/team/changes/workRecord.ts";

const run = promisify(execFile);

/** A project folder with a team over it: members whose tools are the real ones, with the real record. */
export interface ChangesBench extends AsyncDisposable {
  cwd: string;
  store: Store;
  owner: { team: string; agent: string };
  /** `meanwhile` happens between the record of an edit and the edit. */
  member(name: string, options?: { process?: WorkRecord; meanwhile?: () => Promise<void> }): Member;
  /** The record of another process. */
  anotherProcess(): WorkRecord;
  records(): Promise<ChangeRecord[]>;
  write(name: string, content: string | Uint8Array): Promise<string>;
  git(...args: string[]): Promise<string>;
}

/** Calls a tool; a refusal is its sentence behind "error: ". */
export type Member = (tool: "Read" | "Write" | "Edit" | "Bash", input: Record<string, unknown>) => Promise<string>;

/** `repository`: the project is a git repository with one commit of what `files` hold. */
export async function changesBench(
  files: Record<string, string>,
  options: { repository: boolean },
): Promise<ChangesBench> {
  const place = await realpath(await mkdtemp(path.join(tmpdir(), "muster-changes-")));
  const [cwd, home] = [path.join(place, "project"), path.join(place, "home")];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8" };
  const store = createStore({ root: path.join(place, "state") });
  await store.teams.create({
    ...{ name: "crew", leadSessionId: "s1", leadModel: "haiku", leadAgentType: "team-lead" },
    ...{ cwd, now: Date.now() },
  });
  const owner = { team: "crew", agent: "team-lead" };
  const ports = { store, cwd, env, clock: systemClock, logger: silentLogger };
  const own = new WorkRecord(ports);
  const fileQueue = new SerialQueue();
  let calls = 0;
  const bench: ChangesBench = {
    cwd,
    store,
    owner,
    anotherProcess: () => new WorkRecord(ports),
    member(name, { process: work = own, meanwhile = async () => {} } = {}) {
      const record = toolRecord(work, () => ({ member: name, owner }), store.paths.plans);
      const tools = createFileTools({
        ...{ cwd, env, outputFolder: path.join(place, "outputs") },
        ...(work === own ? { fileQueue } : {}),
        isHidden: store.paths.isOutOfReach,
        ...record,
        onFileChange: async (change) => {
          await record.onFileChange(change);
          await meanwhile();
        },
      });
      return async (tool, input) => {
        const found = tools.find((one) => one.name === tool);
        if (!found) throw new Error(`There is no tool ${tool}.`);
        calls += 1;
        const call = {
          toolUseId: `tu_${calls}`,
          signal: new AbortController().signal,
          authorize: async () => ({ allow: true }) as const,
        };
        try {
          return textOf((await found.run(found.inputSchema.parse(input), call)).content);
        } catch (error) {
          return `error: ${error instanceof Error ? error.message : String(error)}`;
        }
      };
    },
    records: async () => (await store.changes.read(owner)).records,
    async write(name, content) {
      const file = path.join(cwd, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    git: async (...args) =>
      (await run("git", ["-c", "user.name=Ann", "-c", "user.email=ann@localhost", ...args], { cwd, env })).stdout,
    async [Symbol.asyncDispose]() {
      store.dispose();
      await rm(place, { recursive: true, force: true });
    },
  };
  for (const [name, text] of Object.entries(files)) await bench.write(name, text);
  if (options.repository) {
    await bench.git("init", "-q", "-b", "main");
    await bench.git("add", "-A");
    await bench.git("commit", "-q", "-m", "first");
  }
  return bench;
}
