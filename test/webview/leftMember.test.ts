import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/project.ts";
import { stateMessage, teamMessages } from "./support/fixtures.ts";
import { members } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { webviewSuite } from "./support/suite.ts";

const open = webviewSuite();
const LEFT = "backend has left: choose who gets this.";
const REFUSED = "backend has left the team.";

const field = (view: View, name: string) => view.page.getByRole("textbox", { name: `Message to ${name}`, exact: true });
const recipient = (view: View) => view.page.getByRole("combobox", { name: "Recipient" });
const problems = (view: View) => view.page.locator(".cmp-error").allTextContents();
const others = members.filter(({ name }) => name !== "backend");
const backendLeaves = (view: View) => view.send(stateMessage({ attention: [], members: others }));

async function openTeam(to: string): Promise<View> {
  const view = await open();
  await view.send(...teamMessages({ attention: [] }));
  await recipient(view).selectOption(to);
  return view;
}

/** Sends the draft for backend; gives what says that it was not taken. */
async function sendOff(view: View) {
  await field(view, "backend").press("Enter");
  const sent = (await view.actions()).flatMap((intent) => (intent.type === "send" ? [intent.intent] : []));
  return () => view.send({ type: "done", intent: sent.at(-1) ?? "", error: REFUSED });
}

test("a message that its recipient left before is in the field again, with its images, for another one", async () => {
  const view = await openTeam("backend");
  const image = path.join(projectRoot, "media/icon.png");
  await view.page.locator(".cmp input[type=file]").setInputFiles(image);
  await view.page.locator(".cmp-image-name").waitFor();
  await field(view, "backend").fill("Precious words");
  const refuse = await sendOff(view);
  await backendLeaves(view);
  await expect.poll(() => field(view, "team-lead").count()).toBe(1);
  await refuse();
  expect(await field(view, "backend").inputValue()).toBe("Precious words");
  expect(await problems(view)).toEqual([LEFT, REFUSED]);
  await recipient(view).selectOption("docs");
  expect(await problems(view)).toEqual([]);
  await field(view, "docs").press("Enter");
  const images = [readFileSync(image).toString("base64")];
  const last = async () => (await view.actions()).at(-1);
  await expect.poll(last).toMatchObject({ type: "send", to: "docs", text: "Precious words", images });
});

test("nothing is left of the choice once the field is emptied", async () => {
  const view = await openTeam("backend");
  await field(view, "backend").fill("Never mind");
  await backendLeaves(view);
  await expect.poll(() => problems(view)).toEqual([LEFT]);
  await field(view, "backend").fill("");
  await expect.poll(() => problems(view)).toEqual([]);
  await field(view, "team-lead").fill("for the lead");
  expect(await problems(view)).toEqual([]);
});
