import { isoTime, systemClock } from "../../base/clock.ts";
import type { DisposableStore } from "../../base/disposable.ts";
import type { TeamEvent } from "../../protocol/events.ts";
import type { MemberProcess } from "../../team/process/memberProcess.ts";
import type { CliContext } from "../context.ts";

/** `--json`: the member's state, and from then on its events as `muster run --json` tells them, one a line. */
export function jsonLines(member: MemberProcess, { io }: CliContext, owned: DisposableStore): void {
  const write = (event: TeamEvent) =>
    io.stdout.write(`${JSON.stringify({ at: isoTime(systemClock.now()), ...event })}\n`);
  let told = "";
  const tellState = () => {
    const { name, state, reason } = member.view;
    if (told === `${state} ${reason}`) return;
    told = `${state} ${reason}`;
    write({ type: "member_state", member: name, state, ...(reason === null ? {} : { reason }) });
  };
  tellState();
  owned.add(member.onDidChange(tellState));
  owned.add(member.events(write));
}
