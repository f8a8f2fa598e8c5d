import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../../../scripts/project.ts";
import { createSay } from "../../../../src/extension/displayLanguage.ts";
import { sayAttention, sayMessage } from "../../../../src/extension/panel/sayPanel.ts";
import { MODE_WORDS } from "../../../../src/protocol/mode.ts";
import type { AttentionItem, Thread } from "../../../../src/protocol/panel.ts";
import { messageText } from "../../../../src/team/views/messageText.ts";
import { MEMBERS } from "../../../../webview/l10n/members.ts";
import { REQUESTS } from "../../../../webview/l10n/requests.ts";

const bundle: Record<string, string> = JSON.parse(
  await readFile(join(projectRoot, "l10n/bundle.l10n.zh-cn.json"), "utf8"),
);
const say = createSay(bundle);
const lead = { name: "team-lead", displayName: "team-lead", color: null, role: "lead" as const };

it("a mode has the same words wherever the window shows it, in both languages", () => {
  const shown = Object.entries({ ...MEMBERS, ...REQUESTS }).filter(([key]) => key.startsWith("mode."));
  const inWebview = Object.fromEntries(shown.map(([key, words]) => [key.slice("mode.".length), words]));
  const inWindow = Object.entries(MODE_WORDS).map(([mode, words]) => [mode, [words, bundle[words]]]);
  expect(inWebview).toEqual(Object.fromEntries(inWindow));
});

it("a message that sets a mode, and what a request would set, say it in these words", () => {
  const text = messageText(JSON.stringify({ type: "mode_set_request", mode: "bypassPermissions", from: "team-lead" }));
  expect(text).toBe("set the mode to Allow everything");
  const message = { id: "1", from: "team-lead", to: "a", at: 1, summary: null, delivery: "read" as const };
  const thread: Thread = {
    ...{ id: "t", a: lead, b: lead, unread: 0, omitted: 0 },
    messages: [{ ...message, kind: "mode_set_request", text, json: "{}" }],
  };
  expect(JSON.stringify(sayMessage({ type: "threads", threads: [thread] }, say))).toContain("把模式设为 全部允许");
  const request: AttentionItem = {
    ...{ kind: "permission", id: "1", from: lead, createdAt: 1, task: null, title: "x", said: null, tool: "Bash" },
    preview: { type: "json", text: "{}" },
    ...{ reason: "", warnings: [], rules: ["Only delegates", "mode Accept edits"], changeable: ["Only delegates"] },
  };
  expect(sayAttention(request, say)).toMatchObject({ rules: ["Only delegates", "模式：直接接受编辑"] });
});
