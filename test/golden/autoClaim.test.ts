import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createDemoScript, DEMO_GOAL, DEMO_MODEL } from "../../src/demo/demoTeam.ts";
import { startMessagesServer } from "../../src/demo/messagesServer.ts";
import { SAMPLE_PROJECT } from "../../src/demo/sampleProject.ts";
import type { Entry } from "../../src/protocol/message.ts";
import { type Task, taskMuster } from "../../src/protocol/task.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { runEvent } from "../support/cliContract.ts";
import { cliHome, startCli } from "../support/runCli.ts";

test("the third task is claimed by its idle claimer without a model request and without an inbox entry", async () => {
  const cli = useBuiltCli();
  const home = cliHome();
  const server = await startMessagesServer(createDemoScript({ quick: true }));
  try {
    for (const [file, text] of Object.entries(SAMPLE_PROJECT)) {
      mkdirSync(path.dirname(path.join(home.project, file)), { recursive: true });
      writeFileSync(path.join(home.project, file), text);
    }
    const PATH = `${path.dirname(process.execPath)}${path.delimiter}${home.env["PATH"]}`;
    const args = ["--model", DEMO_MODEL, "--permission-mode", "acceptEdits", "--approve", "stdin", "--json"];
    const running = startCli(cli.file, home, ["run", DEMO_GOAL, ...args], {
      env: { PATH, ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: server.url },
    });
    running.onLine((line) => {
      const event = runEvent.parse(JSON.parse(line));
      if (event.type !== "request") return;
      const decision = event.kind === "plan" ? { decision: "approve", mode: "acceptEdits" } : { decision: "allow" };
      running.write(`${JSON.stringify({ id: event.id, ...decision })}\n`);
    });
    const { code, stderr } = await running.result();
    expect({ code, stderr, failures: server.failures }).toEqual({ code: 0, stderr: "", failures: [] });

    const [kept] = globSync(path.join(home.root, "muster/history/*"));
    const read = <T>(file: string): T => JSON.parse(readFileSync(path.join(kept ?? "", file), "utf8"));
    const [first, second, third] = [1, 2, 3].map((id) => taskMuster(read<Task>(`tasks/${id}.json`)));
    const unblocked = Math.max(first?.completedAt ?? 0, second?.completedAt ?? 0);
    const { by = "", at: claimed = 0 } = third?.claim ?? {};
    expect(claimed).toBeGreaterThanOrEqual(unblocked);

    const requests = server.requests.filter(({ member }) => member === by);
    const before = requests.filter(({ at }) => at <= unblocked);
    expect(before.length).toBeGreaterThan(3);
    expect(before.every(({ endedAt }) => endedAt !== null && endedAt <= unblocked)).toBe(true); // it was idle
    expect(requests.filter(({ at }) => at > unblocked && at < claimed)).toEqual([]);
    const entries = read<Entry[]>(`inboxes/${by}.json`).map(({ timestamp, from, text }) => ({
      at: Date.parse(timestamp),
      from,
      text,
    }));
    expect(entries.filter(({ at }) => at <= unblocked).length).toBeGreaterThan(0);
    expect(entries.filter(({ at }) => at > unblocked && at <= claimed)).toEqual([]);
    // what it is asked first after the claim is the task
    const next = requests.find(({ at }) => at >= claimed);
    expect(JSON.stringify(next?.request.messages.at(-1))).toContain("Task #3");
  } finally {
    await server.close();
    home.remove();
  }
});
