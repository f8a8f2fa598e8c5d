import { expect, it } from "vitest";
import type { ContextKeys } from "../../../src/extension/contextKeys.ts";
import { createFirstSteps } from "../../../src/extension/firstSteps.ts";

/** A memento over this content, and the keys that were set. */
function window(content: Map<string, unknown>) {
  const keys: Partial<ContextKeys> = {};
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
    did: createFirstSteps(memento, (set) => void Object.assign(keys, set), whenShown),
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
