import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";

describe("a file that is read", () => {
  let dir: string;
  let file: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), "muster-fs-"));
    file = path.join(dir, "file");
  });
  afterEach(() => rm(dir, { recursive: true }));

  it.each([0, 1, 4_095, 4_096, 4_097, 3_000_000])("comes whole with %d bytes", async (size) => {
    const bytes = Buffer.alloc(size, "abc");
    await writeFile(file, bytes);
    const read = await nodeStoreFs.read(file);
    expect(read.bytes.equals(bytes)).toBe(true);
    expect(read).toMatchObject({ steady: true, stat: { kind: "file", size } });
  });

  it.skipIf(process.platform !== "linux")(
    "comes whole where its file system tells no size, and counts as changing",
    async () => {
      const read = await nodeStoreFs.read("/proc/self/status");
      expect(read.bytes.toString()).toMatch(/^Name:\t.*\nnonvoluntary_ctxt_switches:\t\d+\n$/s);
      expect(read.steady).toBe(false);
    },
  );

  it("is what it is by then where it grows or shrinks all the time, or is not steady", async () => {
    const sizes = [10, 5_000, 20_000];
    let over = false;
    const writing = (async () => {
      for (let at = 0; !over; at += 1) {
        const size = sizes[at % sizes.length] ?? 0;
        if (at % 2 === 0) await writeFile(file, Buffer.alloc(size, "x"));
        else await truncate(file, size);
      }
    })();
    await writeFile(file, "");
    for (let round = 0; round < 300; round += 1) {
      const { bytes, stat, steady } = await nodeStoreFs.read(file);
      if (steady) expect(bytes).toHaveLength(stat.size);
      expect(bytes.length).toBeLessThanOrEqual(20_000);
    }
    over = true;
    await writing;
  });

  it("is no folder", async () => {
    await expect(nodeStoreFs.read(dir)).rejects.toMatchObject({ code: "EISDIR" });
  });
});
