import * as vscode from "vscode";
import { MusterError } from "../../base/errors.ts";
import type { ActivityFilter } from "../../protocol/activity.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import { nodePathFs } from "../../store/pathFs.ts";
import { openScreen } from "../members/memberActions.ts";
import { shownName } from "../members/shownName.ts";
import { openFolders } from "../openFolders.ts";
import type { Services } from "../services.ts";
import { namedFile } from "./namedFile.ts";

/** What a person can do from within a conversation, the activity, and the lists of tasks and threads. */
export interface ConversationPorts {
  /** `member`: whose column on the board. */
  showEarlier(before: number, from?: number, member?: string): void;
  find(text: string): void;
  /** The messages of a thread in Inboxes are on show. */
  openThread(thread: string): void;
  /** What was said in a thread before this message. */
  showEarlierMessages(thread: string, before: string): void;
  /** Opens the whole of a message in a thread. Throws `not_ready` where it is not known any more. */
  openMessage(thread: string, message: string): Promise<void>;
  /** Opens how a call changes its file, whole. Throws `not_ready` where it is not known any more. */
  openChange(seq: number, member?: string): Promise<void>;
  /** The description of a task is on show. */
  openTask(task: string): void;
  /** Other rows of the activity; null: older ones. */
  showActivity(filter: ActivityFilter | null): void;
  /** Opens the whole output of a call. Throws `not_ready` where it is not known any more. */
  openOutput(seq: number, member?: string): Promise<void>;
  /** Opens what a member's tmux pane shows. Throws `not_allowed` where this window does not run the team. */
  showScreen(member: string): Promise<void>;
  /** Opens a file that a text names. Throws `not_allowed` for one outside the open folders and the team's. */
  openFile(path: string, line: number): Promise<void>;
}

/** The conversation on show in the panel. */
export function conversationPorts(services: Services): ConversationPorts {
  const { panel, teams, documents } = services;
  return {
    showEarlier: (before, from) => panel.feed.conversation.showEarlier(before, from),
    find: (text) => panel.feed.conversation.find(text),
    openThread: (thread) => panel.feed.changes.openThread(thread),
    showEarlierMessages(thread, before) {
      if (teams.current) panel.feed.changes.showEarlierMessages(teams.current, thread, before);
    },
    async openMessage(thread, message) {
      const whole = teams.current?.wholeMessage(thread, message);
      if (!whole) throw new MusterError("not_ready", "This message is not known any more.");
      await documents.openText(message, whole.isJson ? "message.json" : "message.md", whole.text);
    },
    async openChange(seq, column) {
      const member = column ?? panel.feed.view?.member ?? LEAD_NAME;
      const texts = teams.current?.fileChange(member, seq);
      if (!texts) throw new MusterError("not_ready", "This change is not known any more.");
      await documents.openChange(`${member}/${seq}`, texts, shownName(services, member));
    },
    openTask: (task) => panel.feed.changes.openTask(task),
    showActivity: (filter) => (filter ? panel.feed.activity.setFilter(filter) : panel.feed.activity.more()),
    async openOutput(seq, column) {
      const member = column ?? panel.feed.view?.member ?? LEAD_NAME;
      const output = await teams.current?.output(member, seq);
      if (output == null) throw new MusterError("not_ready", "This output is not known any more.");
      await documents.openText(`${member}/${seq}`, "output.txt", output);
    },
    showScreen: (member) => openScreen(services, member),
    async openFile(path, line) {
      const open = openFolders();
      const own = teams.current?.state().folder ?? null;
      const file = await namedFile(path, own === null ? open : [own, ...open], nodePathFs);
      const at = new vscode.Position(line - 1, 0);
      await vscode.window.showTextDocument(vscode.Uri.file(file), {
        preview: true,
        selection: new vscode.Range(at, at),
      });
    },
  };
}
