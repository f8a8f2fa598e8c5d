import { isMusterError } from "../../base/errors.ts";
import type { Entry } from "../../protocol/message.ts";
import { parseBody } from "../../protocol/messageBody.ts";
import { inboxFileName } from "../../protocol/names.ts";
import type { Store } from "../../store/store.ts";
import { resolveMember } from "../../store/teamFile.ts";
import { messageText } from "../../team/views/messageText.ts";
import { defineCommand, flag } from "../command.ts";
import { writeResult } from "../context.ts";
import { EXIT } from "../exitCodes.ts";
import { localTime } from "../render/localTime.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { usableWidth } from "../render/table.ts";
import { visibleLine } from "../render/visibleText.ts";
import { wrapProse } from "../render/wrapText.ts";

/** `muster inbox TEAM AGENT`. */
export const inboxCommand = defineCommand({
  name: "inbox",
  args: ["TEAM", "AGENT"],
  summary: "Show a member's messages and mark nothing",
  notes: "What is archived comes first. An inbox whose member is gone opens by the member's name too.",
  options: { unread: flag("only what has not been read") },
  async run({ args, options }, context) {
    const store = context.store();
    const team = await store.teams.resolve(args.TEAM);
    const agent = await agentOf(store, team, args.AGENT);
    const { entries: all } = await store.inboxes.readAll(team, agent);
    const entries = options.unread ? all.filter((entry) => entry.read !== true) : all;
    const { colors, columns } = context.io.stdout;
    writeResult(context, { agent, entries: entries.map((entry) => ({ ...entry, ...parseBody(entry.text) })) }, () =>
      entries.length === 0
        ? "No messages."
        : entries.map((entry) => entryText(entry, usableWidth(columns), makeStyle(colors))).join("\n\n"),
    );
    return EXIT.done;
  },
});

/** A member's name, or the name of an inbox that a member left behind. */
async function agentOf(store: Store, team: string, named: string): Promise<string> {
  const config = await store.teams.read(team);
  try {
    return resolveMember(team, config, named).name;
  } catch (error) {
    if (!isMusterError(error, "unknown_member")) throw error;
    const left = named.endsWith(`@${team}`) ? named.slice(0, -team.length - 1) : named;
    if ((await store.inboxes.list(team)).includes(inboxFileName(left))) return left;
    throw error;
  }
}

function timeOf({ timestamp }: Entry): string {
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? visibleLine(timestamp) : localTime(ms);
}

function entryText(entry: Entry, width: number, style: Style): string {
  const unread = entry.read === true ? "" : style.warn(" unread");
  const summary = entry.summary === undefined ? "" : `: ${visibleLine(entry.summary)}`;
  const head = `${style.member(visibleLine(entry.from), entry.color ?? null)}${summary} ${style.dim(timeOf(entry))}${unread}`;
  return `${head}\n${wrapProse(messageText(entry.text).trimEnd(), width, "  ")}`;
}
