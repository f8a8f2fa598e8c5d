import { createInterface, type Interface } from "node:readline";
import { setImmediate as turn } from "node:timers/promises";
import { isAborted, raceAbort, throwIfAborted } from "../../base/abort.ts";
import { systemClock } from "../../base/clock.ts";
import { type Deferred, deferred } from "../../base/deferred.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { modeWords } from "../../protocol/mode.ts";
import { AFTER_PLAN_MODES } from "../../protocol/panel.ts";
import type { Decision, PendingRequest, PermissionRequest, PlanRequest } from "../../protocol/request.ts";
import { suggestedChanges, suggestedMode } from "../../team/requests/suggested.ts";
import type { CliIo, OutputStream } from "../cliIo.ts";
import { usableWidth } from "../render/table.ts";
import { visibleLine } from "../render/visibleText.ts";
import { wrapPainted } from "../render/wrapText.ts";
import type { Decider } from "./approver.ts";
import type { RestOfRequest } from "./requestText.ts";

/** The terminal as the prompts need it. */
export interface AskTerminal {
  io: CliIo;
  /** What a person needs for the decision. */
  show(request: PendingRequest): string;
  /** What that leaves out; null: nothing. */
  rest(request: PendingRequest): RestOfRequest | null;
  /** Other output waits until the returned function is called. */
  holdOutput(): () => void;
  /** Ctrl-C, which the terminal hands to the prompt instead of the process. */
  onInterrupt(): void;
}

/** What is typed sooner after a request was shown, in ms, or before it, was not meant for it. */
const DEAF_MS = 500;

/** After so long a request is asked again whose decision could not be written, in ms. */
const RETRY_MS = 1_000;

/**
 * `--approve ask`: asks for one request after the other on the terminal, oldest first. Nothing is preselected: after an
 * empty or unknown answer it says which there are and asks again, the end of the input is a no. Nobody decides what they
 * have not seen: what was typed before is thrown away, and what is cut is shown before it can be allowed. A request that is
 * withdrawn while it is shown is taken away; one whose decision could not be written is reported and asked again.
 */
export function approveByAsking(terminal: AskTerminal, decider: Decider, report: (error: unknown) => void): Disposable {
  const owned = new DisposableStore();
  const stopped = new AbortController();
  owned.defer(() => stopped.abort());
  let asking = false;
  const askNext = async () => {
    if (asking) return;
    asking = true;
    try {
      for (let next = decider.desk.pending[0]; next && !stopped.signal.aborted; next = decider.desk.pending[0]) {
        try {
          await askOne(next, terminal, decider, stopped.signal);
        } catch (error) {
          report(error);
          await systemClock.sleep(RETRY_MS, stopped.signal);
        }
      }
    } finally {
      asking = false;
    }
  };
  const look = () => {
    askNext().catch((error: unknown) => {
      if (!isAborted(error)) report(error);
    });
  };
  owned.add(decider.desk.onDidChange(look));
  look();
  return owned;
}

async function askOne(
  request: PendingRequest,
  terminal: AskTerminal,
  decider: Decider,
  stopped: AbortSignal,
): Promise<void> {
  const withdrawn = new AbortController();
  const inputEnded = new AbortController();
  const subscription = decider.desk.onDidChange(() => {
    if (!decider.desk.pending.some(({ id }) => id === request.id)) withdrawn.abort();
  });
  const release = terminal.holdOutput();
  // without a prompt of its own, which it would draw when what was typed before is thrown away
  const lines = createInterface({ input: terminal.io.stdin, output: process.stderr, terminal: true, prompt: "" });
  lines.on("SIGINT", () => {
    terminal.io.stderr.write("\n"); // what it says does not stand behind the prompt
    terminal.onInterrupt();
    if (isWaiting()) lines.prompt(true);
  });
  lines.on("close", () => inputEnded.abort());
  const over = AbortSignal.any([withdrawn.signal, stopped, inputEnded.signal]);
  const isWaiting = () => !over.aborted;
  const ask = answersOf(terminal.io, lines, over);
  try {
    terminal.io.stderr.write(`\n${terminal.show(request)}\n`);
    await ask.afresh();
    const decision = await askDecision(request, ask, terminal);
    await decider.decide(request.id, decision, "person");
  } catch (error) {
    if (!isAborted(error)) throw error;
    if (stopped.aborted) return;
    terminal.io.stderr.write(withdrawn.signal.aborted ? "\nNo longer needed.\n" : "\nNo.\n");
    if (!withdrawn.signal.aborted) await decider.decide(request.id, noAnswer(request), "person");
  } finally {
    subscription.dispose();
    lines.close();
    release();
  }
}

/** The end of the input (Ctrl-D) says no. */
function noAnswer(request: PendingRequest): Decision {
  return request.kind === "plan" ? { kind: "reject", feedback: "" } : { kind: "deny" };
}

/** Both reject with AbortedError when nobody can answer any more. */
interface Ask {
  /** Asks one question and gives the line that answers it: one that came before, or the next. */
  line(question: string): Promise<string>;
  /** Throws away what was typed so far, and is typed in the next half second: something has been shown just now. */
  afresh(): Promise<void>;
}

function answersOf({ stderr }: CliIo, lines: Interface, signal: AbortSignal): Ask {
  const early: string[] = [];
  let waiting: Deferred<string> | null = null;
  let deaf = false;
  lines.on("line", (line) => {
    if (waiting) waiting.resolve(line);
    else if (!deaf) early.push(line);
    waiting = null;
  });
  return {
    async line(question) {
      throwIfAborted(signal);
      const head = question.slice(0, question.lastIndexOf("\n") + 1); // the prompt itself has one line
      stderr.write(head);
      lines.setPrompt(question.slice(head.length));
      lines.prompt();
      const line = early.shift();
      if (line !== undefined) return line;
      waiting = deferred();
      return raceAbort(waiting.promise, signal);
    },
    async afresh() {
      early.length = 0;
      deaf = true;
      lines.setPrompt("");
      await systemClock.sleep(DEAF_MS, signal);
      await turn(); // on a busy machine time passes before what was typed has been read
      lines.write(null, { ctrl: true, name: "e" });
      lines.write(null, { ctrl: true, name: "u" }); // what has no Enter yet
      deaf = false;
    },
  };
}

interface Choice {
  key: string;
  label: string;
  /** Null: the person wants to choose again. */
  decide(ask: Ask): Promise<Decision | null>;
}

function askDecision(request: PendingRequest, ask: Ask, terminal: AskTerminal): Promise<Decision> {
  const { stderr } = terminal.io;
  const choices = request.kind === "plan" ? planChoices(request) : permissionChoices(request);
  const choose = (from: readonly Choice[]) => askAmong(from, ask, terminal.io);
  const rest = terminal.rest(request);
  if (!rest) return choose(choices);
  const showRest = async (): Promise<Decision> => {
    stderr.write(`${rest.text}\n`);
    await ask.afresh();
    return choose(choices);
  };
  return choose([{ key: "m", label: rest.label, decide: showRest }, ...choices.filter(({ key }) => key === "n")]);
}

async function askAmong(choices: readonly Choice[], ask: Ask, { stderr }: CliIo): Promise<Decision> {
  const width = usableWidth(stderr.columns);
  const keys = anyOf(choices.map(({ key }) => key));
  const list = wrapPainted(choices.map(({ key, label }) => `[${key}] ${label}`).join("\n"), width);
  for (;;) {
    const answer = (await ask.line(`${list}\n> `)).trim().toLowerCase();
    const chosen = choices.find(({ key }) => key === answer);
    if (chosen) {
      const decision = await chosen.decide(ask);
      if (decision) return decision;
      continue;
    }
    tellBetween(
      stderr,
      `${answer === "" ? "Nothing" : JSON.stringify(visibleLine(answer).slice(0, 40))} is no answer here: type ${keys}, then Enter.`,
    );
  }
}

function tellBetween(stderr: OutputStream, sentence: string): void {
  stderr.write(`${wrapPainted(sentence, usableWidth(stderr.columns))}\n`);
}

/** `y, s or n`. */
function anyOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");
}

function permissionChoices(request: PermissionRequest): Choice[] {
  const longer = longerLabels(request);
  const allow = (scope: "once" | "session" | "always") => (): Promise<Decision> =>
    Promise.resolve({ kind: "allow", scope });
  const forLonger = [
    { key: "s", label: longer.session, decide: allow("session") },
    { key: "a", label: longer.always, decide: allow("always") },
  ];
  return [
    { key: "y", label: "allow once", decide: allow("once") },
    ...(suggestedChanges(request.suggestions).length === 0 ? [] : forLonger),
    { key: "n", label: "deny", decide: askReason },
  ];
}

/** What a longer permission changes: a mode is changed for every later call, so it is not called allowing this one. */
function longerLabels({ suggestions }: PermissionRequest): { session: string; always: string } {
  const mode = suggestedMode(suggestions);
  const kept = visibleLine(suggestedChanges(suggestions.filter(({ type }) => type !== "setMode")).join(", "));
  const always = kept === "" ? "allow" : `always allow ${kept}`;
  if (mode === undefined) return { session: "allow for this session", always };
  return {
    session: `allow, and work in mode ${modeWords(mode)} for this session`,
    always: `${always}, and work in mode ${modeWords(mode)} from now on, in later teams too`,
  };
}

async function askReason(ask: Ask): Promise<Decision> {
  const reason = (await ask.line("Why not? (Enter: no reason) ")).trim();
  return reason === "" ? { kind: "deny" } : { kind: "deny", reason };
}

function planChoices(request: PlanRequest): Choice[] {
  const modes = [request.afterMode, ...AFTER_PLAN_MODES.filter((mode) => mode !== request.afterMode)];
  const approvals = modes.slice(0, 2).map((mode, index) => ({
    key: index === 0 ? "y" : "d",
    label: `approve, then ${mode}`,
    decide: () => Promise.resolve<Decision>({ kind: "approve", mode }),
  }));
  return [...approvals, { key: "n", label: "send back with comments", decide: askComments }];
}

/** Null without a comment: nothing is sent back by a slip, since a plan goes back with what should change. */
async function askComments(ask: Ask): Promise<Decision | null> {
  const feedback = (await ask.line("What should change? (Enter: back) ")).trim();
  return feedback === "" ? null : { kind: "reject", feedback };
}
