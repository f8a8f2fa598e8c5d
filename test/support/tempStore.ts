import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptMemberName } from "../../src/protocol/names.ts";
import type { Member } from "../../src/protocol/team.ts";
import { createStore, type Store, type StoreOptions } from "../../src/store/store.ts";
import type { StoreFault } from "../../src/store/storeContext.ts";

/** Nobody writes in place beside most tests: damage counts soon. */
const patience = { unlockedMs: 30, lockedMs: 20 };

/** A store on a state root of its own. */
export interface TempStore extends AsyncDisposable {
  readonly store: Store;
  readonly root: string;
  readonly faults: StoreFault[];
}

/** The session that leads the teams of `createDemo`. */
export const LEAD_SESSION = "1c9a3c5e-6f0b-4f0e-9a55-0d8f6d4c2b11";

/** A store on a new folder, or on `options.root`; disposing it removes the folder. */
export async function openTempStore(options: Partial<StoreOptions> = {}): Promise<TempStore> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), "muster-store-")));
  const faults: StoreFault[] = [];
  const store = createStore({ root, patience, onFault: (fault) => faults.push(fault), ...options });
  return {
    store,
    root,
    faults,
    async [Symbol.asyncDispose]() {
      await store.inboxes.settled();
      store.dispose();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Creates the team `demo` with these teammates. */
export async function createDemo(store: Store, ...names: string[]): Promise<Member[]> {
  await store.teams.create({
    name: "demo",
    leadSessionId: LEAD_SESSION,
    leadModel: "claude-sonnet-5",
    leadAgentType: "team-lead",
    cwd: "/project",
    now: Date.UTC(2026, 10, 27, 20, 0, 0),
  });
  const members: Member[] = [];
  for (const name of names) members.push(await addMember(store, "demo", name));
  return members;
}

/** Adds a teammate under a name that is free: its entry in config.json. */
export async function addMember(store: Store, team: string, name: string): Promise<Member> {
  return await store.teams.addMember(
    team,
    {
      agentType: "general-purpose",
      model: "haiku",
      prompt: `You are ${name}.`,
      joinedAt: Date.UTC(2026, 10, 27, 20, 1, 0),
      cwd: "/project",
      backendType: "in-process",
      tmuxPaneId: "in-process",
    },
    acceptMemberName(name),
    { leadSessionId: LEAD_SESSION, maxMembers: 100 },
  );
}
