import { systemClock } from "../../base/clock.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { SerialQueue } from "../../base/serial.ts";
import { inboxFileName } from "../../protocol/names.ts";
import { displayNameOf, isLead, type Member } from "../../protocol/team.ts";
import type { TranscriptRecord } from "../../protocol/transcript.ts";
import type { Store } from "../../store/store.ts";
import { resolveMember } from "../../store/teamFile.ts";
import { openTeamWatch, type TeamWatch } from "../../team/teamWatch.ts";
import { type People, peopleOf } from "../../team/views/people.ts";
import { TerminalScreen } from "../../team/views/terminalScreen.ts";
import { cliLogger } from "../cliLogger.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exitCodes.ts";
import { onSignals } from "../onSignals.ts";
import { visibleLine } from "../render/visibleText.ts";
import { isLive, memberState } from "../teamReport.ts";
import { tellSentence } from "../tellSentence.ts";
import { decisionWait, tellWaits } from "./decisionWait.ts";
import { grownBy } from "./grownText.ts";
import { plainLines } from "./plainLines.ts";

/** Where a member's transcript is drawn. */
interface Screen {
  add(record: TranscriptRecord): void;
  /** The reply that is being written, whole. */
  live(text: string): void;
  /** All that there was stands there; what comes now is new. `waits`: why little may come, a sentence, or null. */
  caughtUp(waits: string | null): void;
  /** A sentence that says that the member waits for a decision; null: it waits no more. */
  waits(sentence: string | null): void;
}

/** Shows a member until it leaves its team, or the person leaves. Throws `unknown_team` and `unknown_member`. */
export async function attachMember(givenTeam: string, givenMember: string, context: CliContext): Promise<number> {
  const store = context.store();
  const team = await store.teams.resolve(givenTeam);
  const watch = await openTeamWatch(store, team, cliLogger(context));
  const owned = new DisposableStore();
  owned.add(watch);
  try {
    const { members } = watch.snapshot.config;
    const member = resolveMember(team, watch.snapshot.config, givenMember);
    const people = peopleOf(
      members.map((one) => ({
        name: one.name,
        displayName: displayNameOf(one),
        color: isLead(one) ? null : (one.color ?? null),
      })),
    );
    const screen = context.io.stdout.isTerminal
      ? drawnScreen(member, people, context, owned)
      : plainScreen(member, people, context);
    const left = untilLeft(member, watch, context, owned); // from here on, so that nobody goes unseen while files are read
    const decision = () => waitOf(store, member, watch);
    const isTold = (await isLive(store, watch.snapshot)) || (await decision()) !== null; // that says that nobody leads too
    const shown = follow(team, member, watch, screen, isTold ? null : waitsFor(member), context, owned).then(() => {
      owned.add(tellWaits(decision, watch.onDidChange, screen.waits));
      return left;
    });
    const who = await Promise.race([left, shown]);
    owned.dispose(); // what is told now stands below the screen
    if (who === "member") tellSentence(context.io, `${displayNameOf(member)} has left the team.`);
    return EXIT.done;
  } finally {
    owned.dispose();
  }
}

async function follow(
  team: string,
  { name }: Member,
  watch: TeamWatch,
  screen: Screen,
  waits: string | null,
  context: CliContext,
  owned: DisposableStore,
): Promise<void> {
  const store = context.store();
  const queue = new SerialQueue();
  let offset = 0;
  const read = () =>
    queue.run("read", async () => {
      const { records, next } = await store.transcripts.readFrom({ team, agent: name }, offset);
      offset = next;
      for (const record of records) screen.add(record);
    });
  const readLive = async () => screen.live(await store.live.read(team, name));
  const file = inboxFileName(name);
  const stop = new AbortController();
  owned.defer(() => stop.abort());
  const failed = (error: unknown) => cliLogger(context).warn(`What ${name} does cannot be read now.`, error);
  const [look, lookLive] = [untilItWorks(read, failed, stop.signal), untilItWorks(readLive, failed, stop.signal)];
  owned.add(watch.onTranscript((changed) => changed === file && look()));
  owned.add(watch.onLive((changed) => changed === file && lookLive()));
  await read();
  screen.caughtUp(waits);
  await readLive();
}

async function waitOf(store: Store, member: Member, { snapshot }: TeamWatch): Promise<string | null> {
  const waits = (await memberState(store, snapshot, member)) === "waiting";
  return waits ? decisionWait(store, snapshot, "elsewhere") : null;
}

/** After so long it is tried again to read what could not be read, in ms. */
const RETRY_MS = 1_000;

/** Runs `job` at every call, and where it fails again soon: nothing else may come that would have it read. */
function untilItWorks(job: () => Promise<void>, failed: (error: unknown) => void, signal: AbortSignal): () => void {
  let waits = false;
  const again = () => {
    waits = false;
    run();
  };
  const run = () => {
    if (waits) return; // what is new is read then too
    job().catch((error: unknown) => {
      failed(error);
      if (waits) return;
      waits = true;
      systemClock.sleep(RETRY_MS, signal).then(again, () => {}); // it is not shown any more
    });
  };
  return run;
}

function waitsFor(member: Member): string {
  const name = visibleLine(displayNameOf(member));
  return `Nobody is known to lead the team now: this waits for what ${name} does next, until ${name} leaves the team.`;
}

/** Resolves to who left: the member, when it is not in its team any more or that is gone, or the person. */
function untilLeft(
  { name, muster }: Member,
  watch: TeamWatch,
  { io }: CliContext,
  owned: DisposableStore,
): Promise<"member" | "person"> {
  return new Promise((resolve) => {
    owned.add(watch.onGone(() => resolve("member")));
    owned.add(
      watch.onDidChange(({ config }) => {
        const now = config.members.find((member) => member.name === name);
        if (!now || now.muster?.incarnation !== muster?.incarnation) resolve("member");
      }),
    );
    const leave = () => resolve("person");
    owned.add(io.onOutputClosed(leave));
    owned.add(onSignals({ SIGINT: leave, SIGTERM: leave, SIGHUP: leave }));
    if (!io.stdinIsTerminal || !io.stdout.isTerminal) return;
    process.stdin.setRawMode(true);
    const key = (data: Buffer) => {
      if (LEAVES.test(data.toString("latin1"))) leave();
    };
    process.stdin.on("data", key);
    owned.defer(() => {
      process.stdin.off("data", key);
      process.stdin.setRawMode(false);
      process.stdin.pause();
    });
  });
}

function onlyShown(member: Member): string {
  const name = visibleLine(displayNameOf(member));
  return `Only shown here, as it grows: Ctrl-] or Ctrl-C leaves, \`muster send\` writes to ${name}.`;
}

/** Ctrl-], Ctrl-C, also among keys that come at once. */
const LEAVES = /[\x1d\x03]/;

function drawnScreen(member: Member, people: People, { io }: CliContext, owned: DisposableStore): Screen {
  const type = member.agentType === member.name ? undefined : member.agentType; // a lead's is its name
  const about = [type, member.model].filter(Boolean).join(" · ");
  const columns = () => io.stdout.columns ?? 80;
  const drawn = new TerminalScreen({ member: people(member.name), about, people, cwd: member.cwd ?? null }, columns());
  drawn.type(null); // nobody reads what is typed here, so nothing looks like a prompt
  io.stdout.write(drawn.resize(columns()));
  let live = "";
  const resized = () => io.stdout.write(drawn.resize(columns()));
  process.stdout.on("resize", resized);
  owned.defer(() => {
    process.stdout.off("resize", resized);
    io.stdout.write("\r\n");
  });
  return {
    add: (record) => io.stdout.write(drawn.add(record)),
    live(text) {
      const grown = text === "" ? null : grownBy(live, text);
      live = text;
      if (grown === null) io.stdout.write(drawn.write(null));
      if (text !== "") io.stdout.write(drawn.write(grown ?? text));
    },
    caughtUp(waits) {
      if (waits !== null) io.stdout.write(drawn.note("muted", waits));
      io.stdout.write(drawn.note("muted", onlyShown(member)));
    },
    waits: (sentence) => io.stdout.write(drawn.waits(sentence)),
  };
}

/** What is being written stands there once it is written. */
function plainScreen(member: Member, people: People, { io }: CliContext): Screen {
  const caughtUp = (waits: string | null) => {
    if (waits !== null) tellSentence(io, `${waits} Ctrl-C ends this.`);
  };
  const waits = (sentence: string | null) => sentence !== null && tellSentence(io, sentence);
  return { add: plainLines(people, member.cwd ?? null, io.stdout), live() {}, caughtUp, waits };
}
