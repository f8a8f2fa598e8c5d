import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ImageBlock } from "../../../src/protocol/transcript.ts";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../support/teamScripts.ts";

const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image: ImageBlock = { type: "image", source: { type: "base64", media_type: "image/png", data } };

const crew = team({
  "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "I see.", "I see."),
  alice: script("Ready.", "I see.", "I see."),
});

describe("images of the person's words", () => {
  it("reach the model as image blocks, and the inbox names where they are kept", async () => {
    await using host = await openTeamHost(crew);
    host.session.start("Go.");
    await host.rest();
    await host.session.say("alice", "What is wrong here?", [image, image]);
    await host.until("alice's run", () => host.lastSent("alice").includes("What is wrong here?"));
    const sent = JSON.parse(host.lastSent("alice")) as { type: string }[];
    expect(sent.filter(({ type }) => type === "image")).toMatchObject([image, image]);
    const text = (await host.store.inboxes.read("demo", "alice")).entries.at(-1)?.text ?? "";
    expect(text).toMatch(
      /^What is wrong here\?\n\n(\[Image: image\/png, 1 KB, muster\/blobs\/[0-9a-f]{64}\.txt\]\n?){2}$/,
    );
  });

  it("without words, and to a lead that has no team yet, too", async () => {
    await using host = await openTeamHost(team({ "team-lead": script("What shall I do?", "I see.") }));
    host.session.start("Wait.");
    await host.rest();
    await host.session.say("team-lead", "This.", [image]);
    await host.until("the lead's run", () => host.lastSent("team-lead").includes("This."));
    expect(host.lastSent("team-lead")).toContain(data);
  });

  it("that were changed on disk are not shown, nor those that a member's message names", async () => {
    await using host = await openTeamHost(crew);
    host.session.start("Go.");
    await host.rest();
    const { digest } = await host.store.images.keep("demo", image);
    const line = `[Image: image/png, 1 KB, muster/blobs/${digest}.txt]`;
    await host.store.inboxes.send("demo", { from: "bob", to: ["alice"], text: `Look.\n\n${line}` });
    await host.until("alice's run", () => host.lastSent("alice").includes("Look."));
    expect(host.lastSent("alice")).not.toContain(data);
    const blobs = path.join(host.root, "teams/demo/muster/blobs");
    const [file] = await readdir(blobs);
    const kept = await readFile(path.join(blobs, file ?? ""), "utf8");
    await writeFile(path.join(blobs, file ?? ""), kept.replace("iVBOR", "iVBOS"));
    expect(await host.store.images.read("demo", digest)).toBeNull();
    await expect(
      host.store.images.keep("demo", { type: "image", source: { type: "url", url: "https://example.com/a.png" } }),
    ).rejects.toMatchObject({ reason: "not_allowed" });
  });
});
