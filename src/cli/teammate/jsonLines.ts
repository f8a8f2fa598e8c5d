import { isoTime, systemClock } from "../../base/clock.ts";
import type { DisposableStore } from "../../base/disposable.ts";
import type { TeamEvent } from "../../protocol/events.ts";
import { newStates } from "../../team/newStates.ts";
import type { MemberProcess } from "../../team/process/memberProcess.ts";
import type { CliContext } from "../context.ts";

/** `--json`: the member's state, and from then on its events as `muster run --json` tells them, one a line. */
export function jsonLines(member: MemberProcess, { io }: CliContext, owned: DisposableStore): void {
  const write = (event: TeamEvent) =>
    io.stdout.write(`${JSON.stringify({ at: isoTime(systemClock.now()), ...event })}\n`);
  const newState = newStates();
  const tellState = () => {
    const event = newState(member.view);
    if (event) write(event);
  };
  tellState();
  owned.add(member.onDidChange(tellState));
  owned.add(member.events(write));
}
