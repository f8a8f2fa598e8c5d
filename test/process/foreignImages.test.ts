import { expect, it } from "vitest";
import type { ImageBlock } from "../../src/protocol/transcript.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image: ImageBlock = { type: "image", source: { type: "base64", media_type: "image/png", data } };

it("a teammate that is another program is sent no image, and the person is told; text arrives", async () => {
  const program = {
    argv: [process.execPath, "-e", "setInterval(() => {}, 1000)"],
    isOwn: false,
    isSigned: false,
    env: { PATH: process.env["PATH"] ?? "" },
  };
  await using host = await openTeamHost(
    team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "I see.") }),
    {},
    { processes: { starter: childStarter(), cli: "", program } },
  );
  host.session.start("Go.");
  await host.until("alice", () => host.session.members().some(({ name }) => name === "alice"));
  await expect(host.session.say("alice", "Look.", [image])).rejects.toMatchObject({
    reason: "not_allowed",
    message: "alice runs another program and cannot be shown images: send the text alone.",
  });
  await host.session.say("alice", "Look.");
  const texts = (await host.store.inboxes.read("demo", "alice")).entries.map(({ text }) => text);
  expect(texts.at(-1)).toBe("Look.");
  expect(texts.join()).not.toContain("muster/blobs");
});
