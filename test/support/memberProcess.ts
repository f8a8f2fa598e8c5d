import { systemClock } from "../../src/base/clock.ts";
import { silentLogger } from "../../src/base/logger.ts";
import type { Store } from "../../src/store/store.ts";
import { DEFAULT_SETTINGS } from "../../src/team/defaultSettings.ts";
import type { MemberProcessOptions } from "../../src/team/process/memberProcess.ts";
import { LEAD_SESSION } from "./tempStore.ts";

/** What alice of the team `demo` is given where a person starts her by hand, without a model that answers. */
export function memberOptions(store: Store, root: string): MemberProcessOptions {
  return {
    ...{ store, team: "demo", name: "alice", cwd: root, home: root, env: {}, clock: systemClock, logger: silentLogger },
    model: { stream: () => Promise.reject(new Error("No request is made.")) } as never,
    settings: DEFAULT_SETTINGS,
    ...{ tools: null, modelName: null, mode: null, plansFirst: false, sessionRules: [], sessionDirectories: [] },
    ...{ verifyKey: null, parentSession: null, spawned: null },
  };
}

/** What she is given besides where this process leads `demo` and starts her. */
export async function spawnAlice(store: Store): Promise<Pick<MemberProcessOptions, "spawned">> {
  await store.leads.acquire("demo", LEAD_SESSION);
  await store.teams.updateMember("demo", "alice", { backendType: "tmux", muster: { spawnNonce: "n" } });
  return { spawned: { nonce: "n", lead: { session: LEAD_SESSION, process: store.process, askedToStop: [] } } };
}
