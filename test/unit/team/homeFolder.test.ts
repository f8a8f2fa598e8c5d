import { userInfo } from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { homeFolder } from "../../../src/team/homeFolder.ts";

afterEach(() => vi.unstubAllEnvs());

it("is $HOME, and the system's one where that is set to nothing", () => {
  vi.stubEnv("HOME", "/somewhere");
  expect(homeFolder()).toBe("/somewhere");
  vi.stubEnv("HOME", "");
  expect(homeFolder()).toBe(userInfo().homedir);
  expect(homeFolder()).not.toBe("");
});
