import { describe, expect, it } from "vitest";
import { DisposableStore, releasedOnFailure } from "../../../src/base/disposable.ts";

describe("what is owned", () => {
  it("is released in reverse order, once, and at once where it comes too late", () => {
    const released: string[] = [];
    const owned = new DisposableStore();
    for (const name of ["first", "second"]) owned.defer(() => released.push(name));
    owned.dispose();
    owned.dispose();
    owned.defer(() => released.push("late"));
    expect(released).toEqual(["second", "first", "late"]);
  });

  it("is kept for what was made of it, and released where the making failed", async () => {
    let released = 0;
    const owned = {
      dispose() {
        released += 1;
      },
    };
    expect(await releasedOnFailure(owned, async () => "made")).toBe("made");
    expect(released).toBe(0);
    await expect(releasedOnFailure(owned, () => Promise.reject(new Error("No.")))).rejects.toThrow("No.");
    expect(released).toBe(1);
  });
});
