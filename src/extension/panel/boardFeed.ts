import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { PanelState } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import type { ShownTeam } from "../teams/shownTeam.ts";
import { createThrottle, type Throttle } from "../throttle.ts";
import { ConversationFeed, FEED_INTERVAL_MS, sendUnfinished } from "./conversationFeed.ts";
import { type Changes, onlyChanges } from "./onlyChanges.ts";

/**
 * Sends the Team Board what it shows: the state, the tasks, who wrote to whom, and the conversations of its columns. It
 * knows nothing of what the view *Team* shows.
 */
export class BoardFeed implements Disposable {
  private readonly fallback: () => PanelState;
  readonly changes: Changes;
  private readonly throttle: Throttle;
  private team: { shown: ShownTeam; owned: DisposableStore } | null = null;
  /** By member; null while the board is hidden or gone. */
  columns: Columns = null;

  /** `fallback`: what is shown while there is no team. */
  constructor(post: (message: HostMessage) => void, fallback: () => PanelState) {
    this.fallback = fallback;
    this.changes = onlyChanges(post);
    this.throttle = createThrottle(FEED_INTERVAL_MS, () => this.flush());
  }

  /** Shows another team, or none. */
  show(team: ShownTeam | null): void {
    if (team === (this.team?.shown ?? null)) return;
    this.team?.owned.dispose();
    this.team = team && {
      shown: team,
      owned: follow(
        team,
        () => this.columns,
        () => this.changed(),
      ),
    };
    this.changes.forgetAll();
    this.throttle.reset();
    for (const [member, feed] of this.columns ?? []) void this.showConversation(feed, member);
    this.changed();
  }

  /** There is a new document, which has nothing yet. */
  startOver(): void {
    this.setColumns(null);
    this.setColumns([]);
  }

  /** Whose conversations stand side by side. Null: the webview is hidden or gone. */
  setColumns(members: readonly string[] | null): void {
    const before = this.columns;
    if (!before || !members) this.changes.forgetAll();
    this.columns = members && new Map(members.map((member) => [member, before?.get(member) ?? this.column(member)]));
    this.changed();
  }

  /** The conversation of a column; undefined where there is no such column. */
  conversation(member: string): ConversationFeed | undefined {
    return this.columns?.get(member);
  }

  /** Something changed that the state depends on. */
  changed(): void {
    if (this.columns) this.throttle.request();
  }

  dispose(): void {
    this.throttle.dispose();
    this.team?.owned.dispose();
    this.columns = null;
  }

  private column(member: string): ConversationFeed {
    const feed = new ConversationFeed({ post: this.changes.always, flush: () => this.throttle.run() });
    void this.showConversation(feed, member);
    return feed;
  }

  private async showConversation(feed: ConversationFeed, member: string): Promise<void> {
    if (await feed.show(this.team?.shown ?? null, member)) this.changed();
  }

  private flush(): void {
    const { columns, changes } = this;
    const team = this.team?.shown;
    if (!columns) return;
    changes.send({ type: "state", state: team ? team.state() : this.fallback() });
    if (!team) return;
    changes.send({ type: "tasks", tasks: team.tasks() });
    changes.send({ type: "mail", mail: team.mail() });
    for (const feed of columns.values()) {
      const news = feed.take();
      if (news) changes.always(news);
      const { member } = feed;
      if (member === null) continue;
      if (news?.reset) changes.forgetMember(member);
      sendUnfinished(changes, team, member);
    }
  }
}

type Columns = ReadonlyMap<string, ConversationFeed> | null;

/** Takes what is new of a team to its columns. */
function follow(team: ShownTeam, columns: () => Columns, changed: () => void): DisposableStore {
  const owned = new DisposableStore();
  owned.add(team.onDidChange(changed));
  owned.add(
    team.onConversation(({ member, updates }) => {
      if (columns()?.get(member)?.add(member, updates)) changed();
    }),
  );
  owned.add(
    team.onStreaming(({ member }) => {
      if (columns()?.has(member)) changed();
    }),
  );
  return owned;
}
