import { beforeEach, expect, it } from "vitest";
import { createDelivery, type Delivery } from "../../../../src/extension/panel/delivery.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";

const done = (intent: string): HostMessage => ({ type: "done", intent, error: "The disk is full." });
const composer: HostMessage = { type: "reveal", what: { kind: "composer" } };

let sent: HostMessage[];
let isReady: boolean;
let delivery: Delivery;
beforeEach(() => {
  sent = [];
  isReady = true;
  delivery = createDelivery(
    (message) => void sent.push(message),
    () => isReady,
  );
});

it("an answer reaches the document that is there at once", () => {
  delivery.post(done("1"));
  expect(sent).toEqual([done("1")]);
});

it("an answer that comes while the view is hidden reaches its next document, once, and what else came does not wait", () => {
  isReady = false;
  delivery.post(done("1"));
  delivery.later(composer);
  delivery.post({ type: "planDrafts", plans: [] });
  expect(sent).toEqual([{ type: "planDrafts", plans: [] }]);
  isReady = true;
  delivery.ready();
  delivery.ready();
  expect(sent.slice(1)).toEqual([done("1"), composer]);
});

it("of a view that stays hidden the newest answers wait", () => {
  isReady = false;
  for (let at = 0; at < 150; at += 1) delivery.post(done(String(at)));
  delivery.ready();
  expect(sent).toHaveLength(100);
  expect(sent.at(-1)).toEqual(done("149"));
});
