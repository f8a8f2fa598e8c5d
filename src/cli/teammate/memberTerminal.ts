import { createInterface } from "node:readline";
import { StringDecoder } from "node:string_decoder";
import { systemClock } from "../../base/clock.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { tellPauses } from "../../team/limits/tellPauses.ts";
import type { MemberProcess } from "../../team/process/memberProcess.ts";
import { MARK_NO_PASTES, MARK_PASTES } from "../../team/views/pastes.ts";
import { peopleOf } from "../../team/views/people.ts";
import { createTerminalInput } from "../../team/views/terminalInput.ts";
import { TerminalScreen } from "../../team/views/terminalScreen.ts";
import { keysText } from "../../team/views/terminalText.ts";
import type { CliContext } from "../context.ts";
import { onSignals } from "../onSignals.ts";
import { tellSentence } from "../tellSentence.ts";
import { decisionWait, tellWaits } from "./decisionWait.ts";
import { createInterruption } from "./interruption.ts";
import { jsonLines } from "./jsonLines.ts";
import { plainLines } from "./plainLines.ts";

/**
 * Shows the member of `team` in this terminal, or as plain lines where there is none, until it has ended; resolves to how.
 */
export async function showMember(
  member: MemberProcess,
  team: string,
  context: CliContext,
  log: { show(message: string): void },
): Promise<Awaited<MemberProcess["ended"]>> {
  const owned = new DisposableStore();
  try {
    const interruption = owned.add(createInterruption(member, (sentence) => log.show(sentence), systemClock));
    const interrupt = interruption.press;
    const surface =
      context.io.stdout.isTerminal && !context.json
        ? screen(member, interrupt, context, owned)
        : lines(member, context, owned);
    log.show = surface.note;
    owned.add(tellPauses(() => member.hold, member.onDidChange, surface.note));
    const store = context.store();
    const waits = async () =>
      member.view.state === "waiting" ? decisionWait(store, await store.snapshots.read(team), "here") : null;
    owned.add(tellWaits(waits, member.onDidChange, surface.waits));
    listen(member, interrupt, context.io, owned, surface);
    return await member.ended;
  } finally {
    log.show = () => {};
    owned.dispose();
  }
}

interface Surface {
  /** A sentence of our own. */
  note(message: string): void;
  /** What the member waits for, a sentence; null: it waits no more. */
  waits(sentence: string | null): void;
}

/** The transcript as it grows, the typed line below it. */
function screen(
  member: MemberProcess,
  interrupt: () => void,
  { io, cwd }: CliContext,
  owned: DisposableStore,
): Surface {
  const { name, displayName, color, agentType, model } = member.view;
  const people = peopleOf([{ name, displayName, color }]);
  const about = `${agentType} · ${model}`;
  const columns = () => io.stdout.columns ?? 80;
  const keys = io.stdinIsTerminal ? { keys: keysText(member.view) } : {};
  const drawn = new TerminalScreen({ member: people(name), about, ...keys, people, cwd }, columns());
  for (const record of member.transcript) drawn.add(record);
  io.stdout.write(drawn.resize(columns()));
  owned.add(member.onRecord(({ record }) => io.stdout.write(drawn.add(record))));
  owned.add(member.onText(({ text }) => io.stdout.write(drawn.write(text))));
  const resized = () => io.stdout.write(drawn.resize(columns()));
  process.stdout.on("resize", resized);
  owned.defer(() => process.stdout.off("resize", resized));
  if (io.stdinIsTerminal) takeKeys(member, interrupt, drawn, io, owned);
  owned.defer(() => io.stdout.write(`${drawn.type(null)}\r\n`));
  return {
    note: (message) => io.stdout.write(drawn.note("muted", message)),
    waits: (sentence) => io.stdout.write(drawn.waits(sentence)),
  };
}

function takeKeys(
  member: MemberProcess,
  interrupt: () => void,
  drawn: TerminalScreen,
  io: CliContext["io"],
  owned: DisposableStore,
): void {
  const input = owned.add(
    createTerminalInput({
      typed: (line) => io.stdout.write(drawn.type(line)),
      entered: (text) => {
        io.stdout.write(drawn.enter(text));
        member.say(text);
      },
      interrupted: interrupt,
    }),
  );
  process.stdin.setRawMode(true);
  io.stdout.write(MARK_PASTES);
  const decoder = new StringDecoder("utf8"); // a long paste comes in pieces that end within a character
  const feed = (data: Buffer) => {
    const text = decoder.write(data);
    if (text !== "") input.feed(text);
  };
  process.stdin.on("data", feed);
  owned.defer(() => {
    process.stdin.off("data", feed);
    io.stdout.write(MARK_NO_PASTES);
    process.stdin.setRawMode(false);
    process.stdin.pause();
  });
}

/** Lines, each finished when it is written: for scripts with `--json`, else for whoever reads what was kept. */
function lines(member: MemberProcess, context: CliContext, owned: DisposableStore): Surface {
  const { io, json } = context;
  if (json) jsonLines(member, context, owned);
  else readableLines(member, context, owned);
  if (io.stdinIsTerminal) takeLines(member, io, owned);
  return {
    note: (message) => tellSentence(io, message),
    waits: (sentence) => sentence !== null && !json && tellSentence(io, sentence),
  };
}

/** The transcript so far, and from then on what comes. */
function readableLines(member: MemberProcess, { io, cwd }: CliContext, owned: DisposableStore): void {
  const { name, displayName, color } = member.view;
  const add = plainLines(peopleOf([{ name, displayName, color }]), cwd, io.stdout);
  for (const record of member.transcript) add(record);
  owned.add(member.onRecord(({ record }) => add(record)));
}

/** What is typed while the output goes elsewhere (`muster teammate … | tee log`): the terminal itself edits the line. */
function takeLines(member: MemberProcess, { stdin }: CliContext["io"], owned: DisposableStore): void {
  const lines = createInterface({ input: stdin });
  lines.on("line", (line) => {
    if (line.trim() !== "") member.say(line);
  });
  owned.defer(() => {
    lines.close();
    stdin.pause();
  });
}

/** A teammate whose output nobody reads any more ends: no person could reach it. */
function listen(
  member: MemberProcess,
  interrupt: () => void,
  io: CliContext["io"],
  owned: DisposableStore,
  { note }: Surface,
): void {
  const end = () => member.end();
  owned.add(onSignals({ SIGINT: interrupt, SIGTERM: end, SIGHUP: end }));
  owned.add(io.onOutputClosed(end));
  owned.defer(() => note("This teammate has ended."));
}
