import { utimes } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { seenFiles } from "../../../../src/agent/tools/seenFiles.ts";
import { type TranscriptRecord, ZERO_USAGE } from "../../../../src/protocol/transcript.ts";
import { toolBench } from "../../../support/toolBench.ts";

const at = (ms: number) => new Date(ms).toISOString();

/** The records of one call: its reply, its start 10 ms later, its result 20 ms after that. */
function callRecords(id: string, name: string, file: string, ms: number, isError = false): TranscriptRecord[] {
  return [
    {
      kind: "reply",
      at: at(ms),
      model: "m",
      content: [{ type: "tool_use", id, name, input: { file_path: file } }],
      stopReason: "tool_use",
      usage: ZERO_USAGE,
    },
    { kind: "tool_start", at: at(ms + 10), toolUseId: id, name },
    {
      kind: "tool_result",
      at: at(ms + 30),
      result: { type: "tool_result", tool_use_id: id, content: "", ...(isError ? { is_error: true } : {}) },
      ms: 20,
    },
  ];
}

describe("what a member had seen before a restart", () => {
  it("is what it read and wrote, each with the time up to which it knows the file", () => {
    const transcript = [
      ...callRecords("a", "Read", "a.txt", 1_000),
      ...callRecords("b", "Write", "b.txt", 2_000),
      ...callRecords("c", "Edit", "a.txt", 3_000),
      ...callRecords("d", "Read", "d.txt", 4_000, true),
      ...callRecords("e", "Grep", "e.txt", 5_000),
    ];
    expect(seenFiles(transcript)).toEqual([
      { file: "a.txt", until: 3_031 },
      { file: "b.txt", until: 2_031 },
    ]);
  });

  it("may be changed; what somebody changed since then must be read again", async () => {
    await using bench = await toolBench({
      seenBefore: [
        { file: "kept.txt", until: 5_000 },
        { file: "changed.txt", until: 5_000 },
      ],
    });
    for (const [name, mtime] of [
      ["kept.txt", 4],
      ["changed.txt", 6],
      ["unseen.txt", 4],
    ] as const)
      await utimes(await bench.write(name, "old"), mtime, mtime);
    const edit = (name: string) => bench.text("Edit", { file_path: name, old_string: "old", new_string: "new" });
    expect(await edit("kept.txt")).not.toMatch(/^error/);
    expect(await bench.read("kept.txt")).toBe("new");
    expect(await edit("changed.txt")).toContain("error: changed.txt has been changed since you read it.");
    expect(await edit("unseen.txt")).toContain("error: unseen.txt exists and you have not read it.");
  });
});
