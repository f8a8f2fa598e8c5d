import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { eventually } from "../support/eventually.ts";
import { sendWhatWaits } from "../support/healthy.ts";
import { ALICE, useTeamByHand } from "../support/teamByHand.ts";
import { calls, script, team } from "../support/teamScripts.ts";
import { tmuxScreen } from "../support/tmuxScreen.ts";

const cli = useBuiltCli();
const hand = useTeamByHand(sendWhatWaits);

/** alice runs a command for a minute; `sent`: what her model was sent last. */
async function prepared() {
  const asleep = calls(call("Bash", { command: "sleep 60" }));
  const env = await hand.prepared(team({ alice: script(asleep, "Slept.", "Fine.") }));
  return { env, sent: () => JSON.stringify(hand.server?.requests.at(-1)?.request.messages ?? "") };
}

describe("what a person types in a teammate's terminal while it works", () => {
  it("is kept for its next process where it ends, and heard once", async () => {
    const { env, sent } = await prepared();
    const command = `cd '${hand.home.project}' && '${process.execPath}' '${cli.file}' ${ALICE} --dangerously-skip-permissions --root '${hand.home.root}'`;
    const inbox = path.join(hand.home.root, "teams/demo/inboxes/alice.json");
    const first = tmuxScreen(command, env, 80);
    try {
      await first.shows("Bash sleep 60");
      first.press("Mind the gap.");
      await first.shows("Mind the gap.");
      first.press("Enter");
      await eventually("the line to wait", () => first.styled().includes("\x1b[2m› Mind the gap."));
    } finally {
      first.close();
    }
    await eventually("the words in its inbox", () => readFileSync(inbox, "utf8").includes("Mind the gap."));
    const next = tmuxScreen(command, env, 80);
    try {
      await next.shows("Slept.");
      await eventually("its words to be heard", () => sent().includes("Mind the gap."));
      next.type("And now?");
      await eventually("the next words", () => sent().includes("And now?"));
      expect(sent().split("Mind the gap.")).toHaveLength(2);
    } finally {
      next.close();
    }
  });

  it("is sent by Enter, and arrives whole where it is pasted, long and of many bytes a character", async () => {
    const { env } = await prepared();
    const command = `cd '${hand.home.project}' && exec '${process.execPath}' '${cli.file}' ${ALICE} --dangerously-skip-permissions --root '${hand.home.root}'`;
    const inbox = path.join(hand.home.root, "teams/demo/inboxes/alice.json");
    const words = `x${"研究员工程师🧪é".repeat(500)} and the end`;
    const screen = tmuxScreen(command, env, 80);
    try {
      await screen.shows("Bash sleep 60");
      screen.paste(`${words.replace(" and", "\nand")}\n`);
      await screen.shows("and the end");
      expect(readFileSync(inbox, "utf8")).not.toContain("and the end"); // a line end that is pasted is no Enter
      screen.press("Enter");
      await eventually("the words in its inbox", () => readFileSync(inbox, "utf8").includes(words.slice(-40)));
      const entries: { from: string; text: string }[] = JSON.parse(readFileSync(inbox, "utf8"));
      expect(entries.find(({ from }) => from === "user")?.text.trimEnd()).toBe(words);
    } finally {
      screen.close();
    }
  });

  it("is kept also where it is killed, and heard once", async () => {
    const { env, sent } = await prepared();
    const command = `cd '${hand.home.project}' && exec '${process.execPath}' '${cli.file}' ${ALICE} --dangerously-skip-permissions --root '${hand.home.root}'`;
    const inbox = path.join(hand.home.root, "teams/demo/inboxes/alice.json");
    const first = tmuxScreen(command, env, 80);
    try {
      await first.shows("Bash sleep 60");
      first.type("Mind the gap.");
      await eventually("the words in its inbox", () => readFileSync(inbox, "utf8").includes("Mind the gap."));
      const presence = JSON.parse(
        readFileSync(path.join(hand.home.root, "teams/demo/muster/presence/alice.json"), "utf8"),
      );
      process.kill(presence.pid, "SIGKILL");
    } finally {
      first.close();
    }
    const next = tmuxScreen(command, env, 80);
    try {
      await next.shows("Slept.");
      await eventually("its words to be heard", () => sent().includes("Mind the gap."));
      next.type("And now?");
      await eventually("the next words", () => sent().includes("And now?"));
      expect(sent().split("Mind the gap.")).toHaveLength(2);
      expect(sent().split("And now?")[0]).toMatch(/verified=\\"false\\"[^>]*>\\nMind the gap/);
      expect(sent().split("And now?")[1]).not.toContain("verified=");
    } finally {
      next.close();
    }
  });
});
