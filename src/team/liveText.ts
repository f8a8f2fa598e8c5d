import type { Disposable } from "../base/disposable.ts";
import { errorMessage } from "../base/errors.ts";
import type { MemberContext } from "./context.ts";

const INTERVAL_MS = 100;
const KEPT_CHARACTERS = 4096;

/** What an earlier process of a member was writing when it was killed is not being written any more. */
export async function clearLiveText({ team, options }: MemberContext, member: string): Promise<void> {
  if (!team) return;
  await options.store.live
    .clear(team.folder, member)
    .catch((error: unknown) => options.logger.debug(`live/${member}.txt was not removed: ${errorMessage(error)}`));
}

/**
 * Keeps `live/{agent}.txt`: the end of the reply that a member is writing, at most 10 writes a second, so that readers
 * in other processes can watch. Those that are `isElsewhere` keep their own. Failures are logged: nothing depends on it.
 */
export function keepLiveTexts(
  context: MemberContext,
  isElsewhere: (member: string) => boolean = () => false,
): Disposable {
  const texts = new Map<string, string>();
  const timers = new Map<string, NodeJS.Timeout>();
  const { store, logger } = context.options;

  function write(member: string): void {
    timers.delete(member);
    const team = context.team?.folder;
    if (team === undefined) return;
    const text = texts.get(member) ?? "";
    const written = text === "" ? store.live.clear(team, member) : store.live.write(team, member, text);
    written.catch((error: unknown) => logger.debug(`live/${member}.txt was not written: ${errorMessage(error)}`));
  }

  const subscription = context.texts.event(({ member, text }) => {
    if (isElsewhere(member) || (text === null && !texts.has(member))) return;
    if (text === null) texts.delete(member);
    else texts.set(member, ((texts.get(member) ?? "") + text).slice(-KEPT_CHARACTERS));
    if (!timers.has(member))
      timers.set(
        member,
        setTimeout(() => write(member), INTERVAL_MS),
      );
  });
  return {
    dispose() {
      subscription.dispose();
      for (const timer of timers.values()) clearTimeout(timer);
      for (const member of new Set([...texts.keys(), ...timers.keys()])) {
        texts.delete(member);
        write(member); // nobody writes on
      }
    },
  };
}
