import { expect, it } from "vitest";
import { createMemberTranscripts } from "../../../../src/extension/members/memberTranscripts.ts";
import type { TranscriptRecord } from "../../../../src/protocol/transcript.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";

const call = (id: string, name: string, input: Record<string, unknown>) => ({
  type: "tool_use" as const,
  id,
  name,
  input,
});

it("a call that changes a file gives that change whole, by its place in the conversation; any other gives none", () => {
  const transcripts = createMemberTranscripts(peopleOf([]), null);
  const content = Array.from({ length: 900 }, (_, line) => `line ${line}`).join("\n");
  const record = {
    ...{ kind: "reply", at: 1, model: "m" },
    content: [
      { type: "text", text: "I begin." },
      call("1", "Write", { file_path: "/a.txt", content }),
      call("2", "Bash", { command: "ls" }),
    ],
  } as unknown as TranscriptRecord;
  transcripts.add("alice", [record]);
  const { items } = transcripts.conversation("alice");
  const at = (name: string) => items.findIndex((item) => item.type === "tool" && item.name === name);
  expect(transcripts.fileChange("alice", at("Write"))).toEqual({ path: "/a.txt", before: "", after: content });
  expect(transcripts.fileChange("alice", at("Bash"))).toBeNull();
  expect(transcripts.fileChange("alice", 0)).toBeNull();
  expect(transcripts.fileChange("nobody", at("Write"))).toBeNull();
  transcripts.dispose();
});
