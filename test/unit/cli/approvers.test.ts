import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { Emitter } from "../../../src/base/emitter.ts";
import type { CliIo } from "../../../src/cli/cliIo.ts";
import { type Decider, decideByPolicy, type Policy } from "../../../src/cli/run/approver.ts";
import { approveAll, approveNone } from "../../../src/cli/run/policies.ts";
import { approveByStdin } from "../../../src/cli/run/stdinApprover.ts";
import type { PermissionRequest, PlanRequest } from "../../../src/protocol/request.ts";
import { type Decided, Requests } from "../../../src/team/requests/requests.ts";

const permission = (id: string, more: Partial<PermissionRequest> = {}): PermissionRequest => ({
  kind: "permission",
  id,
  from: "alice",
  createdAt: 1,
  task: null,
  said: null,
  tool: "Bash",
  toolUseId: `use-${id}`,
  input: { command: "npm test" },
  cwd: "/project",
  description: "Bash: npm test",
  reason: "Nothing allows it.",
  parts: null,
  guarded: false,
  suggestions: [],
  ...more,
});

const plan = (id: string, from = "alice"): PlanRequest => ({
  kind: "plan",
  id,
  from,
  createdAt: 1,
  task: null,
  said: null,
  planFilePath: "/state/plans/x.md",
  planContent: "# Plan",
  version: 1,
  afterMode: "acceptEdits",
});

/** The real desk of a session, with what became of everything that was asked. */
function desk() {
  const stop = new AbortController();
  const requests = new Requests({
    asked: async () => {},
    decided: async () => {},
    withdrawn: async () => {},
    refused: async () => {},
  });
  const decided = new Map<string, Decided>();
  const failed: string[] = [];
  const decider: Decider = {
    desk: requests,
    decide: (id, decision, by) => requests.decide(id, decision, by),
    failMember: async (member, reason) => void failed.push(`${member}: ${reason}`),
  };
  const ask = (request: PermissionRequest | PlanRequest) =>
    requests.ask(request, stop.signal).then(
      (answer) => void decided.set(request.id, answer),
      () => {},
    );
  return { requests, decider, decided, failed, ask, stop };
}

/** Resolves when everything that is already under way has happened. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

async function decideBy(policy: Policy, asked: (PermissionRequest | PlanRequest)[]) {
  const table = desk();
  decideByPolicy(policy, table.decider, () => {});
  for (const request of asked) await table.ask(request);
  return table;
}

describe("a policy", () => {
  test("decides again what could not be written, and says so once", async () => {
    const table = desk();
    const reported: unknown[] = [];
    let tries = 0;
    const decide: Decider["decide"] = async (id, decision, by) => {
      tries += 1;
      if (tries < 3) throw new Error("The inbox is locked.");
      return table.requests.decide(id, decision, by);
    };
    const deciding = decideByPolicy(approveAll(), { ...table.decider, decide }, (error) => reported.push(error));
    await table.ask(permission("a"));
    deciding.dispose();
    expect(table.decided.get("a")?.decision).toEqual({ kind: "allow", scope: "once" });
    expect(tries).toBe(3);
    expect(reported).toHaveLength(1);
  });

  test("gives up what was withdrawn, and everything when it is disposed", async () => {
    const table = desk();
    let tries = 0;
    const decide: Decider["decide"] = async () => {
      tries += 1;
      throw new Error("The inbox is locked.");
    };
    const deciding = decideByPolicy(approveAll(), { ...table.decider, decide }, () => {});
    const asked = table.ask(permission("a"));
    await settle();
    table.stop.abort();
    await asked;
    deciding.dispose();
    await settle();
    expect(tries).toBe(1);
  });
});

describe("--approve all", () => {
  test("allows what asks once and approves plans with the mode that they propose", async () => {
    const { decided } = await decideBy(approveAll(), [permission("a"), plan("b")]);
    expect(decided.get("a")).toEqual({ decision: { kind: "allow", scope: "once" }, by: "policy" });
    expect(decided.get("b")).toEqual({ decision: { kind: "approve", mode: "acceptEdits" }, by: "policy" });
  });

  test("denies protected paths and critical removals, and tells the model why", async () => {
    const { decided } = await decideBy(approveAll(), [
      permission("a", { guarded: true, reason: "It removes the project." }),
    ]);
    expect(decided.get("a")?.decision).toEqual({
      kind: "deny",
      reason: expect.stringContaining("It removes the project."),
    });
  });
});

describe("--approve none", () => {
  test("denies permissions, sends a first plan back, and gives up who sends a second one", async () => {
    const asked = [permission("a"), plan("b"), plan("c", "bob"), plan("d")];
    const { decided, failed } = await decideBy(approveNone("flag"), asked);
    expect(decided.get("a")?.decision.kind).toBe("deny");
    expect([..."bcd"].map((id) => decided.get(id)?.decision.kind)).toEqual(["reject", "reject", "reject"]);
    expect(failed).toEqual([expect.stringMatching(/^alice: /)]);
  });
});

describe("--approve stdin", () => {
  const input = () => new PassThrough();
  const cleanUps: (() => void)[] = [];
  afterEach(() => {
    for (const cleanUp of cleanUps.splice(0)) cleanUp();
  });

  function started() {
    const table = desk();
    const stdin = input();
    let stderr = "";
    const stream = { isTerminal: false, columns: undefined, colors: false };
    const io: CliIo = {
      stdin,
      stdinIsTerminal: false,
      stdout: { ...stream, write: () => {} },
      stderr: {
        ...stream,
        write: (text) => {
          stderr += text;
        },
      },
      onOutputClosed: new Emitter<void>().event,
      outputFault: null,
      readInput: async () => "",
      flush: async () => {},
    };
    const reported: unknown[] = [];
    const approver = approveByStdin(io, table.decider, (error) => reported.push(error), approveNone("input_ended"));
    cleanUps.push(
      () => approver.dispose(),
      () => table.stop.abort(),
    );
    return {
      ...table,
      reported,
      say: async (...lines: unknown[]) => {
        for (const line of lines) stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
        await settle();
      },
      end: async () => {
        stdin.end();
        await settle();
      },
      errors: () => stderr.split("\n").filter(Boolean),
    };
  }

  test("decides as a person: with a changed input, a reason, a mode, comments", async () => {
    const table = started();
    void table.ask(permission("a"));
    void table.ask(permission("b"));
    void table.ask(plan("c"));
    void table.ask(plan("d", "bob"));
    await table.say(
      { id: "a", decision: "allow", updatedInput: { command: "npm t" } },
      { id: "b", decision: "deny", reason: "not now" },
      { id: "c", decision: "approve", mode: "default" },
      { id: "d", decision: "reject", reason: "smaller" },
    );
    expect([...table.decided.values()]).toEqual([
      { decision: { kind: "allow", scope: "once", updatedInput: { command: "npm t" } }, by: "person" },
      { decision: { kind: "deny", reason: "not now" }, by: "person" },
      { decision: { kind: "approve", mode: "default" }, by: "person" },
      { decision: { kind: "reject", feedback: "smaller" }, by: "person" },
    ]);
    expect(table.errors()).toEqual([]);
  });

  test("a line that is malformed, unknown or of the other kind does nothing and is told once", async () => {
    const table = started();
    void table.ask(permission("a"));
    await table.say(
      "{",
      { id: "a" },
      { id: "a", decision: "maybe" },
      { id: "zzz", decision: "allow" },
      { id: "a", decision: "approve" },
      "",
    );
    expect(table.decided.size).toBe(0);
    expect(table.errors()).toHaveLength(5);
    expect(table.errors().every((line) => line.startsWith("muster: "))).toBe(true);
    await table.say({ id: "a", decision: "allow" }, { id: "a", decision: "deny" });
    expect(table.decided.get("a")?.decision.kind).toBe("allow");
    expect(table.errors()).toHaveLength(6);
  });

  test("after its end, what waits and what comes later is decided as with none", async () => {
    const table = started();
    void table.ask(permission("a"));
    await table.say({ id: "x", decision: "allow" });
    await table.end();
    void table.ask(permission("b"));
    void table.ask(plan("c"));
    await settle();
    const { decision } = table.decided.get("c") ?? {};
    expect(decision).toMatchObject({ feedback: expect.stringContaining("Standard input has ended") });
    expect(table.decided.get("a")).toMatchObject({ decision: { kind: "deny" }, by: "policy" });
    expect(table.decided.get("b")).toMatchObject({ decision: { kind: "deny" }, by: "policy" });
    expect(table.reported).toEqual([]);
  });
});
