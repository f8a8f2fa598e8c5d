import { errorMessage } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { ActivityFilter } from "../../protocol/activity.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import { type ActivityFact, activityRow, fits, newestFirst } from "../../team/views/activity/facts.ts";
import type { ShownTeam } from "../teams/shownTeam.ts";

type ActivityMessage = Extract<HostMessage, { type: "activity" }>;

/** Rows of one message: with the longest texts in every row it stays below 256 KB. */
const PAGE = 150;

/** What the webview has: which rows, the oldest of them, how many are older, and whether it has none of this choice yet. */
interface SentRows {
  ids: Set<string>;
  oldest: ActivityFact | null;
  earlier: number;
  fresh: boolean;
}

const nothingSent = (): SentRows => ({ ids: new Set(), oldest: null, earlier: 0, fresh: true });

/** What of a team's activity the webview does not have yet. It has the newest rows, down to the oldest that was sent. */
export class ActivityFeed {
  private readonly post: (message: ActivityMessage) => void;
  private team: ShownTeam | null = null;
  private filter: ActivityFilter = { member: null, kind: null };
  private facts: readonly ActivityFact[] | null = null;
  private sent = nothingSent();
  private readonly reader: Reader;

  constructor(post: (message: ActivityMessage) => void, logger: Logger) {
    this.post = post;
    this.reader = { reading: false, again: false, read: createRead(logger) };
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
    const { reader } = this;
    reader.again = true;
    if (reader.reading) return;
    reader.reading = true;
    try {
      for (let team = this.team; reader.again && team; team = this.team) {
        reader.again = false;
        const facts = await reader.read(team);
        if (facts === null || team !== this.team) continue;
        this.facts = facts;
        if (this.sent.fresh) this.sendPage();
        else this.sendNew();
      }
    } finally {
      reader.reading = false;
    }
  }

  /** The next page of older rows. */
  more(): void {
    if (!this.sent.fresh) this.sendPage();
  }

  private startOver(): void {
    this.sent = nothingSent();
    this.reader.again = true;
  }

  private sendPage(): void {
    if (!this.team) return;
    const { oldest } = this.sent;
    const wanted = wantedOf(this.facts, this.filter);
    const older = oldest === null ? wanted : wanted.slice(countDownTo(wanted, oldest));
    const page = older.slice(0, PAGE);
    if (page.length === 0 && !this.sent.fresh) return;
    this.sent.oldest = page.at(-1) ?? oldest;
    this.send(page, older.length - page.length);
  }

  /** What came since, wherever it belongs among the rows that were sent. */
  private sendNew(): void {
    const { oldest } = this.sent;
    const wanted = wantedOf(this.facts, this.filter);
    if (oldest === null) {
      if (wanted.length > 0) this.sendPage();
      return;
    }
    const held = countDownTo(wanted, oldest);
    const news = wanted.slice(0, held).filter((fact) => !this.sent.ids.has(fact.id));
    const earlier = wanted.length - held;
    for (let from = 0; from < news.length; from += PAGE) this.send(news.slice(from, from + PAGE), earlier);
    if (earlier !== this.sent.earlier) this.send([], earlier); // all that is new is older
  }

  private send(facts: readonly ActivityFact[], earlier: number): void {
    const { team } = this;
    if (!team) return;
    for (const { id } of facts) this.sent.ids.add(id);
    const rows = facts.map((fact) => activityRow(fact, team.people));
    this.post({ type: "activity", reset: this.sent.fresh, rows, earlier });
    this.sent.earlier = earlier;
    this.sent.fresh = false;
  }
}

/** Reads a team's activity, once at a time, and again where something happened meanwhile. */
interface Reader {
  reading: boolean;
  again: boolean;
  /** Null where it cannot be read. */
  read(team: ShownTeam): Promise<readonly ActivityFact[] | null>;
}

/** What cannot be read is read again at the next change. The same fault in a row is one line of the log. */
function createRead(logger: Logger): Reader["read"] {
  let known: string | null = null;
  return async (team) => {
    try {
      const facts = await team.activity();
      known = null;
      return facts;
    } catch (error) {
      const fault = errorMessage(error);
      if (fault !== known) logger.warn("The team's activity could not be read.", error);
      known = fault;
      return null;
    }
  };
}

function wantedOf(facts: readonly ActivityFact[] | null, filter: ActivityFilter): readonly ActivityFact[] {
  if (facts === null || (filter.member === null && filter.kind === null)) return facts ?? [];
  return facts.filter((fact) => fits(fact, filter));
}

/** How many of these facts, newest first, are as new as `oldest` or newer. */
function countDownTo(facts: readonly ActivityFact[], oldest: ActivityFact): number {
  let [low, high] = [0, facts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (newestFirst(facts[middle] as ActivityFact, oldest) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
