import { expect, it } from "vitest";
import type { ContextKeys } from "../../../src/extension/contextKeys.ts";
import { createFirstSteps } from "../../../src/extension/firstSteps.ts";

/** A memento over this content, and the keys that were set. */
function window(content: Map<string, unknown>) {
  const keys: Partial<ContextKeys> = {};
  const changes: Partial<ContextKeys>[] = [];
  const memento = {
    keys: () => [...content.keys()],
    get: <T>(key: string, fallback?: T) => (content.get(key) ?? fallback) as T,
    update: async (key: string, value: unknown) => void content.set(key, value),
  };
  let show = () => {};
  const whenShown = (listener: () => void) => {
    show = listener;
  };
  return {
    keys,
    show: () => show(),
    changes,
    did: createFirstSteps(
      memento,
      (set) => {
        Object.assign(keys, set);
        changes.push(set);
      },
      whenShown,
    ),
  };
}

/** The keys of a window that shows the walkthrough. */
function shown(content: Map<string, unknown>) {
  const opened = window(content);
  opened.show();
  return opened.keys;
}

it("what the person did once stays done in every later window; what is damaged counts as nothing", () => {
  const content = new Map<string, unknown>();
  const first = window(content);
  expect(first.keys).toEqual({});
  first.did("decided");
  first.did("decided");
  expect(first.keys).toEqual({}); // VS Code would not notice a key that is set before it knows the walkthrough
  first.show();
  expect(first.keys).toEqual({ decided: true });
  const second = window(content);
  second.did("ranDemo");
  second.show();
  second.did("sawChanges");
  expect(second.keys).toEqual({ decided: true, ranDemo: true, sawChanges: true });
  expect(shown(content)).toEqual({ decided: true, ranDemo: true, sawChanges: true });
  expect(shown(new Map([["muster.firstSteps", "decided"]]))).toEqual({});
  expect(shown(new Map([["muster.firstSteps", ["other", "sawChanges"]]]))).toEqual({ sawChanges: true });
});

it("keys change again each time the walkthrough is shown: VS Code ticks nothing off for one that is set already", () => {
  const opened = window(new Map([["muster.firstSteps", ["decided"]]]));
  for (let time = 0; time < 2; time += 1) opened.show();
  expect(opened.changes).toEqual([{ decided: false }, { decided: true }, { decided: false }, { decided: true }]);
});

it("what two windows note at the same time is kept of both, and shown in both", () => {
  const content = new Map<string, unknown>();
  const [one, other] = [window(content), window(content)];
  one.did("ranDemo");
  other.did("gaveKey");
  expect(content.get("muster.firstSteps")).toEqual(["ranDemo", "gaveKey"]);
  one.show();
  expect(one.keys).toEqual({ ranDemo: true, gaveKey: true });
});
