import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Intent } from "../src/protocol/intents.ts";
import type { AttentionItem, MemberRef, MemberRow, PanelState, PanelTab } from "../src/protocol/panel.ts";
import type { HostMessage } from "../src/protocol/panelMessages.ts";
import type { Decision } from "../src/protocol/request.ts";
import { nameOf } from "./format.ts";
import type { Host } from "./host.ts";
import { t } from "./l10n.ts";
import { type Reveal, reveal } from "./navigation.ts";
import { announceChanges } from "./state/announceChanges.ts";
import { type Announcer, createAnnouncer } from "./state/announcer.ts";
import { type ComposerWork, createComposerWork } from "./state/composerWork.ts";
import { createFind, type Find } from "./state/find.ts";
import { createHostData, type HostData, teamOf } from "./state/hostData.ts";
import { followLeaving, type LeftMembers } from "./state/leftMember.ts";
import { sharePlanDrafts } from "./state/planComments.ts";
import { createRequestQueue, leftOf, type RequestQueue } from "./state/requestQueue.ts";
import { createSaver, type Saver } from "./state/saver.ts";
import { createSentMessages, type SentMessages } from "./state/sentMessages.ts";
import { createTaskWork, type TaskWork } from "./state/taskWork.ts";
import { createViewState, forgetTeam, keptState, type ViewState } from "./state/viewState.ts";

/** Where the focus is to go after the next drawing, because of something the person did. */
export type FocusTarget =
  /** `shown`: a command of the extension led there, and the person must see where that is. */
  | { kind: "request"; id: string; shown?: true }
  | { kind: "tab" }
  | { kind: "composer" }
  /** On the board: the plan that stands in its place. */
  | { kind: "plan"; id: string }
  /** `row`: a task's number, or `new`. `late`: the form comes only once there is a text for it. */
  | { kind: "taskForm"; row: string; late: boolean };

/** An item of a member's conversation, by its place. */
export interface WantedItem {
  member: string;
  seq: number;
}

/** What an intent that was answered came to. */
export interface Outcome {
  intent: string;
  error: string | null;
}

/** The two views of the bundle: the side bar's, and the board of the editor area. */
export type Surface = "team" | "board";

/** All that the views read and call. */
export interface Model {
  readonly surface: Surface;
  readonly data: HostData;
  readonly view: ViewState;
  readonly queue: RequestQueue;
  readonly announcer: Announcer;
  readonly find: Find;
  readonly work: TaskWork;
  readonly composer: ComposerWork;
  readonly sentMessages: SentMessages;
  readonly now: ReadonlySignal<number>;
  /** The member whose conversation is shown and whom the composer writes to. */
  readonly member: ReadonlySignal<MemberRef | null>;
  /** Who has left while the person wrote to it: nothing is sent until another recipient is chosen. */
  readonly left: LeftMembers;
  readonly focus: Signal<FocusTarget | null>;
  /** The item of a conversation that is to be brought to be seen. */
  readonly wantedItem: Signal<WantedItem | null>;
  /** The last answer. */
  readonly outcome: ReadonlySignal<Outcome | null>;
  readonly post: (intent: Intent) => void;
  /** Sends what asks for an answer; gives the id under which the answer comes. */
  readonly ask: (make: (intent: string) => Intent) => string;
  readonly decide: (item: AttentionItem, decision: Decision) => void;
  readonly showTab: (tab: PanelTab) => void;
  /** Shows a member's conversation, and its own draft: that of one that has left waits. */
  readonly chooseMember: (name: string) => void;
  /** Opens the composer for a member. */
  readonly writeTo: (name: string) => void;
}

/** Makes the model, takes up what the host kept, and tells the host that the view is ready. To be called once. */
export function createModel(host: Host, surface: Surface = "team"): Model {
  const data = createHostData();
  const view = createViewState(host.load());
  const queue = createRequestQueue(data.panel, view, host.post);
  const announcer = createAnnouncer();
  const focus = signal<FocusTarget | null>(null);
  const wantedItem = signal<WantedItem | null>(null);
  const outcome = signal<Outcome | null>(null);
  const member = computed(() => memberOf(data, view));
  const left = followLeaving(data.panel, view, member);

  const post = queue.watched(host.post);
  const showTab = (tab: PanelTab) => {
    if (view.tab.peek() === tab) return;
    view.tab.value = tab;
    view.wantedTask.value = null;
    if (surface === "team") host.post({ type: "showTab", tab });
  };
  const sentMessages = createSentMessages(post, view);
  const model: Model = {
    surface,
    data,
    view,
    queue,
    announcer,
    find: createFind(host.post, (name) => member.peek()?.name === name),
    work: createTaskWork(host.post, view.team),
    composer: createComposerWork(host.post),
    sentMessages,
    now: createClock(data),
    member,
    left,
    focus,
    wantedItem,
    outcome,
    post,
    ask: (make) => {
      const intent = crypto.randomUUID();
      host.post(make(intent));
      return intent;
    },
    decide: (item, decision) => decide(model, item, decision),
    showTab,
    chooseMember: left.choose,
    writeTo: (name) => {
      if (surface === "board") return host.post({ type: "showInTeam", what: { kind: "composer", member: name } });
      left.choose(name);
      focus.value = { kind: "composer" };
    },
  };

  if (surface === "team") announceChanges(data.panel, announcer);
  const takeDrafts = sharePlanDrafts(data.panel, view, host.post);
  const early: Reveal[] = []; // what is to be shown of a team that has not come yet
  host.onMessage((message) => {
    if (message.type === "planDrafts") takeDrafts(message);
    else if (message.type === "reveal" && data.panel.peek().screen === "loading") early.push(message.what);
    else receive(model, outcome, message);
    if (message.type === "state") for (const what of early.splice(0)) reveal(model, what);
  });
  const saver = createSaver(host, () => keptState(view));
  keepState(view, saver);
  host.post({ type: "ready", tab: view.tab.peek(), member: view.member.peek() });
  if (surface === "team") tellMember(member, view.member.peek(), host.post);
  giveUpLater(model, outcome);
  return model;
}

/** For how long an answer may be on its way to a document that came later, in milliseconds: a lock may take 20 s. */
const ANSWERED_MS = 30_000;

/** What was sent before this document and is not answered comes back: the host that took it may be gone. */
function giveUpLater(model: Model, outcome: Signal<Outcome | null>): void {
  for (const intent of Object.keys(model.view.unanswered.peek()))
    setTimeout(() => {
      if (model.view.unanswered.peek()[intent])
        receive(model, outcome, { type: "done", intent, error: t("maybeSent") });
    }, ANSWERED_MS);
}

function keepState(view: ViewState, saver: Saver): void {
  effect(() => {
    keptState(view);
    saver.soon();
  });
  effect(() => {
    void [view.goal.value, view.filter.value, view.drafts.value, view.images.value, view.unanswered.value];
    saver.now();
  });
}

/** The model of the view that a component stands in; null outside of one. */
export const ModelContext = createContext<Model | null>(null);

/** On the Team Board: whose column a component stands in. */
export const ColumnContext = createContext<string | undefined>(undefined);

/** The model of the view that a component stands in. */
export function useModel(): Model {
  const model = useContext(ModelContext);
  if (!model) throw new Error("no model above this component");
  return model;
}

function decide(model: Model, item: AttentionItem, decision: Decision): void {
  const next = model.queue.decide(item, decision);
  if (next === undefined) return;
  const how =
    decision.kind === "allow" ? (`said.allow.${decision.scope}` as const) : (`said.${decision.kind}` as const);
  model.announcer.say(`${t(how, item.title)} ${leftOf(model.queue)}`);
  model.focus.value = next ? { kind: "request", id: next.id } : { kind: "tab" };
}

function receive(model: Model, outcome: Signal<Outcome | null>, message: HostMessage): void {
  if (message.type === "done") {
    const failed = model.queue.settle(message.intent, message.error);
    if (failed && message.error !== null) model.announcer.say(message.error);
    const undone = model.work.settle(message.intent, message.error);
    if (undone !== null) model.announcer.say(undone);
    const unsent = model.sentMessages.settle(message.intent, message.error);
    if (unsent !== null) model.announcer.say(unsent);
    outcome.value = { intent: message.intent, error: message.error };
  } else if (message.type === "reveal") {
    reveal(model, message.what);
  } else if (message.type === "found") {
    model.find.receive(message);
  } else if (message.type === "files") {
    model.composer.receive(message);
  } else {
    batch(() => {
      if (message.type === "state") takeTeam(model, teamOf(message.state));
      if (message.type === "state") takeGoal(model.view, message.state);
      if (message.type === "state") model.queue.receive(message.state);
      model.data.receive(message);
    });
  }
}

/** The first team after the start may be the one that the kept state is of. */
function takeTeam(model: Model, team: string | null): void {
  if (team !== null && model.view.team.peek() !== team) forgetTeam(model.view, team);
}

/** A goal that was typed is done with once its team is there. */
function takeGoal({ goal }: ViewState, state: PanelState): void {
  if (state.screen === "team" && state.goal !== null && state.goal.trim() === goal.peek().trim()) goal.value = "";
}

/** The chosen member if it is there, else the lead. A finished team has members in its summary only. */
function memberOf(data: HostData, view: ViewState): MemberRef | null {
  const state = data.panel.value;
  if (state.screen !== "team") return null;
  const members: readonly (MemberRef | MemberRow)[] =
    state.members.length > 0 ? state.members : (state.finished?.byMember.map(({ member }) => member) ?? []);
  const chosen = members.find(({ name }) => name === view.member.value);
  return chosen ?? members.find(({ role }) => role === "lead") ?? members[0] ?? null;
}

/**
 * Tells the host whose conversation is shown, whoever changed it: the person, or a team that does not have the member.
 * `told`: the name that the host knows; null is the lead.
 */
function tellMember(
  member: ReadonlySignal<MemberRef | null>,
  told: string | null,
  post: (intent: Intent) => void,
): void {
  let known = told;
  effect(() => {
    const now = member.value;
    if (!now) return;
    const same = known === null ? now.role === "lead" : known === now.name;
    known = now.name;
    if (!same) post({ type: "selectMember", member: now.name });
  });
}

/** The time for ages, in ms since the epoch: every 5 s, and whenever a state comes. */
function createClock(data: HostData): ReadonlySignal<number> {
  const now = signal(Date.now());
  const tick = () => {
    now.value = Date.now();
  };
  setInterval(tick, 5000);
  effect(() => {
    if (data.panel.value.screen === "team") tick();
  });
  return now;
}

/** The name that a member is written to and spoken of. */
export function shownName(member: MemberRef | null): string {
  return member ? nameOf(member) : t("lead");
}
