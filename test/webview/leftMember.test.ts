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
const kept = (view: View) => view.page.locator(".cmp-kept");
const problems = (view: View) => view.page.locator(".cmp-error").allTextContents();
const others = members.filter(({ name }) => name !== "backend");
const backendLeaves = (view: View) => view.send(stateMessage({ attention: [], members: others }));
const sends = async (view: View) => (await view.actions()).filter(({ type }) => type === "send");
const leaveComposer = (view: View) => view.page.locator(".mem-row").first().focus();

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
  await leaveComposer(view);
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

const GOAL = "half a goal for the lead: delete ";

/** The draft for the lead is begun, then one for backend, which leaves. */
async function leaveInTheMiddle(typed: string): Promise<View> {
  const view = await openTeam("team-lead");
  await field(view, "team-lead").fill(GOAL);
  await recipient(view).selectOption("backend");
  await field(view, "backend").focus();
  await view.page.keyboard.type(typed);
  await backendLeaves(view);
  await expect.poll(() => problems(view)).toEqual([LEFT]);
  return view;
}

test("a field that is emptied stays blocked until the focus leaves it: no other draft comes under the caret", async () => {
  const view = await leaveInTheMiddle("x");
  await view.page.keyboard.press("Control+a");
  await view.page.keyboard.press("Backspace");
  await view.page.keyboard.type("Please hurry");
  await view.page.keyboard.press("Enter");
  expect(await field(view, "backend").inputValue()).toBe("Please hurry");
  expect(await sends(view)).toEqual([]);
  await field(view, "backend").fill("");
  const away = () => field(view, "backend").dispatchEvent("focusout"); // as where only the window loses the focus
  await away();
  expect(await problems(view)).toEqual([LEFT]);
  await leaveComposer(view);
  await expect.poll(() => problems(view)).toEqual([]);
  expect(await field(view, "team-lead").inputValue()).toBe(GOAL);
});

test("an empty field whose member leaves under the caret is blocked as well, and is nobody else's", async () => {
  const view = await leaveInTheMiddle("");
  await view.page.keyboard.type("Please hurry");
  await view.page.keyboard.press("Enter");
  expect(await sends(view)).toEqual([]);
  await recipient(view).selectOption("docs");
  await field(view, "docs").press("Enter");
  expect(await sends(view)).toMatchObject([{ to: "docs", text: "Please hurry" }]);
});

test("a draft that is shown and emptied does not turn into the one of the chosen member", async () => {
  const view = await openTeam("backend");
  await field(view, "backend").fill("Half a letter");
  await recipient(view).selectOption("docs");
  await field(view, "docs").fill("for docs: delete ");
  await backendLeaves(view);
  await kept(view).getByRole("button", { name: "Show Draft" }).click();
  await field(view, "backend").fill("");
  await view.page.keyboard.type("Please hurry");
  await view.page.keyboard.press("Enter");
  expect(await field(view, "backend").inputValue()).toBe("Please hurry");
  expect(await sends(view)).toEqual([]);
  await view.send(stateMessage({ attention: [] })); // backend is back
  await view.page.keyboard.press("Enter");
  await expect.poll(() => sends(view)).toMatchObject([{ to: "backend", text: "Please hurry" }]);
});

test("who is written to instead stays so when the member that left comes back", async () => {
  const view = await openTeam("backend");
  await backendLeaves(view);
  await field(view, "team-lead").focus();
  await view.page.keyboard.type("Dear ");
  await view.send(stateMessage({ attention: [] }));
  await view.page.keyboard.type("lead");
  expect(await field(view, "team-lead").inputValue()).toBe("Dear lead");
});

test("nothing is left of the choice once the field is emptied and left", async () => {
  const view = await openTeam("backend");
  await field(view, "backend").fill("Never mind");
  await backendLeaves(view);
  await expect.poll(() => problems(view)).toEqual([LEFT]);
  await field(view, "backend").fill("");
  await leaveComposer(view);
  await expect.poll(() => problems(view)).toEqual([]);
  await field(view, "team-lead").fill("for the lead");
  expect(await problems(view)).toEqual([]);
});

test.each([
  ["a command", (view: View) => view.send({ type: "reveal", what: { kind: "member", name: "docs" } })],
  ["a click", (view: View) => view.page.locator(".mem-row", { hasText: "docs" }).click()],
])("looking at another member by %s leaves both drafts as they are", async (_, look) => {
  const view = await openTeam("docs");
  await field(view, "docs").fill("for docs");
  await recipient(view).selectOption("backend");
  await field(view, "backend").fill("secret for backend");
  await backendLeaves(view);
  await expect.poll(() => problems(view)).toEqual([LEFT]);
  await look(view);
  await expect.poll(() => field(view, "docs").inputValue()).toBe("for docs");
  await kept(view).getByRole("button", { name: "Show Draft" }).click();
  expect(await field(view, "backend").inputValue()).toBe("secret for backend");
});

test("the draft of a member that leaves while another one is written to is offered, and nothing of either is lost", async () => {
  const view = await openTeam("backend");
  await field(view, "backend").fill("Half a letter");
  await recipient(view).selectOption("docs");
  await field(view, "docs").fill("for docs");
  await backendLeaves(view);
  await expect.poll(() => kept(view).textContent()).toBe("backend has left. Your draft for it is kept. Show Draft");
  await expect.poll(() => view.page.getByRole("status").textContent()).toContain("Your draft for it is kept.");
  expect(await field(view, "docs").inputValue()).toBe("for docs");
  await kept(view).getByRole("button", { name: "Show Draft" }).click();
  expect(await field(view, "backend").inputValue()).toBe("Half a letter");
  expect(await problems(view)).toEqual([LEFT]);
  expect(await kept(view).count()).toBe(0);
  await expect.poll(() => field(view, "backend").evaluate((area) => area === document.activeElement)).toBe(true);
  await recipient(view).selectOption("docs");
  expect(await field(view, "docs").inputValue()).toBe("Half a letter\nfor docs");
  expect(await problems(view)).toEqual([]);
});

test.each(["Dear ", ""])(
  "a message that comes back under the caret of another text (%j) is offered with what was wrong",
  async (begun) => {
    const view = await openTeam("backend");
    await field(view, "backend").fill("Precious words");
    const refuse = await sendOff(view);
    await leaveComposer(view);
    await backendLeaves(view);
    await field(view, "team-lead").focus();
    await view.page.keyboard.type(begun);
    await refuse();
    await view.page.keyboard.type("lead");
    expect(await field(view, "team-lead").inputValue()).toBe(`${begun}lead`);
    await kept(view).getByRole("button", { name: "Show Draft" }).click();
    expect(await field(view, "backend").inputValue()).toBe("Precious words");
    expect(await problems(view)).toEqual([LEFT, REFUSED]);
    await recipient(view).selectOption("team-lead");
    expect(await field(view, "team-lead").inputValue()).toBe(`Precious words\n${begun}lead`);
  },
);

test("the draft of a member that leaves while another team is on show is offered when its own comes back", async () => {
  const view = await openTeam("backend");
  await field(view, "backend").fill("Half a letter");
  await view.send(...teamMessages({ attention: [], team: "other-team" }));
  expect(await kept(view).count()).toBe(0);
  await backendLeaves(view);
  await kept(view).getByRole("button", { name: "Show Draft" }).click();
  expect(await field(view, "backend").inputValue()).toBe("Half a letter");
  await view.send(stateMessage({ attention: [] }));
  await recipient(view).selectOption("backend");
  expect(await problems(view)).toEqual([]);
  expect(await field(view, "backend").inputValue()).toBe("Half a letter");
});

test("a long name leaves the field one line high and its sentences short, and is whole as hover text", async () => {
  const view = await open({ width: 300 });
  const long = `${"long-name-".repeat(20)}end`;
  const named = members.map((row) => (row.name === "backend" ? { ...row, displayName: long } : row));
  await view.send(...teamMessages({ attention: [], members: named }));
  const height = async () => (await view.page.locator(".cmp textarea").boundingBox())?.height;
  const line = await height();
  await recipient(view).selectOption("backend");
  expect(await field(view, long).getAttribute("placeholder")).toBe("Write to long-name-long-name-long-name-l…");
  expect(await field(view, long).getAttribute("title")).toBe(`Message to ${long}`);
  expect(await height()).toBe(line);
  await field(view, long).fill("Half a letter");
  await backendLeaves(view);
  const sentence = view.page.locator(".cmp-error");
  await expect.poll(() => sentence.textContent()).toMatch(/^long-name-[^…]{21}… has left: choose who gets this\.$/);
  expect(await sentence.getAttribute("title")).toBe(long);
});
