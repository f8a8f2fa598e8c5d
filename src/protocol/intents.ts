import * as z from "zod";
import { ACTIVITY_KINDS } from "./activity.ts";
import { MOST_IMAGES } from "./messageImage.ts";
import { PANEL_TABS } from "./panel.ts";
import { decisionSchema, MAX_RULE, MOST_RULES } from "./request.ts";

const intentId = { intent: z.string().max(64) };
const name = z.string().min(1).max(200);
const taskId = z.string().regex(/^[1-9][0-9]{0,14}$/);
const subject = z.string().trim().min(1).max(500);
const description = z.string().max(100_000);
/** The place of an item in a conversation. */
const place = z.int().min(0).max(100_000_000);
const threadId = z.string().min(1).max(1_000);
const messageId = z.string().min(1).max(1_000);
/** On the Team Board: whose column. */
const column = z.optional(name);

/** Conversations that stand side by side on the Team Board, at most. */
const BOARD_COLUMNS = 4;

/** Commands that a button of the webview may run; the host maps them to its own. */
export const PANEL_COMMANDS = [
  "newTeam",
  "openTeam",
  "runDemo",
  "continueTeam",
  "resumeTeam",
  "showChanges",
  "undoChanges",
  "setApiKey",
  "setBaseUrl",
  "manageTrust",
  "openFolder",
  "showLog",
  "sendSelection",
] as const;

/** What the webview asks of the host: ids and choices only, looked up and checked again there. */
export const intentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), tab: z.enum(PANEL_TABS), member: z.nullable(name) }),
  z.object({ type: z.literal("showTab"), tab: z.enum(PANEL_TABS) }),
  z.object({ type: z.literal("selectMember"), member: name }),
  /** More of the conversation on show: what is before the place `before`, as far back as `from` where that is given. */
  z.object({ type: z.literal("showEarlier"), before: place, from: z.optional(place), member: column }),
  /** The messages of a thread, from now on: until then its newest one is there. */
  z.object({ type: z.literal("openThread"), thread: threadId }),
  /** Messages of a thread from before this one, the oldest that the view has. */
  z.object({ type: z.literal("showEarlierMessages"), thread: threadId, before: messageId }),
  /** The whole of a message of which the view has a part. */
  z.object({ type: z.literal("openMessage"), thread: threadId, message: messageId }),
  /** How a call of the conversation on show changes its file, whole. */
  z.object({ type: z.literal("openChange"), seq: place, member: column }),
  /** The description of a task, from now on. */
  z.object({ type: z.literal("openTask"), task: taskId }),
  /** Where in the conversation on show; empty: nothing is looked for any more. */
  z.object({ type: z.literal("find"), text: z.string().max(200) }),
  /** Which rows of the activity are shown, from the newest on. */
  z.object({
    type: z.literal("filterActivity"),
    member: z.nullable(name),
    kind: z.nullable(z.enum(ACTIVITY_KINDS)),
  }),
  z.object({ type: z.literal("moreActivity") }),
  /** The whole output of a call in the conversation on show. */
  z.object({ type: z.literal("openOutput"), seq: place, member: column }),
  /** A file that a text of the conversation on show names. */
  z.object({ type: z.literal("openFile"), path: z.string().min(1).max(1_000), line: z.int().min(1).max(10_000_000) }),
  /** `updatedInput` of a decision holds only what the person changed; the host lays it over the request's input. */
  z.object({ type: z.literal("decide"), ...intentId, request: z.string().max(300), decision: decisionSchema }),
  /** `images`: each in base64. */
  z.object({
    type: z.literal("send"),
    ...intentId,
    to: name,
    text: z.string().max(1_000_000),
    images: z.optional(z.array(z.string().min(1).max(7_000_000)).max(MOST_IMAGES)),
  }),
  /** What was typed behind `@`: the host looks for files. */
  z.object({ type: z.literal("findFiles"), typed: z.string().max(200) }),
  z.object({ type: z.literal("startTeam"), ...intentId, goal: z.string().min(1).max(1_000_000) }),
  z.object({ type: z.literal("createTask"), ...intentId, subject, description }),
  /** Only what the person changed is given. */
  z.object({
    type: z.literal("editTask"),
    ...intentId,
    task: taskId,
    subject: z.optional(subject),
    description: z.optional(description),
  }),
  /** `owner` null: nobody. */
  z.object({ type: z.literal("assignTask"), ...intentId, task: taskId, owner: z.nullable(name) }),
  z.object({ type: z.literal("deleteTask"), ...intentId, task: taskId }),
  z.object({ type: z.literal("restoreTask"), ...intentId, task: taskId }),
  z.object({ type: z.literal("listDeletedTasks") }),
  z.object({ type: z.literal("openTerminal"), member: name }),
  /** What the member's tmux pane shows, as a text. */
  z.object({ type: z.literal("showScreen"), member: name }),
  z.object({ type: z.literal("interrupt"), member: name }),
  /** `to` in USD; null: the person is asked. */
  z.object({
    type: z.literal("raiseBudget"),
    member: z.nullable(name),
    to: z.nullable(z.number().positive().max(10_000_000)),
  }),
  z.object({ type: z.literal("stopMember"), member: name }),
  z.object({ type: z.literal("changeMode"), member: name }),
  /** What a request is about, whole, beside the view. It counts as seen once that is answered. */
  z.object({ type: z.literal("openPlan"), ...intentId, request: z.string().max(300) }),
  z.object({ type: z.literal("openDiff"), ...intentId, request: z.string().max(300) }),
  /** On the Team Board, whole and with what there is to know about it. */
  z.object({ type: z.literal("showPlan"), ...intentId, request: z.string().max(300) }),
  /** What the person has typed to a plan that waits and not sent: to a line, or (`line` null) to all of it. Empty: nothing. */
  z.object({
    type: z.literal("draftToPlan"),
    request: z.string().max(300),
    line: z.nullable(z.int().min(1).max(10_000_000)),
    text: z.string().max(100_000),
  }),
  /** A plan beside the one that the member sent before it. */
  z.object({ type: z.literal("comparePlan"), request: z.string().max(300) }),
  /** Whose conversations stand side by side on the Team Board, from the left. */
  z.object({ type: z.literal("showColumns"), members: z.array(name).max(BOARD_COLUMNS) }),
  /** From the Team Board: shows something in the view *Team*. */
  z.object({
    type: z.literal("showInTeam"),
    what: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("request"), id: z.string().max(300) }),
      z.object({ kind: z.literal("composer"), member: name }),
    ]),
  }),
  /** Rules that the person writes instead of the suggested ones, one in a line; answered by `ruleCheck`. */
  z.object({
    type: z.literal("checkRule"),
    request: z.string().max(300),
    text: z.string().max(MOST_RULES * (MAX_RULE + 1)),
  }),
  z.object({ type: z.literal("command"), command: z.enum(PANEL_COMMANDS) }),
]);
export type Intent = z.infer<typeof intentSchema>;
