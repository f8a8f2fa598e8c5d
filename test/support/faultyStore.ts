import { MusterError } from "../../src/base/errors.ts";
import type { Store } from "../../src/store/store.ts";

/** A store whose calls, such as `teams.removeMember`, fail where `fails` says so. */
export function faultyStore(store: Store, fails: (call: string, args: readonly unknown[]) => boolean): Store {
  const through = <T extends object>(part: T, name: string): T =>
    new Proxy(part, {
      get(target, key) {
        const value = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) =>
          fails(`${name}.${String(key)}`, args)
            ? Promise.reject(new MusterError("lock_timeout", "Another program holds the lock."))
            : value.apply(target, args);
      },
    });
  return {
    ...store,
    get process() {
      return store.process;
    },
    teams: through(store.teams, "teams"),
    tasks: through(store.tasks, "tasks"),
    inboxes: through(store.inboxes, "inboxes"),
    presence: through(store.presence, "presence"),
    live: through(store.live, "live"),
    spawns: through(store.spawns, "spawns"),
    audit: through(store.audit, "audit"),
    leads: through(store.leads, "leads"),
    snapshots: through(store.snapshots, "snapshots"),
    transcripts: through(store.transcripts, "transcripts"),
  };
}

/** Fails each of these calls, from when it is armed until it is not. */
export function faultSwitch(...calls: readonly string[]) {
  let armed = false;
  let failed = 0;
  return {
    throughStore: (store: Store) =>
      faultyStore(store, (call) => {
        if (!armed || !calls.includes(call)) return false;
        failed += 1;
        return true;
      }),
    arm() {
      armed = true;
    },
    disarm() {
      armed = false;
    },
    get failed() {
      return failed;
    },
  };
}
