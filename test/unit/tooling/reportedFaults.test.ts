import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/project.ts";

/**
 * Faults that users of comparable systems reported. Each has at least one test whose title ends with its number,
 * `(row 4)` or `(rows 4, 6)`; the numbers are those of the list from which the faults were taken.
 */
const MAILBOX: Faults = {
  1: "writers at once lose messages",
  4: "one malformed entry holds up an inbox",
  6: "a message counts as sent although its write failed",
  7: "an idle notice overtakes the message before it",
  8: "an inbox of thousands of messages stalls its agent",
  9: "an old shutdown request ends a new member of the same name",
  10: "a message to a member that has ended vanishes",
  12: "a lead that starts again does not get the mail that waits for it",
  15: "an agent hears nothing more after long polling, or after its first message",
  16: "mail is lost when a busy agent does not take it",
  17: "a message that was sent is not found by its id",
  18: "without a team, files go to one called default",
  19: "a name leads out of the state root",
  20: "different names share one inbox",
};
const TASKS: Faults = {
  60: "work that is done, or that nobody does, stays in progress unseen",
  62: "two members claim one task, or one member two",
  64: "edges to oneself, in a circle, or to no task",
  65: "a member takes a task for which it has no tools",
  66: "a member runs the task of another with a similar name",
  67: "a late write brings a deleted task back",
  68: "an id is given twice",
  69: "tasks lie in the wrong list, or lose their metadata",
  70: "tasks of an owner that has died stay in progress",
};
const PERMISSIONS: Faults = {
  21: "a member's request never appears, and the member waits for ever",
  23: "the prompt fails over a path outside, a huge input, an unknown tool or missing fields",
  24: "a malformed, late, double or unknown answer ends the member",
  25: "a request that comes while nothing shows it is lost",
  27: "requests for tools of MCP servers do not appear",
  28: "what nobody answers counts as denied",
  30: "a person reads raw JSON in place of a prompt",
  31: "a text of a peer or a task counts as the person's word, or as a decision",
};
const PLANS: Faults = {
  32: "the runtime approves a plan by itself",
  33: "an approval does not wake its member",
  34: "an answer to an earlier plan counts for a later one",
  35: "a plan that could not be handed in counts as approved",
};
const SPAWNING: Faults = {
  38: "a start command is typed, and not submitted or eaten by a slow shell",
  39: "what a person types meanwhile goes into a new pane",
  41: "a shell's operators, or a first-run screen, stand in the way of a start",
  42: "the terminal's program decides against tmux although the lead is in tmux",
  43: "a start that fails leaves members, panes or processes, or happens twice",
  44: "members that start at once are in each other's way",
  46: "a pane starts in two steps, of which one is not to be had",
  47: "the word inherit is used as a model, or the model that was named is not",
};
const LIFECYCLE: Faults = {
  50: "a dead member is polled, written to or started again for ever",
  52: "members that died with their lead keep a team from being deleted",
  53: "the panel shows members who are not there",
  54: "panes, terminals or processes stay after an end of whatever kind",
  55: "news of a team comes after the team was removed",
  57: "a member that was removed comes back",
  59: "a lock of a process that died holds up an end",
};
const COST: Faults = {
  72: "idle notices wake the lead again and again",
  73: "an idle notice of a member that has ended still comes",
  74: "a lead whose conversation was shortened forgets its team, its tasks and what waits",
  77: "many members storm an API that is busy, and none hears a message while it waits",
  78: "what stopped teammates used is not given back",
};
const FILES: Faults = {
  81: "a rename fails while a reader holds the file, and temporary files stay",
  82: "members that register at once overwrite each other",
  83: "of two edits of one file at once, the last one wins",
  87: "after a reload the panel is another one, or terminals are there twice",
};

type Faults = Readonly<Record<number, string>>;

const titles = globSync("test/**/*.test.{ts,tsx}", { cwd: projectRoot })
  .map((file) => readFileSync(path.join(projectRoot, file), "utf8"))
  .flatMap((text) => [...text.matchAll(/\((?:row|rows) (\d+(?:, \d+)*)\)["'`]/g)])
  .flatMap(([, rows = ""]) => rows.split(", ").map(Number));
const named = new Set(titles);

describe.each([
  { part: "mailbox", faults: MAILBOX },
  { part: "permissions", faults: PERMISSIONS },
  { part: "plans", faults: PLANS },
  { part: "tasks", faults: TASKS },
  { part: "spawning and terminals", faults: SPAWNING },
  { part: "lifecycle", faults: LIFECYCLE },
  { part: "idle, cost, context", faults: COST },
  { part: "files", faults: FILES },
])("reported faults: $part", ({ faults }) => {
  it.each(Object.entries(faults))("a test names row %s: %s", (row) => {
    expect(named.has(Number(row))).toBe(true);
  });
});
