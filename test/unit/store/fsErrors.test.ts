import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileFailure } from "../../../src/store/fsErrors.ts";
import { asPlainUser } from "../../support/plainUser.ts";
import { createTasks } from "../../support/taskFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const system = (code: string, path?: string) => Object.assign(new Error(`${code}: x`), { code, ...(path && { path }) });

describe("a failure of the file system", () => {
  it.each([
    ["EACCES", "/state/teams/a/config.json", "/state/teams/a/config.json may not be read"],
    ["EISDIR", "/state/teams/a/config.json", "/state/teams/a/config.json is a folder"],
    ["EIO", "/state/teams/a/config.json", "EIO: x (/state/teams/a/config.json)"],
    ["EACCES", undefined, "/state/teams/a may not be read"],
    ["EACCES", "/state/teams/a/config.json.12.0a1b2c3d.tmp", "/state/teams/a may not be read"],
    ["EACCES", "/state/teams/a/config.json.lock", "/state/teams/a may not be read"],
  ])("%s at %s names what a person can see to", (code, path, named) => {
    expect(fileFailure(system(code, path), "Not done", "/state/teams/a").message).toContain(`Not done: ${named}`);
  });
});

it.each(["config.json", "inboxes/bob.json", "../../tasks/demo/1.json"])(
  "%s that is a folder is named itself by whoever reads the team, never the folder that it lies in",
  async (name) => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "bob");
    await createTasks(store, "one");
    const file = join(store.paths.team("demo").dir, name);
    await rm(file, { force: true });
    await mkdir(file);
    const message = expect.stringContaining(`: ${file} is a folder where a file should be; move it away.`);
    await expect(store.snapshots.read("demo")).rejects.toMatchObject({ reason: "root_unreadable", message });
    expect((await store.doctor.check("demo")).faults).toMatchObject([{ file, message }]);
    if (name.includes("tasks")) await expect(store.tasks.list("demo")).rejects.toMatchObject({ message });
  },
);

it.skipIf(process.platform === "win32")("and so is one that may not be read", () =>
  asPlainUser(async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "bob");
    await createTasks(store, "one");
    const { config, task } = store.paths.team("demo");
    const message = (file: string) => expect.stringContaining(`: ${file} may not be read or changed by this user`);
    await chmod(task("1"), 0);
    await expect(store.tasks.list("demo")).rejects.toMatchObject({ message: message(task("1")) });
    await expect(store.tasks.claim("demo", "1", { by: "bob", hasTool: () => true })).rejects.toMatchObject({
      message: message(task("1")),
    });
    expect((await store.doctor.check("demo")).faults).toMatchObject([{ message: message(task("1")) }]);
    await chmod(task("1"), 0o600);
    await chmod(config, 0);
    await expect(store.snapshots.read("demo")).rejects.toMatchObject({ message: message(config) });
    expect((await store.doctor.check("demo")).faults).toMatchObject([{ message: message(config) }]);
  }),
);
