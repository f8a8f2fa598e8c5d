import { type Signal, signal } from "@preact/signals";
import type { ActivityFilter, ActivityKind } from "../../src/protocol/activity.ts";
import type { PanelTab } from "../../src/protocol/panel.ts";
import { type BoardView, boardViewOf, NEW_BOARD } from "./boardView.ts";
import { type DraftImage, keptImages } from "./draftImages.ts";
import { createExpansion, type Expansion } from "./expansion.ts";
import { keptAlone, type ShownAlone } from "./shownAlone.ts";

/** What the person has chosen and typed. It survives hiding and reloading. */
export interface ViewState {
  readonly team: Signal<string | null>;
  readonly tab: Signal<PanelTab>;
  /** The member whose conversation is shown and whom the composer writes to; null: the lead. */
  readonly member: Signal<string | null>;
  readonly goal: Signal<string>;
  readonly filter: Signal<string>;
  /** Whose tasks are shown: null everybody's, empty those that nobody owns. */
  readonly owner: Signal<string | null>;
  /** The task that was last shown in the place of the person's filter. */
  readonly alone: Signal<ShownAlone | null>;
  /** Which rows of the activity are shown. */
  readonly activity: Signal<ActivityFilter>;
  /** What was typed or chosen and not sent, by what it is for (`to:backend`, `reason:…`, `mode:…`). */
  readonly drafts: Signal<Readonly<Record<string, string>>>;
  /** Images that go with drafts, by the draft. */
  readonly images: Signal<Readonly<Record<string, readonly DraftImage[]>>>;
  /** Images that are being read, for which draft; they are not kept. */
  readonly reading: Signal<readonly ReadingImages[]>;
  /** Drafts and images of teams that were on show before, by team: the one that was left last comes last. */
  readonly left: Signal<Readonly<Record<string, LeftDrafts>>>;
  /** Messages that were sent and are not answered yet, by the id of their intent. */
  readonly unanswered: Signal<Readonly<Record<string, SentMessage>>>;
  /** Messages that were sent, oldest first. */
  readonly sent: Signal<readonly string[]>;
  readonly openRequest: Signal<string | null>;
  readonly closedRequests: Signal<readonly string[]>;
  /** The field that stands in the place of a request's buttons. */
  readonly field: Signal<OpenField | null>;
  readonly scroll: Signal<ScrollPlace>;
  /** The first item that is seen of the conversation; null where it follows its end, or begins where it can be seen. */
  readonly readItem: Signal<KeptItem | null>;
  /** Rows that are drawn of long lists, by list: of those for which the person asked for more. */
  readonly limits: Signal<Readonly<Record<string, number>>>;
  /** The first row that is seen in Inboxes; null while the list begins where it can be seen. */
  readonly inboxRow: Signal<KeptRow | null>;
  /** The task that is to be gone to once it is in the list; it is not kept. */
  readonly wantedTask: Signal<WantedTask | null>;
  /** The message of a thread that is to be brought to be seen; it is not kept. */
  readonly wantedMessage: Signal<WantedMessage | null>;
  /** Counts how often the person went to the end of a conversation; it is not kept. */
  readonly wentToEnd: Signal<number>;
  readonly board: Signal<BoardView>;
  readonly expansion: Expansion;
}

/** A message on its way. `team`: on show when it was sent; `key`: of its draft. */
export interface SentMessage {
  team: string | null;
  key: string;
  text: string;
  images: readonly DraftImage[];
}

/** A field of a request. `asked`: the person has opened it since the view was loaded, and it may take the focus. */
export interface OpenField {
  id: string;
  field: "reason" | "feedback" | "command" | "rule";
  asked?: true;
}

/** The draft that images go to once they are read: that of a member who left may be passed on meanwhile. */
export interface ReadingImages {
  readonly team: string | null;
  key: string;
  /** Whether all of them, and those of the draft that came before and were still being read, have come into it. */
  whole: Promise<boolean>;
}

/** A task by its number; one that is wanted again is another object. */
export interface WantedTask {
  readonly id: string;
}

/** A message of a thread, and the item of a conversation that says the same: for where the thread does not go back so far. */
export interface WantedMessage {
  thread: string;
  id: string;
  item: { member: string; seq: number };
}

/**
 * Where the one scroller stands, `top` in pixels. `end`: the person went to the end, and it follows what arrives there.
 * `auto`: the person has not scrolled yet; it shows what needs them, else it follows. `free`: it stays.
 */
export interface ScrollPlace {
  top: number;
  follow: Follow;
}
export type Follow = "auto" | "end" | "free";

/** A row by its name, and where it stands: pixels below the top of what can be seen, or negative above it. */
export interface KeptRow {
  id: string;
  offset: number;
}

/** An item of a member's conversation by its place there, and where it stands, as of a row. */
export interface KeptItem {
  member: string;
  seq: number;
  offset: number;
}

/** The tabs in their order. */
export const TABS = keysOf<PanelTab>({ conversation: true, tasks: true, inboxes: true, activity: true });

/** Takes up what was kept; what does not look right is left out. */
export function createViewState(kept: unknown): ViewState {
  const from = isRecord(kept) && kept["version"] === 1 ? kept : {};
  const tab = TABS.find((name) => name === from["tab"]);
  const scroll = isRecord(from["scroll"]) ? from["scroll"] : {};
  const expanded = isRecord(from["expanded"]) ? from["expanded"] : {};
  return {
    team: signal(textOrNull(from["team"])),
    tab: signal(tab ?? "conversation"),
    member: signal(textOrNull(from["member"])),
    goal: signal(textOrNull(from["goal"]) ?? ""),
    filter: signal(textOrNull(from["filter"]) ?? ""),
    owner: signal(textOrNull(from["owner"])),
    alone: signal(keptAlone(from["alone"])),
    activity: signal(activityFilter(from["activity"])),
    drafts: signal(texts(from["drafts"])),
    images: signal(keptImages(from["images"])),
    reading: signal([]),
    left: signal(leftDrafts(from["left"])),
    unanswered: signal(sentMessages(from["unanswered"])),
    sent: signal(textList(from["sent"])),
    openRequest: signal(textOrNull(from["openRequest"])),
    closedRequests: signal(textList(from["closedRequests"])),
    field: signal(openField(from["field"])),
    scroll: signal({ top: Number(scroll["top"]) || 0, follow: followOf(scroll["follow"]) }),
    readItem: signal(keptItem(from["readItem"])),
    limits: signal(limitsOf(from["limits"])),
    inboxRow: signal(keptRow(from["inboxRow"])),
    wantedTask: signal(null),
    wantedMessage: signal(null),
    wentToEnd: signal(0),
    board: signal(boardViewOf(from["board"])),
    expansion: createExpansion(
      Object.fromEntries(
        Object.entries(expanded).filter((pair): pair is [string, boolean] => pair[1] === true || pair[1] === false),
      ),
    ),
  };
}

/** What is kept of it. Reading it subscribes to all of it. */
export function keptState(view: ViewState): Record<string, unknown> {
  return {
    version: view.expansion.version.value >= 0 ? 1 : 0,
    team: view.team.value,
    tab: view.tab.value,
    member: view.member.value,
    goal: view.goal.value,
    filter: view.filter.value,
    owner: view.owner.value,
    alone: view.alone.value,
    activity: view.activity.value,
    drafts: view.drafts.value,
    images: view.images.value,
    left: view.left.value,
    unanswered: view.unanswered.value,
    sent: view.sent.value,
    openRequest: view.openRequest.value,
    closedRequests: view.closedRequests.value,
    field: view.field.value,
    scroll: view.scroll.value,
    readItem: view.readItem.value,
    limits: view.limits.value,
    inboxRow: view.inboxRow.value,
    board: view.board.value,
    expanded: view.expansion.chosen(),
  };
}

/**
 * Another team: what was opened and typed for the old one does not count for it. Its drafts are there again when it is
 * shown again.
 */
export function forgetTeam(view: ViewState, team: string): void {
  const { [team]: own, ...others } = view.left.peek();
  view.left.value = withLeft(others, view);
  view.team.value = team;
  view.member.value = null;
  view.filter.value = "";
  view.owner.value = null;
  view.alone.value = null;
  view.activity.value = { member: null, kind: null };
  view.drafts.value = own?.drafts ?? {};
  view.images.value = own?.images ?? {};
  view.openRequest.value = null;
  view.closedRequests.value = [];
  view.field.value = null;
  view.scroll.value = { top: 0, follow: "auto" };
  view.readItem.value = null;
  view.limits.value = {};
  view.inboxRow.value = null;
  view.wantedTask.value = null;
  view.wantedMessage.value = null;
  view.expansion.forget();
  view.board.value = { ...NEW_BOARD, plan: view.board.peek().plan }; // asked for before the team was there, maybe
}

/** What was typed for a team that is not on show. */
interface LeftDrafts {
  drafts: Readonly<Record<string, string>>;
  images: Readonly<Record<string, readonly DraftImage[]>>;
}

/** Teams whose drafts are kept while others are on show. */
const MOST_LEFT = 8;

function withLeft(others: Readonly<Record<string, LeftDrafts>>, view: ViewState): Record<string, LeftDrafts> {
  const [team, drafts, images] = [view.team.peek(), view.drafts.peek(), view.images.peek()];
  const empty = Object.keys(drafts).length === 0 && Object.keys(images).length === 0;
  const all = Object.entries(others);
  if (team !== null && !empty) all.push([team, { drafts, images }]);
  return Object.fromEntries(all.slice(-MOST_LEFT));
}

function leftDrafts(value: unknown): Record<string, LeftDrafts> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([team, kept]) =>
      isRecord(kept) ? [[team, { drafts: texts(kept["drafts"]), images: keptImages(kept["images"]) }]] : [],
    ),
  );
}

function sentMessages(value: unknown): Record<string, SentMessage> {
  const messages = Object.entries(isRecord(value) ? value : {}).flatMap(([intent, kept]) => {
    const { team, key, text, images } = isRecord(kept) ? kept : {};
    if (typeof key !== "string" || typeof text !== "string") return [];
    return [[intent, { team: textOrNull(team), key, text, images: keptImages({ [key]: images })[key] ?? [] }] as const];
  });
  return Object.fromEntries(messages);
}

/** Keeps a draft; an empty one is forgotten. */
export function setDraft(view: ViewState, key: string, text: string): void {
  const { [key]: _, ...others } = view.drafts.peek();
  view.drafts.value = text === "" ? others : { ...others, [key]: text };
}

/** Forgets drafts of a team that may not be on show any more. `team` null: there was none yet. */
export function forgetDrafts(view: ViewState, team: string | null, keys: readonly string[]): void {
  const others = (drafts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(drafts).filter(([key]) => !keys.includes(key)));
  if (team === null || team === view.team.peek()) {
    view.drafts.value = others(view.drafts.peek());
    return;
  }
  const left = view.left.peek()[team];
  if (left) view.left.value = { ...view.left.peek(), [team]: { ...left, drafts: others(left.drafts) } };
}

/** Keeps what stands in a field that begins with a text of its own: one that was emptied stays empty. */
export function setFieldText(view: ViewState, key: string, text: string): void {
  view.drafts.value = { ...view.drafts.peek(), [key]: text };
}

/** Keeps the images of a draft. */
export function setDraftImages(view: ViewState, key: string, images: readonly DraftImage[]): void {
  const { [key]: _, ...others } = view.images.peek();
  if (images.length === 0 && !_) return;
  view.images.value = images.length === 0 ? others : { ...others, [key]: images };
}

/** What is being read for a draft of the team on show. */
export function readingFor(view: ViewState, key: string): ReadingImages[] {
  return view.reading.value.filter((images) => images.key === key && images.team === view.team.peek());
}

/**
 * Puts what was sent and not taken back before what has been typed since, in the draft of the team for which it was typed,
 * which may not be on show any more. `team` null: there was none yet.
 */
export function giveBackDraft(
  view: ViewState,
  team: string | null,
  key: string,
  { text, images }: { text: string; images: readonly DraftImage[] },
): void {
  const withText = (typed = "") => [text, typed].filter(Boolean).join("\n");
  const withImages = (added: readonly DraftImage[] = []) => [...images, ...added];
  if (team === null || team === view.team.peek()) {
    setDraft(view, key, withText(view.drafts.peek()[key]));
    setDraftImages(view, key, withImages(view.images.peek()[key]));
    return;
  }
  const { [team]: left = { drafts: {}, images: {} }, ...others } = view.left.peek();
  const back = {
    drafts: { ...left.drafts, [key]: withText(left.drafts[key]) },
    images: { ...left.images, [key]: withImages(left.images[key]) },
  };
  view.left.value = { ...others, [team]: back };
}

function followOf(value: unknown): Follow {
  return value === "end" || value === "free" ? value : "auto";
}

const FIELDS = keysOf<OpenField["field"]>({ reason: true, feedback: true, command: true, rule: true });

function openField(value: unknown): OpenField | null {
  const { id, field } = isRecord(value) ? value : {};
  const known = FIELDS.find((name) => name === field);
  return typeof id === "string" && known ? { id, field: known } : null;
}

function keptRow(value: unknown): KeptRow | null {
  const id = isRecord(value) ? textOrNull(value["id"]) : null;
  return isRecord(value) && id !== null ? { id, offset: Number(value["offset"]) || 0 } : null;
}

function keptItem(value: unknown): KeptItem | null {
  const { member, seq, offset } = isRecord(value) ? value : {};
  const place = Number(seq);
  return typeof member === "string" && place >= 0 ? { member, seq: place, offset: Number(offset) || 0 } : null;
}

/** Most rows of a list that are drawn at once after a reload. */
const MOST_ROWS = 600;

function limitsOf(value: unknown): Record<string, number> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([list, rows]) =>
      Number(rows) > 0 ? [[list, Math.min(Number(rows), MOST_ROWS)]] : [],
    ),
  );
}

/** The kinds of rows of the activity. */
export const KINDS = keysOf<ActivityKind>({ task: true, message: true, decision: true, state: true });

function activityFilter(value: unknown): ActivityFilter {
  if (!isRecord(value)) return { member: null, kind: null };
  return { member: textOrNull(value["member"]), kind: KINDS.find((kind) => kind === value["kind"]) ?? null };
}

/** All the names that a type has, in this order: one that is left out does not compile. */
function keysOf<K extends string>(names: Readonly<Record<K, true>>): readonly K[] {
  return Object.keys(names) as K[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function texts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}
