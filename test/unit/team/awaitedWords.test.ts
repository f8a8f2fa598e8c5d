import { expect, test } from "vitest";
import { awaitedWords } from "../../../src/team/atRest.ts";
import type { RunningMember, SessionContext } from "../../../src/team/context.ts";

interface Given {
  state: string;
  reason: string | null;
  /** How its last run ended, where that was the last thing it did. */
  ended?: "aborted" | "completed";
  /** It runs in the lead's own process. */
  here?: true;
}

/** Whether words are awaited for a member that is so. */
function isAwaited({ state, reason, ended, here }: Given): boolean {
  const member = { name: "alice", spec: { backend: here ? "in-process" : "tmux" }, view: () => ({ state, reason }) };
  const transcript = ended ? [{ kind: "run_end", outcome: ended }] : [{ kind: "reply" }];
  const running = { member, transcript } as unknown as RunningMember;
  return awaitedWords({ teammates: new Map([["alice", running]]) } as unknown as SessionContext).length > 0;
}

test.each<[string, Given, boolean]>([
  ["interrupted at its terminal", { state: "idle", reason: "interrupted", ended: "aborted" }, true],
  ["that before its transcript was read", { state: "idle", reason: "interrupted" }, true],
  ["interrupted, and not heard of since: the machine slept", { state: "suspect", reason: "x", ended: "aborted" }, true],
  ["lost in the middle of its work", { state: "suspect", reason: "x" }, false],
  ["idle", { state: "idle", reason: null, ended: "completed" }, false],
  ["idle, before its transcript was read", { state: "idle", reason: null, ended: "aborted" }, false],
  ["woken", { state: "working", reason: null, ended: "aborted" }, false],
  ["failed", { state: "failed", reason: "x" }, false],
  ["without a terminal of its own", { state: "idle", reason: "interrupted", ended: "aborted", here: true }, false],
])("a member that is %s", (_, given, awaited) => {
  expect(isAwaited(given)).toBe(awaited);
});
