import { expect } from "vitest";
import { createStore } from "../../src/store/store.ts";

/** What a test that makes a state root ends with: the doctor finds no fault in the files of any team. */
export async function expectHealthy(root: string): Promise<void> {
  const store = createStore({ root });
  const { faults } = await store.doctor.check();
  store.dispose();
  expect(faults).toEqual([]);
}
