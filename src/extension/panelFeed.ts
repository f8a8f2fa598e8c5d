import { type Disposable, DisposableStore } from "../base/disposable.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import type { HostMessage, PanelState, PanelTab } from "../protocol/panel.ts";
import { type ConversationUpdate, conversationTail } from "../team/conversation.ts";
import type { ShownTeam } from "./shownTeam.ts";

/** What the webview shows, as it last said. */
export interface PanelView {
  tab: PanelTab;
  member: string | null;
}

/** Milliseconds between two looks at what changed, at least: ten a second. */
const INTERVAL_MS = 100;
/** Bounds of a conversation when it begins to be shown. */
const TAIL_ITEMS = 300;
const TAIL_CHARACTERS = 180_000;
/** The reply that is being written is sent up to its last 4 KB. */
const STREAM_CHARACTERS = 4_096;

/**
 * Sends the webview what it shows, and only that: the state always, tasks, threads and one conversation while their tab
 * is open; what did not change is not sent again.
 */
export class PanelFeed implements Disposable {
  private readonly post: (message: HostMessage) => void;
  private readonly fallback: () => PanelState;
  private team: ShownTeam | null = null;
  private ofTeam = new DisposableStore();
  private view: PanelView | null = null;
  private sent = new Map<HostMessage["type"], string>();
  private pending = new Map<number, ConversationUpdate>();
  /** The member whose conversation is on show; `fresh`: what is not sent yet of its beginning. */
  private loaded: string | null = null;
  private fresh: ConversationUpdate[] | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastFlush = 0;

  /** `fallback`: what is shown while there is no team. */
  constructor(post: (message: HostMessage) => void, fallback: () => PanelState) {
    this.post = post;
    this.fallback = fallback;
  }

  /** Shows another team, or none. */
  show(team: ShownTeam | null): void {
    if (team === this.team) return;
    this.ofTeam.dispose();
    this.ofTeam = new DisposableStore();
    this.team = team;
    if (team) this.subscribe(team);
    this.startOver();
  }

  /** The webview is there, or shows something else. Null: it is hidden or gone. */
  setView(view: PanelView | null): void {
    const before = this.view;
    this.view = view;
    if (!before || !view) this.startOver();
    else if (this.shownMember(before) !== this.shownMember(view)) void this.loadConversation();
    this.changed();
  }

  get shown(): PanelView | null {
    return this.view;
  }

  /** Something changed that the state depends on. */
  changed(): void {
    if (!this.view || this.timer) return;
    this.timer = setTimeout(() => this.flush(), Math.max(0, this.lastFlush + INTERVAL_MS - Date.now()));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.ofTeam.dispose();
    this.view = null;
  }

  private subscribe(team: ShownTeam): void {
    this.ofTeam.add(team.onDidChange(() => this.changed()));
    this.ofTeam.add(
      team.onConversation(({ member, updates }) => {
        if (member !== this.loaded) return;
        for (const update of updates) this.pending.set(update.seq, update);
        this.changed();
      }),
    );
    this.ofTeam.add(team.onStreaming(({ member }) => member === this.loaded && this.changed()));
  }

  private startOver(): void {
    this.sent.clear();
    this.loaded = null;
    this.fresh = null;
    this.pending.clear();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.lastFlush = 0;
    if (!this.view) return;
    void this.loadConversation();
    this.changed();
  }

  private shownMember(view: PanelView | null): string | null {
    return view?.tab === "conversation" ? (view.member ?? LEAD_NAME) : null;
  }

  private async loadConversation(): Promise<void> {
    const { team } = this;
    const member = this.shownMember(this.view);
    this.loaded = null;
    this.fresh = null;
    this.pending.clear();
    this.sent.delete("streaming");
    if (!team || member === null) return;
    const conversation = await team.conversation(member);
    if (team !== this.team || member !== this.shownMember(this.view)) return;
    this.loaded = member;
    this.pending.clear();
    this.fresh = conversationTail(conversation, TAIL_ITEMS, TAIL_CHARACTERS);
    this.flush();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.lastFlush = Date.now();
    const { view, team } = this;
    if (!view) return;
    this.send({ type: "state", state: team ? team.state() : this.fallback() });
    if (!team) return;
    if (view.tab === "tasks") this.send({ type: "tasks", tasks: team.tasks() });
    if (view.tab === "inboxes") this.send({ type: "threads", threads: team.threads() });
    if (this.loaded === null) return;
    this.sendConversation(this.loaded);
    this.send({ type: "streaming", member: this.loaded, text: team.streaming(this.loaded).slice(-STREAM_CHARACTERS) });
  }

  private sendConversation(member: string): void {
    const { fresh } = this;
    if (!fresh && this.pending.size === 0) return;
    const items = fresh ?? [...this.pending.values()].sort((one, other) => one.seq - other.seq);
    this.fresh = null;
    this.pending.clear();
    this.post({ type: "conversation", member, reset: fresh !== null, items });
  }

  private send(message: HostMessage): void {
    const text = JSON.stringify(message);
    if (this.sent.get(message.type) === text) return;
    this.sent.set(message.type, text);
    this.post(message);
  }
}
