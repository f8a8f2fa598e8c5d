import { symlink } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { toolBench } from "../../../support/toolBench.ts";

/** The header of a PNG of this size, with enough behind it to be one. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  deflateSync(Buffer.alloc(4)).copy(bytes, 40);
  return bytes;
}

describe("Read", () => {
  it("numbers the lines, whatever their ends, and takes relative and absolute paths", async () => {
    await using bench = await toolBench();
    const file = await bench.write("src/a.txt", "\uFEFFone\r\ntwo\n\nfour");
    expect(await bench.text("Read", { file_path: "src/a.txt" })).toBe(
      "     1\tone\n     2\ttwo\n     3\t\n     4\tfour",
    );
    expect(await bench.text("Read", { file_path: file, offset: 2, limit: 1 })).toBe(
      "     2\ttwo\n(Lines 2 to 2 of 4; read on with offset 3.)",
    );
  });

  it("stops after 2,000 lines and cuts long lines between characters, with notes", async () => {
    await using bench = await toolBench();
    await bench.write("long.txt", `${"x\n".repeat(3000)}`);
    const long = await bench.text("Read", { file_path: "long.txt" });
    expect(long.split("\n")).toHaveLength(2001);
    expect(long).toMatch(/\(Lines 1 to 2000 of 3000; read on with offset 2001\.\)$/);
    await bench.write("wide.txt", `${"y".repeat(1999)}😀${"z".repeat(50)}\n`);
    const wide = await bench.text("Read", { file_path: "wide.txt" });
    expect(wide).toBe(`     1\t${"y".repeat(1999)} … (52 more characters)\n(Long lines are cut.)`);
  });

  it("streams a file that is too large to be held, and says where to go on", async () => {
    await using bench = await toolBench();
    await bench.write("big.log", `${"0123456789abcdef\n".repeat(700_000)}last\n`);
    const part = await bench.text("Read", { file_path: "big.log", offset: 700_001 });
    expect(part).toBe("700001\tlast");
    expect(await bench.text("Read", { file_path: "big.log", limit: 1 })).toMatch(
      /^ {5}1\t0123456789abcdef\n\(Lines 1 to 1; read on/,
    );
    expect(await bench.text("Edit", { file_path: "big.log", old_string: "last", new_string: "x" })).toMatch(
      /^error: .*too large for Edit/,
    );
  });

  it("says what is empty, missing, a folder, binary or beyond the end", async () => {
    await using bench = await toolBench();
    await bench.write("empty", "");
    await bench.write("data.bin", Buffer.from([1, 2, 0, 4]));
    await bench.write("two", "a\nb\n");
    const read = (file_path: string, more = {}) => bench.text("Read", { file_path, ...more });
    expect(await read("empty")).toBe("(empty is empty.)");
    expect(await read("none")).toBe("error: none does not exist.");
    expect(await read("two/x")).toBe("error: A part of two/x is a file, not a folder.");
    expect(await read(".")).toMatch(/^error: .* is a folder\. List it with Glob/);
    expect(await read("data.bin")).toBe("error: data.bin is binary (4 bytes), so there is no text to read.");
    expect(await read("/dev/zero")).toMatch(/^error: .*not a regular file/);
    expect(await read("two", { offset: 9 })).toBe("error: two has 2 lines, so there is nothing at line 9.");
    expect(await read("a\0b")).toMatch(/^error: The path is empty or holds a NUL/);
  });

  it("reads other encodings, and says so", async () => {
    await using bench = await toolBench();
    await bench.write("latin", Buffer.from("caf\xe9\n", "latin1"));
    await bench.write("utf16", Buffer.from("\uFEFFhé\n", "utf16le"));
    expect(await bench.text("Read", { file_path: "latin" })).toBe(
      "     1\tcafé\n(The file is read as windows-1252, not as UTF-8.)",
    );
    expect(await bench.text("Read", { file_path: "utf16" })).toBe(
      "     1\thé\n(The file is read as utf-16le, not as UTF-8.)",
    );
  });

  it("shows images by what they are, not by their names, and none that the API would refuse", async () => {
    await using bench = await toolBench();
    const image = png(20, 10);
    await bench.write("picture.dat", image);
    expect((await bench.call("Read", { file_path: "picture.dat" })).content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: image.toString("base64") } },
    ]);
    await bench.write("wide.png", png(9000, 10));
    await bench.write("none.png", png(0, 10));
    await bench.write("heavy.png", Buffer.concat([png(20, 10), Buffer.alloc(5_000_000)]));
    expect(await bench.text("Read", { file_path: "wide.png" })).toMatch(/^error: The image is 9000×10 pixels/);
    expect(await bench.text("Read", { file_path: "none.png" })).toMatch(/^error: The image is damaged/);
    expect(await bench.text("Read", { file_path: "heavy.png" })).toMatch(/^error: The image has 5000064 bytes/);
  });

  it("never reads the team's files, by another name or through a link either", async () => {
    await using bench = await toolBench({ isHidden: (file) => file.includes("/state/") });
    await bench.write("state/inbox.json", "[]");
    await symlink("state/inbox.json", `${bench.cwd}/innocent.json`);
    for (const file_path of ["state/inbox.json", "innocent.json", "src/../state/inbox.json", "state/new.json"])
      expect(await bench.text("Read", { file_path })).toMatch(/^error: .* belongs to the team's own files/);
  });
});
