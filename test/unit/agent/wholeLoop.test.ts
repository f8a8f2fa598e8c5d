import { describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../../src/agent/anthropicModel.ts";
import { withRetry } from "../../../src/agent/retry.ts";
import { agentRun } from "../../support/agentRun.ts";
import { answerError, answerEvents, replyEvents, startAnswerServer } from "../../support/answerServer.ts";
import { apiFaults } from "../../support/apiRules.ts";
import { instantClock } from "../../support/manualClock.ts";
import { toolBench } from "../../support/toolBench.ts";

describe("the loop over a real server, real files and real commands", () => {
  it("mends a file through an overloaded API and a cut stream, and every request is valid", async () => {
    await using bench = await toolBench();
    await bench.write("sum.sh", "echo $((1 - 1))\n");
    const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
    const look = [use("r", "Read", { file_path: "sum.sh" }), use("g", "Grep", { pattern: "1 - 1" })];
    const edit = use("e", "Edit", { file_path: "sum.sh", old_string: "1 - 1", new_string: "1 + 1" });
    const mend = [
      { type: "thinking", thinking: "A minus.", signature: "sig" },
      edit,
      use("b", "Bash", { command: "bash sum.sh" }),
    ];
    await using server = await startAnswerServer([
      answerError(529, "overloaded_error", "Overloaded"),
      answerEvents(replyEvents(look, "tool_use")),
      answerEvents(replyEvents(mend, "tool_use").slice(0, -1)),
      answerEvents(replyEvents(mend, "tool_use")),
      answerEvents(replyEvents([{ type: "text", text: "It says 2." }])),
    ]);
    const api = createAnthropicModel({ apiKey: async () => "key", baseUrl: server.url });
    const run = agentRun(withRetry(api, { clock: instantClock(), random: () => 0 }), bench.tools);

    expect(await run.start()).toEqual({ kind: "completed" });
    expect(await bench.read("sum.sh")).toBe("echo $((1 + 1))\n");
    const lines = run.lines();
    const together = lines.splice(4, 2).toSorted(); // side by side: in the order in which they end
    expect([...lines.slice(0, 4), ...together, ...lines.slice(4)]).toEqual([
      "input person: Go.",
      "reply tool_use: Read#r Grep#g",
      "start r",
      "start g",
      "result g: sum.sh",
      "result r:      1\techo $((1 - 1))",
      "reply tool_use: thinking Edit#e Bash#b",
      "start e",
      "result e: Changed sum.sh at line 1.",
      "start b",
      "result b: 2",
      "reply end_turn: It says 2.",
      "end completed",
    ]);
    expect(server.requests).toHaveLength(5);
    for (const { body } of server.requests) expect(apiFaults(body.messages as never)).toEqual([]);
    expect(server.requests[4]?.body.messages[3]).toEqual({ role: "assistant", content: mend });
  });
});
