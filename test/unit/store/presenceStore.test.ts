import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

describe("presence and live text", () => {
  const presence = {
    incarnation: "i",
    state: "working" as const,
    since: 1,
    beat: 2,
    pid: 3,
    host: "h",
    startTime: null,
  };

  test("are one file each, and go", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "bob");
    await store.presence.write("demo", "bob", presence);
    await store.presence.write("demo", "bob", { ...presence, state: "idle" });
    await writeFile(join(temp.root, "teams/demo/muster/presence/eve.json"), "{");
    expect([...(await store.presence.readAll("demo")).entries()]).toEqual([["bob", { ...presence, state: "idle" }]]);
    await store.presence.remove("demo", "bob");
    await store.presence.remove("demo", "bob");
    expect((await store.presence.readAll("demo")).size).toBe(0);
    expect(await store.live.read("demo", "bob")).toBe("");
    await store.live.write("demo", "bob", "so far");
    expect(await store.live.read("demo", "bob")).toBe("so far");
    await store.live.clear("demo", "bob");
    expect(await store.live.read("demo", "bob")).toBe("");
  });

  test("of a long reply keep the last 4 KB in whole characters", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    await temp.store.live.write("demo", "bob", `${"x".repeat(10_000)}${"\u{1F600}".repeat(2_000)}`);
    const text = await temp.store.live.read("demo", "bob");
    expect(text).toBe("\u{1F600}".repeat(1_024));
  });
});
