import { expect, it } from "vitest";
import { messageParts } from "../../../../src/extension/panel/messageParts.ts";
import type { HostMessage } from "../../../../src/protocol/panelMessages.ts";

const said = (text: string): HostMessage => ({ type: "streaming", member: "alice", text });
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

it("a message below 256 KB is posted as it is", () => {
  const message = said("茶".repeat(80_000));
  expect(messageParts(message)).toEqual([message]);
  expect(bytes(message)).toBeLessThan(256 * 1024);
});

it.each(["a", '"\\', "茶", "😀", "\u0001", "\ud83d"])(
  "a larger one in parts below it, which together are all of it (%j)",
  (text) => {
    const message = said(text.repeat(400_000));
    const parts = messageParts(message);
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...parts.map(bytes))).toBeLessThan(256 * 1024);
    const texts = parts.map((part, index) => {
      expect(part).toMatchObject({ type: "part", index, count: parts.length });
      return part.type === "part" ? JSON.parse(JSON.stringify(part.text)) : "";
    });
    expect(JSON.parse(texts.join(""))).toEqual(message);
  },
);
