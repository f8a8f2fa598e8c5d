import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import nodePath, { dirname, join, resolve } from "node:path";
import { MusterError } from "../base/errors.ts";
import { pathIn } from "../base/pathIn.ts";
import { realForm } from "./realForm.ts";

/** A temporary folder in which a situation is set up. Paths are absolute; nothing is ever made outside of it. */
export interface ScratchFolder {
  /** Without links. */
  readonly dir: string;
  makeDir(path: string): Promise<void>;
  makeFile(path: string, text: string): Promise<void>;
  /** `target` may be anywhere: it is not touched. */
  makeSymlink(path: string, target: string): Promise<void>;
  makeHardlink(path: string, target: string): Promise<void>;
  remove(): Promise<void>;
}

/** Makes an empty scratch folder. */
export async function createScratchFolder(): Promise<ScratchFolder> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "muster-scratch-")));
  const parentOf = async (path: string) => {
    await requireInside(dir, dirname(path));
    await mkdir(dirname(path), { recursive: true });
  };
  return {
    dir,
    async makeDir(path) {
      await requireInside(dir, path);
      await mkdir(path, { recursive: true });
    },
    async makeFile(path, text) {
      await parentOf(path);
      await writeFile(path, text, { flag: "wx" });
    },
    async makeSymlink(path, target) {
      await parentOf(path);
      await symlink(target, path);
    },
    async makeHardlink(path, target) {
      await requireInside(dir, target);
      await parentOf(path);
      await link(target, path);
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Looks at what is there already without its links: a path through a link may lead out. */
async function requireInside(dir: string, path: string): Promise<void> {
  for (const place of [resolve(path), await realForm(resolve(path))]) {
    if (pathIn(dir, place, nodePath) !== null) continue;
    throw new MusterError("not_allowed", `${path} is outside of the temporary folder, so it was not made.`);
  }
}
