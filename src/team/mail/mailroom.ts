import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { errorMessage } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { SerialQueue } from "../../base/serial.ts";
import { type Entry, messageId } from "../../protocol/message.ts";
import { type MessageBody, parseBody } from "../../protocol/messageBody.ts";
import { splitImageLines } from "../../protocol/messageImage.ts";
import type { ImageBlock } from "../../protocol/transcript.ts";
import type { Store } from "../../store/store.ts";

/**
 * How far an entry may be trusted: `person` and `lead` only where the host wrote it, `peer` for every other member,
 * `unverified` for one that claims to be the person or the lead without proof.
 */
export type Authority = "person" | "lead" | "peer" | "unverified";

/** An unread entry that this member has to deal with. */
export interface Mail {
  id: string;
  entry: Entry;
  content: MessageBody;
  authority: Authority;
  /** Of the person's words: the images that go with them. */
  images: readonly ImageBlock[];
}

/**
 * What is to become of an unread entry: `deliver` to the model in the next run, `keep` unread without delivering it,
 * `ask`: both, as a request that the model may decide; or `done`: it was dealt with and is marked read.
 */
export type Routing = "deliver" | "keep" | "ask" | "done";

export interface MailroomOptions {
  store: Store;
  team: string;
  agent: string;
  /** Entries that were written for an earlier member of this name count for nothing. */
  incarnation: string;
  logger: Logger;
  authorityOf(entry: Entry, id: string): Authority;
  /** Called once for each new entry; may act on it (hand a reply to its waiter). */
  route(mail: Mail): Routing;
  /** Whether a new entry is one to `ask` about, also where it was delivered before. */
  asks?(mail: Mail): boolean;
  /** Ids that the member's transcript holds already: without a second delivery marked read, or kept where it `asks`. */
  delivered: Iterable<string>;
}

/** The only reader of one inbox. */
export class Mailroom implements Disposable {
  private readonly options: MailroomOptions;
  private readonly changes = new Emitter<void>();
  private readonly queue = new SerialQueue();
  /** By id: what the transcript holds, and what is over. */
  private readonly marks: Map<string, "delivered" | "settled">;
  private readonly routes = new Map<string, Routing>();
  private mail: readonly Mail[] = [];

  constructor(options: MailroomOptions) {
    this.options = options;
    this.marks = new Map([...options.delivered].map((id) => [id, "delivered"]));
  }

  readonly onDidChange = this.changes.event;

  /** Unread entries that wait for delivery, as of the last check, in order of arrival. */
  get toDeliver(): readonly Mail[] {
    return this.mail.filter(({ id }) => {
      const route = this.routes.get(id);
      return route === "deliver" || (route === "ask" && !this.marks.has(id));
    });
  }

  /** Unread entries that are kept, as of the last check. */
  get kept(): readonly Mail[] {
    return this.mail.filter(({ id }) => this.routes.get(id) === "keep" || this.routes.get(id) === "ask");
  }

  /**
   * Reads the inbox and routes what is new. Called on every hint that the file changed, and before a decision. An inbox
   * that cannot be read now is logged and read again at the next hint.
   */
  async check(): Promise<void> {
    try {
      await this.queue.run("check", () => this.checkNow());
    } catch (error) {
      this.options.logger.warn(errorMessage(error));
    }
  }

  /** The transcript holds these entries: they are read, but for those that wait for a decision. */
  async markDelivered(ids: readonly string[]): Promise<void> {
    for (const id of ids) if (!this.marks.has(id)) this.marks.set(id, "delivered");
    await this.markRead(ids.filter((id) => this.routes.get(id) !== "ask"));
  }

  /** Marks entries read: they were dealt with. */
  async markRead(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const id of ids) this.marks.set(id, "settled");
    this.mail = this.mail.filter((mail) => this.marks.get(mail.id) !== "settled");
    try {
      await this.options.store.inboxes.markRead(this.options.team, this.options.agent, ids);
    } catch (error) {
      this.options.logger.warn(errorMessage(error)); // they count as settled, and the next check marks them
    }
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async checkNow(): Promise<void> {
    const { entries } = await this.options.store.inboxes.read(this.options.team, this.options.agent);
    const known = new Map(this.mail.map((mail) => [mail.id, mail]));
    const unread = new Map<string, Mail>();
    for (const entry of entries) {
      if (entry.read) continue;
      const mail = await toMail(this.options, entry, known);
      unread.set(mail.id, mail);
    }
    const before = this.mail.map((mail) => mail.id).join();
    const done: string[] = [];
    for (const mail of unread.values()) {
      const mark = this.marks.get(mail.id);
      if (mark === "settled") this.routes.set(mail.id, "done");
      else if (!this.routes.has(mail.id)) this.routes.set(mail.id, firstRoute(this.options, mail, mark !== undefined));
      if (this.routes.get(mail.id) === "done") done.push(mail.id);
    }
    for (const id of this.routes.keys()) if (!unread.has(id)) this.routes.delete(id);
    this.mail = [...unread.values()].filter((mail) => this.routes.get(mail.id) !== "done");
    await this.markRead(done);
    if (this.mail.map((mail) => mail.id).join() !== before) this.changes.fire();
  }
}

function firstRoute(options: MailroomOptions, mail: Mail, isDelivered: boolean): Routing {
  if (!isFor(options, mail)) return "done";
  if (options.asks?.(mail)) return "ask";
  return isDelivered ? "done" : options.route(mail);
}

async function toMail(options: MailroomOptions, entry: Entry, known: ReadonlyMap<string, Mail>): Promise<Mail> {
  const id = messageId(entry);
  const authority = options.authorityOf(entry, id);
  const images = authority === "person" ? (known.get(id)?.images ?? (await imagesOf(options, entry))) : [];
  return { id, entry, content: parseBody(entry.text), authority, images };
}

/** One that is lost is left out: the text says that it was there. */
async function imagesOf({ store, team }: MailroomOptions, entry: Entry): Promise<ImageBlock[]> {
  const read = await Promise.all(splitImageLines(entry.text).digests.map((digest) => store.images.read(team, digest)));
  return read.filter((image) => image !== null);
}

function isFor({ incarnation, agent, logger }: MailroomOptions, { entry, id }: Mail): boolean {
  const meant = entry.muster?.incarnation;
  if (meant === undefined || meant === incarnation) return true;
  logger.warn(`Message ${id} was for an earlier member named ${agent}: it counts for nothing.`);
  return false;
}
