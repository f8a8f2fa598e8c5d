import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type * as z from "zod";
import { inboxFileName } from "../../src/protocol/names.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { inboxOutput, statusOutput, tasksOutput, teamsOutput } from "../support/cliContract.ts";
import { expectHealthy } from "../support/healthy.ts";
import { type CliHome, cliHome, runCli } from "../support/runCli.ts";

/** Folders that real runs of the reference left: of each run the step with the most members. */
const CAPTURES = path.join(import.meta.dirname, "../fixtures/captures");
const captures = readdirSync(CAPTURES).map((capture) => ({
  capture,
  folder: fullestStep(path.join(CAPTURES, capture)),
}));

const cli = useBuiltCli();
let home: CliHome;
beforeEach(() => {
  home = cliHome();
});
afterEach(() => home.remove());

describe.each(captures)("a team of $capture", ({ folder }) => {
  test("is shown by teams, status, tasks and inbox as its files say, and is sound", async () => {
    cpSync(folder, home.root, { recursive: true });
    const [name = ""] = teamsOf(folder);
    const config = readJson(`teams/${name}/config.json`) as { members: { name: string }[]; leadSessionId: string };
    const { teams } = await shown(teamsOutput, ["teams"]);
    expect(teams).toContainEqual(expect.objectContaining({ name, members: config.members.length }));
    const { team, members, tasks: counts } = await shown(statusOutput, ["status", name]);
    expect(team).toMatchObject({ name, leadSessionId: config.leadSessionId });
    expect(members.map((member) => member.name)).toEqual(config.members.map((member) => member.name));
    const files = listed(`tasks/${name}`).filter((file) => /^\d+\.json$/.test(file));
    const raw = files.map((file) => readJson(`tasks/${name}/${file}`) as RawTask);
    const visible = raw.filter(({ metadata }) => metadata?._internal !== true);
    const { tasks } = await shown(tasksOutput, ["tasks", name]);
    expect(tasks.map(({ id, subject, status }) => ({ id, subject, status }))).toEqual(
      visible
        .map(({ id, subject, status }) => ({ id, subject, status }))
        .sort((one, other) => Number(one.id) - Number(other.id)),
    );
    expect(counts.pending + counts.in_progress + counts.completed).toBe(visible.length);
    const mailed = config.members.filter((member) => existsSync(path.join(home.root, inboxOf(name, member.name))));
    await Promise.all(
      mailed.map(async (member) => {
        const { entries } = await shown(inboxOutput, ["inbox", name, member.name]);
        const shownEntries = entries.map(({ kind: _kind, body: _body, ...entry }) => entry);
        expect(shownEntries).toEqual(readJson(inboxOf(name, member.name)));
        expect(entries.filter(({ kind }) => kind === "unknown")).toEqual([]);
      }),
    );
    await expectHealthy(home.root);
  });
});

interface RawTask {
  id: string;
  subject: string;
  status: string;
  metadata?: { _internal?: boolean };
}

function fullestStep(capture: string): string {
  const steps = readdirSync(path.join(capture, "steps")).map((step) => path.join(capture, "steps", step));
  const size = (step: string) =>
    teamsOf(step).reduce((sum, name) => sum + readFileSync(path.join(step, "teams", name, "config.json")).length, 0);
  return steps.sort((one, other) => size(other) - size(one))[0] ?? capture;
}

function teamsOf(root: string): string[] {
  const teams = path.join(root, "teams");
  return existsSync(teams)
    ? readdirSync(teams).filter((name) => existsSync(path.join(teams, name, "config.json")))
    : [];
}

const inboxOf = (team: string, member: string) => `teams/${team}/inboxes/${inboxFileName(member)}.json`;
const listed = (folder: string) =>
  existsSync(path.join(home.root, folder)) ? readdirSync(path.join(home.root, folder)) : [];
const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(home.root, file), "utf8"));

async function shown<S extends z.ZodType>(schema: S, args: readonly string[]): Promise<z.infer<S>> {
  const result = await runCli(cli.file, home, [...args, "--json"]);
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
  return schema.parse(result.json());
}
