import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Emitter } from "../../../src/base/emitter.ts";
import type { CliIo, OutputStream } from "../../../src/cli/cliIo.ts";
import { approveByAsking } from "../../../src/cli/run/askApprover.ts";
import type { PermissionRequest } from "../../../src/protocol/request.ts";
import { type RequestJournal, Requests } from "../../../src/team/requests/requests.ts";
import { eventually } from "../../support/eventually.ts";

const request: PermissionRequest = {
  ...{ kind: "permission", id: "a", from: "alice", createdAt: 1, task: null, said: null, cwd: "/project" },
  ...{ tool: "Bash", toolUseId: "use-a", input: { command: "npm test" }, description: "Bash: npm test" },
  ...{ reason: "Nothing allows it.", parts: null, guarded: false, suggestions: [] },
};

/** A person at a terminal before whom requests are put; `decided`: what becomes of a decision in the files. */
function asking(decided: RequestJournal["decided"]) {
  const requests = new Requests({ asked: async () => {}, decided, withdrawn: async () => {}, refused: async () => {} });
  const stdin = new PassThrough();
  const shown: string[] = [];
  const reported: unknown[] = [];
  const stream: OutputStream = { isTerminal: false, columns: undefined, colors: false, write() {} };
  const io: CliIo = {
    ...{ stdin, stdinIsTerminal: true, stdout: stream, stderr: stream, outputFault: null },
    ...{ onOutputClosed: new Emitter<void>().event, readInput: async () => "", flush: async () => {} },
  };
  const show = ({ id }: { id: string }) => {
    shown.push(id);
    return id;
  };
  const terminal = { io, show, rest: () => null, holdOutput: () => () => {}, onInterrupt() {} };
  const approver = approveByAsking(terminal, { desk: requests, ...decider(requests) }, (error) => reported.push(error));
  return { requests, stdin, shown, reported, approver };
}

function decider(requests: Requests) {
  const decide: Requests["decide"] = (id, decision, by) => requests.decide(id, decision, by);
  return { decide, failMember: async () => {} };
}

test("a request whose decision could not be written is reported, and asked again", async () => {
  let tries = 0;
  const person = asking(async () => {
    tries += 1;
    if (tries === 1) throw new Error("The inbox is locked.");
  });
  const answer = person.requests.ask(request, new AbortController().signal);
  await eventually("the question", () => person.shown.length === 1);
  await eventually("its answer to be heard", () => {
    if (tries === 0) person.stdin.write("y\n"); // what is typed too soon is thrown away
    return tries === 1;
  });
  await eventually("the question again", () => person.shown.length === 2);
  expect(person.reported).toEqual([new Error("The inbox is locked.")]);
  await eventually("its answer to be heard", () => {
    if (tries === 1) person.stdin.write("y\n");
    return tries === 2;
  });
  expect(await answer).toEqual({ decision: { kind: "allow", scope: "once" }, by: "person" });
  person.approver.dispose();
});

test("nothing is asked again, and no more reported, once the run is over", async () => {
  const person = asking(() => Promise.reject(new Error("The inbox is locked.")));
  const stop = new AbortController();
  const answer = person.requests.ask(request, stop.signal).catch(() => "withdrawn");
  await eventually("the question", () => person.shown.length === 1);
  person.stdin.end(); // a no
  await eventually("the failure", () => person.reported.length === 1);
  person.approver.dispose();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(person.shown).toEqual(["a"]);
  expect(person.reported).toHaveLength(1);
  stop.abort();
  expect(await answer).toBe("withdrawn");
});
