import type { Disposable } from "../../base/disposable.ts";
import type { MemberView } from "../../team/types.ts";

type KeptMember = Pick<MemberView, "name" | "incarnation">;

/** Open terminals, at most one for each member of a team, which belongs to the session that it was opened for. */
export class KeptTerminals<Terminal extends Disposable> implements Disposable {
  private readonly kept = new Map<string, { session: object; incarnation: string; terminal: Terminal }>();

  /**
   * The member's terminal, else a new one: also in place of one of an earlier member of its name, or of a session that has
   * ended and goes on under its id.
   */
  of(session: { readonly id: string }, { name, incarnation }: KeptMember, create: () => Terminal): Terminal {
    const key = `${session.id} ${name}`;
    const before = this.kept.get(key);
    if (before?.session === session && before.incarnation === incarnation) return before.terminal;
    before?.terminal.dispose();
    const terminal = create();
    this.kept.set(key, { session, incarnation, terminal });
    return terminal;
  }

  /** It was closed. */
  forget(closed: Terminal): void {
    for (const [key, { terminal }] of this.kept) if (terminal === closed) this.kept.delete(key);
  }

  /** Closes it; what is opened for its member from now on is another one. */
  close(terminal: Terminal): void {
    this.forget(terminal);
    terminal.dispose();
  }

  dispose(): void {
    for (const { terminal } of this.kept.values()) terminal.dispose();
    this.kept.clear();
  }
}
