import type { ActivityFilter } from "../protocol/activity.ts";
import type { HostMessage } from "../protocol/panelMessages.ts";
import { type ActivityFact, activityRow, fits, newestFirst } from "../team/views/activity/facts.ts";
import type { ShownTeam } from "./shownTeam.ts";

type ActivityMessage = Extract<HostMessage, { type: "activity" }>;

/** Rows of one message: with the longest texts in every row it stays below 256 KB. */
const PAGE = 150;

/** What of a team's activity the webview does not have yet. It has the newest rows, down to the oldest that was sent. */
export class ActivityFeed {
  private readonly post: (message: ActivityMessage) => void;
  private team: ShownTeam | null = null;
  private filter: ActivityFilter = { member: null, kind: null };
  private facts: readonly ActivityFact[] | null = null;
  private sent = new Set<string>();
  private oldest: ActivityFact | null = null;
  private fresh = true;
  private reading = false;
  private again = false;

  constructor(post: (message: ActivityMessage) => void) {
    this.post = post;
  }

  /** Shows this team's activity from its newest rows on; null: it is not on show. */
  show(team: ShownTeam | null): void {
    if (team === this.team) return;
    this.team = team;
    this.facts = null;
    this.startOver();
  }

  /** Shows other rows, from the newest on. */
  setFilter(filter: ActivityFilter): void {
    if (filter.member === this.filter.member && filter.kind === this.filter.kind) return;
    this.filter = filter;
    this.startOver();
    if (this.facts) this.sendPage();
  }

  /** Something may have happened: what is new is read and sent. */
  async update(): Promise<void> {
    this.again = true;
    if (this.reading) return;
    this.reading = true;
    try {
      for (let team = this.team; this.again && team; team = this.team) {
        this.again = false;
        const facts = await team.activity().catch(() => null); // it is read again at the next change
        if (facts === null) continue;
        if (team !== this.team) continue;
        this.facts = facts;
        if (this.fresh) this.sendPage();
        else this.sendNew();
      }
    } finally {
      this.reading = false;
    }
  }

  /** The next page of older rows. */
  more(): void {
    if (!this.fresh) this.sendPage();
  }

  private startOver(): void {
    this.sent.clear();
    this.oldest = null;
    this.fresh = true;
    this.again = true;
  }

  private wanted(): ActivityFact[] {
    return (this.facts ?? []).filter((fact) => fits(fact, this.filter));
  }

  private sendPage(): void {
    if (!this.team) return;
    const { oldest } = this;
    const wanted = this.wanted();
    const older = oldest === null ? wanted : wanted.filter((fact) => newestFirst(oldest, fact) < 0);
    const page = older.slice(0, PAGE);
    if (page.length === 0 && !this.fresh) return;
    this.oldest = page.at(-1) ?? oldest;
    this.send(page, older.length - page.length);
  }

  /** What came since, wherever it belongs among the rows that were sent. */
  private sendNew(): void {
    const { oldest } = this;
    const wanted = this.wanted();
    if (oldest === null) {
      if (wanted.length > 0) this.sendPage();
      return;
    }
    const news = wanted.filter((fact) => newestFirst(fact, oldest) <= 0 && !this.sent.has(fact.id));
    const earlier = wanted.filter((fact) => newestFirst(oldest, fact) < 0).length;
    for (let from = 0; from < news.length; from += PAGE) this.send(news.slice(from, from + PAGE), earlier);
  }

  private send(facts: readonly ActivityFact[], earlier: number): void {
    const { team } = this;
    if (!team) return;
    for (const { id } of facts) this.sent.add(id);
    const rows = facts.map((fact) => activityRow(fact, team.people));
    this.post({ type: "activity", reset: this.fresh, rows, earlier });
    this.fresh = false;
  }
}
