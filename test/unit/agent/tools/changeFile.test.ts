import { chmod, lstat, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { applyEdit } from "../../../../src/agent/tools/applyEdit.ts";
import type { FileChange } from "../../../../src/agent/tools/toolEnvironment.ts";
import { SerialQueue } from "../../../../src/base/serial.ts";
import { toolBench } from "../../../support/toolBench.ts";

describe("Write", () => {
  it("makes a file with its folders, and replaces one that was read", async () => {
    await using bench = await toolBench();
    expect(await bench.text("Write", { file_path: "a/b/c.txt", content: "one\ntwo\n" })).toBe(
      "Created a/b/c.txt (2 lines).",
    );
    expect(await bench.read("a/b/c.txt")).toBe("one\ntwo\n");
    expect(await bench.text("Write", { file_path: "a/b/c.txt", content: "three" })).toBe(
      "Replaced a/b/c.txt (1 lines).",
    );
    expect(await bench.read("a/b/c.txt")).toBe("three");
    expect(await readdir(path.join(bench.cwd, "a/b"))).toEqual(["c.txt"]);
  });

  it("does not replace a file that this member has not read", async () => {
    await using bench = await toolBench();
    await bench.write("a.txt", "mine");
    const write = () => bench.text("Write", { file_path: "a.txt", content: "yours" });
    expect(await write()).toBe("error: a.txt exists and you have not read it. Read it first, then Write it.");
    expect(await bench.read("a.txt")).toBe("mine");
    await bench.text("Read", { file_path: "a.txt" });
    expect(await write()).toBe("Replaced a.txt (1 lines).");
  });

  it("keeps the line ends, the byte order mark and the mode of the file", async () => {
    await using bench = await toolBench();
    const file = await bench.write("run.sh", "\uFEFFa\r\nb\r\n");
    await chmod(file, 0o751);
    await bench.text("Read", { file_path: "run.sh" });
    await bench.text("Write", { file_path: "run.sh", content: "c\nd\n" });
    expect(await bench.read("run.sh")).toBe("\uFEFFc\r\nd\r\n");
    expect((await stat(file)).mode & 0o777).toBe(0o751);
  });

  it("goes through a link to its target, also one that does not exist yet", async () => {
    await using bench = await toolBench();
    await bench.write("target.txt", "old");
    await symlink("target.txt", `${bench.cwd}/link`);
    await symlink("later.txt", `${bench.cwd}/dangling`);
    await bench.text("Read", { file_path: "link" });
    expect(await bench.text("Write", { file_path: "link", content: "new" })).toBe("Replaced link (1 lines).");
    await bench.text("Write", { file_path: "dangling", content: "made" });
    expect([await bench.read("target.txt"), await bench.read("later.txt")]).toEqual(["new", "made"]);
    expect((await lstat(`${bench.cwd}/link`)).isSymbolicLink()).toBe(true);
  });

  it("refuses what it would spoil: other encodings, folders, the team's files", async () => {
    await using bench = await toolBench({ isHidden: (file) => file.includes("/state/") });
    await bench.write("latin", Buffer.from("caf\xe9\n", "latin1"));
    await bench.text("Read", { file_path: "latin" });
    await symlink("state/new.json", `${bench.cwd}/innocent.json`);
    const write = (file_path: string) => bench.text("Write", { file_path, content: "x" });
    expect(await write("latin")).toMatch(/^error: latin is not UTF-8 text/);
    expect(await write(".")).toMatch(/^error: .* is not a file, so Write cannot change it/);
    expect(await write("latin/x")).toMatch(/^error: A part of latin\/x is a file/);
    expect(await write("state/new.json")).toMatch(/^error: .* belongs to the team's own files/);
    expect(await write("innocent.json")).toMatch(/^error: .* belongs to the team's own files/);
  });
});

describe("Edit", () => {
  it("changes one place, says where, and can be used again on the same file", async () => {
    await using bench = await toolBench();
    await bench.write("a.ts", "let a = 1;\nlet b = 1;\n");
    await bench.text("Read", { file_path: "a.ts" });
    const edit = (old_string: string, new_string: string, more = {}) =>
      bench.text("Edit", { file_path: "a.ts", old_string, new_string, ...more });
    expect(await edit("b = 1", "b = $& $1")).toBe("Changed a.ts at line 2.");
    expect(await bench.read("a.ts")).toBe("let a = 1;\nlet b = $& $1;\n");
    expect(await edit("let", "const")).toMatch(/^error: a\.ts: old_string was found in 2 places \(lines 1, 2\)/);
    expect(await edit("let", "const", { replace_all: true })).toBe("Changed a.ts at 2 places (lines 1, 2).");
    expect(await edit("nothing", "x")).toMatch(/^error: a\.ts: old_string was not found/);
    expect(await edit("const", "const")).toMatch(/are the same/);
    expect(await edit("", "x")).toMatch(/old_string is empty/);
    expect(await bench.text("Edit", { file_path: "b.ts", old_string: "a", new_string: "b" })).toMatch(
      /b\.ts does not exist\. Make it with Write/,
    );
  });

  it("keeps every line end that it does not touch, and gives new lines those of their place", () => {
    const mixed = "one\r\ntwo\nthree\r\nfour\r\n";
    const edit = (old_string: string, new_string: string) => applyEdit(mixed, { old_string, new_string });
    expect(edit("one\ntwo", "1\n2")).toMatchObject({ text: "1\r\n2\nthree\r\nfour\r\n" });
    expect(edit("two", "2\n2½")).toMatchObject({ text: "one\r\n2\r\n2½\nthree\r\nfour\r\n" });
    expect(edit("three\r\nfour", "3\r\n4")).toMatchObject({ text: "one\r\ntwo\n3\r\n4\r\n" });
    expect(edit("two\nthree", "2\n3")).toMatchObject({ text: "one\r\n2\n3\r\nfour\r\n" });
    expect(edit("o", "0")).toMatchObject({ ok: false, reason: expect.stringContaining("3 places (lines 1, 2, 4)") });
  });

  it("takes what looks like a pattern literally", () => {
    const text = "a.b(c)[d]{e}^f$|g\\h/i-j*k+l?";
    expect(applyEdit(`x${text}y`, { old_string: text, new_string: "" })).toMatchObject({ ok: true, text: "xy" });
    expect(applyEdit("aXb", { old_string: "a.b", new_string: "" })).toMatchObject({ ok: false });
  });

  it("does not overwrite what another member has changed since", async () => {
    await using ann = await toolBench();
    const bob = ann.another();
    await ann.write("shared.txt", "one\ntwo\n");
    await Promise.all([ann, bob].map((member) => member.text("Read", { file_path: "shared.txt" })));
    const edit = { file_path: "shared.txt", old_string: "two", new_string: "bob" };
    expect(await bob.text("Edit", edit)).toBe("Changed shared.txt at line 2.");
    const late = { ...edit, old_string: "one", new_string: "ann" };
    expect(await ann.text("Edit", late)).toBe(
      "error: shared.txt has been changed since you read it. Read it again, then make your change anew.",
    );
    await ann.text("Read", { file_path: "shared.txt" });
    expect(await ann.text("Edit", late)).toBe("Changed shared.txt at line 1.");
    expect(await ann.read("shared.txt")).toBe("ann\nbob\n");
  });

  it("knows a changed content by its hash, not by its time", async () => {
    await using bench = await toolBench();
    const file = await bench.write("a.txt", "aa");
    const { atime, mtime } = await stat(file);
    await bench.text("Read", { file_path: "a.txt" });
    await utimes(file, atime, new Date(mtime.getTime() + 5000));
    expect(await bench.text("Edit", { file_path: "a.txt", old_string: "aa", new_string: "bb" })).toMatch(/^Changed/);
    await bench.text("Read", { file_path: "a.txt" });
    const seen = await stat(file);
    await writeFile(file, "cc");
    await utimes(file, seen.atime, seen.mtime);
    expect(await bench.text("Edit", { file_path: "a.txt", old_string: "cc", new_string: "x" })).toMatch(
      /has been changed since/,
    );
  });

  it("tells of a change before it makes it, and makes none when somebody wrote meanwhile", async () => {
    const changes: FileChange[] = [];
    let meanwhile = async () => {};
    await using bench = await toolBench({
      onFileChange: async (change) => {
        changes.push(change);
        await meanwhile();
      },
    });
    const file = await bench.write("a.txt", "\uFEFFold\r\n");
    await bench.text("Read", { file_path: "a.txt" });
    meanwhile = () => writeFile(file, "somebody else's");
    const edit = { file_path: "a.txt", old_string: "old", new_string: "new" };
    expect(await bench.text("Edit", edit)).toMatch(/^error: a\.txt was changed by somebody else at the same moment/);
    expect(await bench.read("a.txt")).toBe("somebody else's");
    expect(changes).toEqual([
      { path: file, before: "\uFEFFold\r\n", after: "\uFEFFnew\r\n", toolUseId: "tu_1", tool: "Edit" },
    ]);
    meanwhile = () => Promise.reject(new Error("The history cannot be written."));
    expect(await bench.text("Write", { file_path: "new.txt", content: "x" })).toBe(
      "error: The history cannot be written.",
    );
    expect(changes[1]).toMatchObject({ before: undefined, after: "x", tool: "Write" });
    await expect(bench.read("new.txt")).rejects.toThrow("ENOENT");
  });

  it("twenty members who each add a line through one queue lose none", async () => {
    const fileQueue = new SerialQueue();
    await using bench = await toolBench({ fileQueue });
    await bench.write("list.txt", "end\n");
    const add = async (n: number) => {
      const member = bench.another();
      for (let done = false; !done; ) {
        await member.text("Read", { file_path: "list.txt" });
        const edit = { file_path: "list.txt", old_string: "end\n", new_string: `line ${n}\nend\n` };
        done = (await member.text("Edit", edit)).startsWith("Changed");
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => add(n)));
    const lines = (await bench.read("list.txt")).trim().split("\n");
    expect(lines.slice(0, -1).toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `line ${n}`).toSorted());
  });
});
