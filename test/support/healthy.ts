import { expect } from "vitest";
import { PERSON_NAME } from "../../src/protocol/names.ts";
import { createStore } from "../../src/store/store.ts";

/** What a test that makes a state root ends with: the doctor finds no fault in the files of any team. */
export async function expectHealthy(root: string): Promise<void> {
  const store = createStore({ root });
  const { faults } = await store.doctor.check();
  store.dispose();
  expect(faults).toEqual([]);
}

/**
 * Sends what a process that was killed has written down, as the next lead does: the kill may come between that moment and
 * the one in which a message is seen to have arrived.
 */
export async function sendWhatWaits(root: string): Promise<void> {
  const store = createStore({ root });
  for (const { name } of await store.teams.list()) {
    const senders = [PERSON_NAME, ...(await store.teams.read(name)).members.map((member) => member.name)];
    for (const sender of senders) await store.inboxes.replayOutbox(name, sender);
  }
  await store.close();
}
