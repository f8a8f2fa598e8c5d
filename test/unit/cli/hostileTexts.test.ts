import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { Emitter } from "../../../src/base/emitter.ts";
import type { CliIo, OutputStream } from "../../../src/cli/cliIo.ts";
import { COMMANDS } from "../../../src/cli/commandTable.ts";
import { createProgress } from "../../../src/cli/render/progress.ts";
import { makeStyle } from "../../../src/cli/render/style.ts";
import { visibleLine } from "../../../src/cli/render/visibleText.ts";
import { requestText } from "../../../src/cli/run/requestText.ts";
import { runCommandLine } from "../../../src/cli/runCommandLine.ts";
import type { TeamEvent } from "../../../src/protocol/events.ts";
import type { ConversationItem } from "../../../src/protocol/panel.ts";
import type { PendingRequest } from "../../../src/protocol/request.ts";
import type { TranscriptRecord } from "../../../src/protocol/transcript.ts";
import { TerminalScreen } from "../../../src/team/views/terminalScreen.ts";
import { headText, itemText } from "../../../src/team/views/terminalText.ts";
import { HOSTILE } from "../../support/hostileStrings.ts";

/** What a terminal would act on: controls but new line, tab and CR LF, once our own colours are taken out. */
function actedOn(text: string): string[] {
  const own = text.replace(/\x1b\[\d{1,3}(?:;\d{1,3})*m/g, "").replaceAll("\r\n", "\n");
  return own.match(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g) ?? [];
}

/** Colours that none of our own styles has: a text that sets one was let through. */
const FOREIGN_COLOURS = /\x1b\[[\d;]*(?:38|48|4[0-7])[\d;]*m/;

function expectHarmless(printed: string, where: string): void {
  expect(actedOn(printed), where).toEqual([]);
  expect(printed, where).not.toMatch(FOREIGN_COLOURS);
}

const NUMBERED = HOSTILE.map((text, index) => [index, text] as const);
const at = "2026-11-27T10:00:00.000Z";

const mallory = (text: string) => ({ name: "mallory", displayName: text, color: text, role: "teammate" as const });

describe("each of a hundred hostile texts", () => {
  it.each(NUMBERED)("(%i) is only text in a member's terminal", (_, text) => {
    const member = mallory(text);
    const items: ConversationItem[] = [
      { type: "input", at: 1, origin: "mail", from: member, text, summary: text },
      { type: "text", at: 1, text },
      { type: "note", at: 1, tone: "error", text },
      ...(["ok", "failed", "running"] as const).map(
        (state): ConversationItem => ({ type: "tool", at: 1, name: text, argument: text, state, ms: 1, detail: text }),
      ),
    ];
    for (const columns of [20, 80]) {
      for (const item of items) expectHarmless(itemText(item, columns), item.type);
      expectHarmless(headText(member, text, columns), "head");
    }
  });

  it.each(NUMBERED)("(%i) does not come through a transcript, a streamed reply or what is typed", (_, text) => {
    const member = mallory(text);
    const people = (name: string) => ({ ...member, name, displayName: text });
    const screen = new TerminalScreen({ member, about: text, people, cwd: text }, 60);
    const records: TranscriptRecord[] = [
      { kind: "input", at, origin: "mail", content: [{ type: "text", text }] },
      {
        ...{ kind: "reply", at, model: text, stopReason: "tool_use" },
        usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
        content: [
          { type: "text", text },
          { type: "tool_use", id: "t1", name: text, input: { command: text, [text]: text } },
        ],
      },
      {
        kind: "tool_result",
        at,
        ms: 1,
        result: { type: "tool_result", tool_use_id: "t1", content: text, is_error: true },
      },
    ];
    // our own cursor movements: what stood below goes (once, at the beginning), clear, keep and take back the cursor's place
    const ours = (written: string) =>
      written.replace(/^(?:\x1b\[\dA)?\r\x1b\[J/, "").replace(/\x1b\[[23]J|\x1b\[H|\x1b[78]/g, "");
    for (const piece of [text.slice(0, 3), text.slice(3), text])
      expectHarmless(ours(screen.write(piece)), "a piece of a reply");
    for (const record of records) expectHarmless(ours(screen.add(record)), record.kind);
    expectHarmless(ours(screen.note("error", text)), "a note");
    expectHarmless(ours(screen.type({ text, cursor: Math.min(5, text.length) })), "what is typed");
    expectHarmless(ours(screen.resize(40)), "everything again");
  });

  it.each(NUMBERED)("(%i) is only text in the progress of a run and in a question", (_, text) => {
    const style = makeStyle(true);
    const progress = createProgress({
      ...{ style, width: () => 60, who: (name: string) => visibleLine(name), cwd: "/p", showRequests: true },
    });
    const task = {
      ...{ id: "1", subject: text, description: text, activeForm: text, status: "pending" as const, owner: text },
      ...{ blocks: [], blockedBy: [text], openBlockers: [text], metadata: { [text]: text } },
    };
    const input = { command: text, file_path: text, [text]: text };
    const events: TeamEvent[] = [
      { type: "run_started", session: text, cwd: text, model: text },
      { type: "team_created", team: text },
      { type: "team_deleted", team: text },
      {
        ...{ type: "member_joined", member: text, agentType: text, model: text, backend: "in-process" },
        ...{ color: text, planModeRequired: true },
      },
      { type: "member_left", member: text, reason: text },
      { type: "member_state", member: text, state: "failed", reason: text },
      { type: "task", task },
      { type: "message", from: text, to: text, kind: "message", summary: text, msg_id: text },
      { type: "text", member: text, text },
      { type: "tool_start", member: text, id: "t", name: text, input },
      { type: "tool_end", member: text, id: "t", ok: false, ms: 1 },
      { type: "request", id: text, kind: "permission", from: text, tool: text, input },
      { type: "request", id: text, kind: "plan", from: text, plan: text },
      { type: "decision", id: text, decision: "deny", by: "person", reason: text },
    ];
    for (const event of events) expectHarmless(progress(event) ?? "", event.type);
    const asked = { id: text, from: text, createdAt: 1, task: text, said: text };
    const requests: PendingRequest[] = [
      { kind: "plan", ...asked, planFilePath: text, planContent: text, version: 2, afterMode: "default" },
      ...["Bash", "Edit", "Write", "WebFetch", text].map(
        (tool): PendingRequest => ({
          ...{ kind: "permission", ...asked, tool, toolUseId: "t", cwd: text, description: text, reason: text },
          input: { ...input, content: text, old_string: "x", new_string: text, url: text },
          parts: [{ text, covered: false }],
          ...{ guarded: false, suggestions: [] },
        }),
      ),
    ];
    for (const request of requests) {
      const shown = requestText(request, visibleLine(text), 60, style);
      expectHarmless(shown, `the question about ${request.kind === "plan" ? "a plan" : request.tool}`);
    }
  });
});

it("a team whose files hold nothing but hostile texts is printed as text by every command that prints", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "muster-hostile-"));
  const texts = HOSTILE.filter((text) => text.isWellFormed());
  const dir = path.join(root, "teams/evil");
  await mkdir(path.join(dir, "inboxes"), { recursive: true });
  await mkdir(path.join(root, "tasks/evil"), { recursive: true });
  const members = texts.slice(0, 30).map((text, index) => ({
    ...{ agentId: `m${index}@evil`, name: index === 0 ? "mallory" : text, agentType: text, model: text, color: text },
    ...{ joinedAt: 1, tmuxPaneId: text, cwd: text, subscriptions: [], prompt: text, backendType: "tmux" },
  }));
  const config = {
    name: "evil",
    description: texts.join("\n"),
    createdAt: 1,
    leadAgentId: texts[0],
    leadSessionId: texts[1],
    members,
  };
  await writeFile(path.join(dir, "config.json"), JSON.stringify(config));
  const entries = texts.map((text) => ({ from: text, text, summary: text, timestamp: at, color: text, read: false }));
  await writeFile(path.join(dir, "inboxes/mallory.json"), JSON.stringify(entries));
  for (const [index, text] of texts.entries()) {
    const task = {
      id: `${index + 1}`,
      subject: text,
      description: text,
      activeForm: text,
      owner: text,
      status: "pending",
    };
    const file = path.join(root, `tasks/evil/${index + 1}.json`);
    await writeFile(file, JSON.stringify({ ...task, blocks: [], blockedBy: [], metadata: { [text]: text } }));
  }
  for (const argv of [
    ["teams"],
    ["status", "evil"],
    ["tasks", "evil"],
    ["inbox", "evil", "mallory"],
    ["inbox", "evil", "m0@evil", "--unread"],
    ["doctor", "evil"],
    ["send", "evil", "nobody\x1b]52;c;eA==\x07", "x"],
    ["task", "update", "evil", "1\x1b[2J"],
    ["status", "no\x9bteam"],
  ]) {
    const printed = await printedBy([...argv, "--root", root]);
    expect(printed, argv.join(" ")).not.toBe("");
    expectHarmless(printed, argv.join(" "));
  }
  await rm(root, { recursive: true, force: true });
});

/** Everything that a command writes to a terminal with colours. */
async function printedBy(argv: string[]): Promise<string> {
  const printed: string[] = [];
  const stream: OutputStream = {
    isTerminal: true,
    columns: 80,
    colors: true,
    write: (text) => void printed.push(text),
  };
  const io: CliIo = {
    ...{ stdin: Readable.from([]), stdinIsTerminal: false, stdout: stream, stderr: stream },
    ...{
      onOutputClosed: new Emitter<void>().event,
      outputFault: null,
      readInput: async () => "",
      flush: async () => {},
    },
  };
  await runCommandLine(argv, COMMANDS, { io, env: { HOME: "/nowhere" }, cwd: "/" });
  return printed.join("");
}
