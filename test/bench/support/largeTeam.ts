import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ZERO_USAGE } from "../../../src/protocol/transcript.ts";
import { createDemo, type TempStore } from "../../support/tempStore.ts";

const MEMBERS = Array.from({ length: 8 }, (_, index) => `member-${index + 1}`);
const TASKS = 1_000;
const MESSAGES = 10_000;
/** Replies in the lead's transcript. */
const REPLIES = 2_000;
const BEGAN = Date.UTC(2026, 10, 27, 20, 0, 0);

/** Puts the team `demo` on disk: 8 members, 1,000 tasks, 10,000 messages among the members, a long lead's transcript. */
export async function writeLargeTeam(temp: TempStore): Promise<void> {
  await createDemo(temp.store, ...MEMBERS);
  const tasks = path.join(temp.root, "tasks/demo");
  const inboxes = path.join(temp.root, "teams/demo/inboxes");
  await Promise.all([mkdir(tasks, { recursive: true }), mkdir(inboxes, { recursive: true })]);
  for (let id = 1; id <= TASKS; id += 1) await writeFile(path.join(tasks, `${id}.json`), json(task(id)));
  for (const [at, name] of MEMBERS.entries()) await writeFile(path.join(inboxes, `${name}.json`), json(inbox(at)));
  const transcripts = path.dirname(temp.store.paths.team("demo").transcript("team-lead"));
  await mkdir(transcripts, { recursive: true });
  const replies = Array.from({ length: REPLIES }, (_, index) => JSON.stringify(reply(index)));
  await writeFile(temp.store.paths.team("demo").transcript("team-lead"), `${replies.join("\n")}\n`);
}

/** Every fourth task waits for the one two before it; both files say so. */
function task(id: number) {
  const status = (["pending", "in_progress", "completed"] as const)[id % 3];
  const waits = (one: number) => one > 3 && one <= TASKS && one % 4 === 0;
  return {
    ...{
      id: String(id),
      subject: `Task ${id} of a large team`,
      description: "What is to be done. ".repeat(15),
      status,
    },
    ...{ blocks: waits(id + 2) ? [String(id + 2)] : [], blockedBy: waits(id) ? [String(id - 2)] : [] },
    ...(status === "pending" ? {} : { owner: MEMBERS[id % MEMBERS.length] }),
  };
}

/** Every member gets messages from all the others in turn. */
function inbox(at: number) {
  const others = MEMBERS.filter((_, index) => index !== at);
  return Array.from({ length: MESSAGES / MEMBERS.length }, (_, index) => ({
    ...{ from: others[index % others.length], text: "A message of usual length. ".repeat(8) },
    ...{ timestamp: new Date(BEGAN + index * 1_000 + at).toISOString(), msgV: 1, msg_id: `m-${at}-${index}` },
    ...{ type: "message", summary: `Message ${index}`, read: true },
  }));
}

function reply(index: number) {
  const text = `Reply **${index}**: what was done.\n\n- one\n- two\n\n\`\`\`ts\nconst answer = ${index};\n\`\`\`\n`;
  const at = new Date(BEGAN + index * 1_000).toISOString();
  const content = [{ type: "text", text }];
  return { kind: "reply", at, model: "claude-sonnet-5", content, stopReason: "end_turn", usage: ZERO_USAGE };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
