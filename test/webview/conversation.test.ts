import { describe, expect, test } from "vitest";
import type { ConversationItem } from "../../src/protocol/panel.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { conversation, finished, stateMessage, teamMessages } from "./support/fixtures.ts";
import { ago, members, person } from "./support/memberFixtures.ts";
import type { View } from "./support/page.ts";
import { planRequest } from "./support/requestFixtures.ts";
import { firstSeenItem, focused, webviewSuite } from "./support/suite.ts";

const open = webviewSuite();

const said = (text: string): ConversationItem => ({ type: "text", at: ago(1), text });
const items = (from: number, list: ConversationItem[], member = "team-lead"): HostMessage => ({
  type: "conversation",
  member,
  reset: false,
  items: list.map((item, index) => ({ seq: from + index, item })),
});
const many = (n: number, from = 0) => Array.from({ length: n }, (_, index) => said(`Sentence ${from + index}.`));

async function openTeam(list: ConversationItem[], over = {}): Promise<View> {
  const view = await open({ height: 700 });
  await view.send(stateMessage({ attention: [], ...over }), {
    type: "conversation",
    member: "team-lead",
    reset: true,
    items: list.map((item, seq) => ({ seq, item })),
  });
  return view;
}
const texts = (view: View) => view.page.locator(".conv-text").allTextContents();
const distanceToEnd = (view: View) =>
  view.page.locator(".scroller").evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));
const scrollTop = (view: View) => view.page.locator(".scroller").evaluate((box) => Math.round(box.scrollTop));

describe("what is shown", () => {
  test("items come in the order of their places, and one that comes again is replaced", async () => {
    const view = await openTeam([said("first"), said("second")]);
    await view.send(items(3, [said("fourth")]), items(2, [said("third")]), items(1, [said("second, changed")]));
    expect((await texts(view)).map((text) => text.trim())).toEqual(["first", "second, changed", "third", "fourth"]);
  });

  test("words that were not read yet stand at the end as queued, and say when they are read", async () => {
    const view = await openTeam([said("first")]);
    const queued = view.page.locator(".conv-queued");
    const message = {
      id: "w1",
      at: ago(1),
      text: "Look at **b.ts**.",
      images: [{ mediaType: "image/png", bytes: 2_048 }],
    };
    await view.send({ type: "queued", member: "team-lead", messages: [message] });
    expect(await view.page.locator(".conv > *").last().innerText()).toContain("Look at b.ts.");
    expect(await queued.innerText()).toContain("Queued · It is read before the next step.");
    expect(await queued.innerText()).toContain("Image, PNG, 2 KB");
    await view.send(stateMessage({ attention: [], paused: { by: "person", since: 0 } }));
    expect(await queued.innerText()).toContain("It is read when the pause is over.");
    const read: ConversationItem = {
      type: "input",
      at: ago(0),
      origin: "person",
      from: person,
      text: message.text,
      summary: null,
    };
    await view.send(items(1, [read]), { type: "queued", member: "team-lead", messages: [] });
    expect(await queued.count()).toBe(0);
    expect(await view.page.locator(".conv-input").innerText()).toContain("Look at b.ts.");
  });

  test("they are there before anything else was said, and gone with another team's conversation", async () => {
    const view = await openTeam([]);
    const message = { id: "w1", at: ago(1), text: "Begin with the tests." };
    await view.send({ type: "queued", member: "team-lead", messages: [message] });
    expect(await view.page.locator(".conv-queued").count()).toBe(1);
    await view.send({ type: "conversation", member: "team-lead", reset: true, items: [] });
    expect(await view.page.locator(".conv-queued").count()).toBe(0);
  });

  test("a reset forgets what was there", async () => {
    const view = await openTeam(many(5));
    await view.send({
      type: "conversation",
      member: "team-lead",
      reset: true,
      items: [{ seq: 0, item: said("anew") }],
    });
    expect((await texts(view)).map((text) => text.trim())).toEqual(["anew"]);
  });

  test("one item that changes draws one item", async () => {
    const view = await openTeam(many(40));
    const changed = await view.page.evaluate(
      async (message) => {
        const touched = new Set<Element>();
        const observer = new MutationObserver((records) => {
          for (const { target } of records) {
            const item = (target instanceof Element ? target : target.parentElement)?.closest(".conv > *");
            if (item) touched.add(item);
          }
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
        postMessage(message, "*");
        await new Promise((done) => setTimeout(done, 100));
        return touched.size;
      },
      items(20, [said("changed")]),
    );
    expect(changed).toBe(1);
    expect(await texts(view)).toHaveLength(40);
  });

  test("of a long conversation the newest items are drawn, earlier ones on request", async () => {
    const view = await openTeam(many(500));
    expect(await texts(view)).toHaveLength(60);
    await view.page.getByRole("button", { name: "Show 60 Earlier Items" }).click();
    expect(await texts(view)).toHaveLength(120);
    expect(await view.page.locator("#root *").count()).toBeLessThan(1500);
  });

  test("tools in a row fold to one line, which names failures and opens to their output", async () => {
    const view = await openTeam(conversation);
    const { page } = view;
    const group = page.getByRole("button", { name: /4 tools/ });
    expect(await group.textContent()).toContain("1 failed");
    await group.click();
    await page.getByRole("button", { name: /^Bash npm test/ }).click();
    expect(await page.locator(".code-block").textContent()).toBe("1 failing");
    await page.getByRole("button", { name: /^TaskCreate/ }).click();
    expect(await page.getByText("No output.").isVisible()).toBe(true);
  });

  test("a long message is cut until it is opened", async () => {
    const text = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
    const view = await openTeam([{ type: "input", at: ago(1), origin: "prompt", from: null, text, summary: null }]);
    expect((await view.page.locator(".conv-cut").boundingBox())?.height).toBeLessThan(120);
    await view.page.getByRole("button", { name: "Show More" }).click();
    expect(await view.page.locator(".conv-cut").count()).toBe(0);
    expect(await view.page.locator(".conv-origin").textContent()).toBe("First instructions");
  });

  test("a reply that is written stands at the end and goes when it has become an item", async () => {
    const view = await openTeam(many(2));
    await view.send({ type: "streaming", member: "team-lead", text: "I am **writ" });
    expect(await view.page.locator(".conv > :last-child").textContent()).toContain("I am **writ");
    await view.send(items(2, [said("I am **writing**.")]), { type: "streaming", member: "team-lead", text: "" });
    expect(await view.page.locator(".conv-streaming").count()).toBe(0);
    expect(await view.page.locator(".conv strong").textContent()).toBe("writing");
  });

  test("what another member writes does not appear here", async () => {
    const view = await openTeam(many(1));
    await view.send(items(0, [said("from backend")], "backend"), {
      type: "streaming",
      member: "backend",
      text: "more",
    });
    expect(await view.page.getByText("from backend").count()).toBe(0);
    expect(await view.page.locator(".conv-streaming").count()).toBe(0);
  });

  test("a member that waits for the person has a line at the end that leads to its request", async () => {
    const view = await openTeam(many(3), { attention: [planRequest()] });
    await view.page.locator(".mem-row", { hasText: "ledger" }).click();
    await view.page.getByRole("button", { name: "Review", exact: true }).click();
    expect(await focused(view)).toBe("title plan-1");
  });
});

test("a member that is idle has a quiet line at the end that says what it waits for", async () => {
  const view = await open();
  await view.send(...teamMessages());
  await view.page.locator(".mem-row", { hasText: "研究员" }).click();
  expect(await view.page.locator(".conv-waits").innerText()).toBe("Idle · no task is ready for it");
  const [first, ...others] = members;
  const waits = { ...first!, waitsForApi: true, detail: "until 14:10:05: The API is overloaded." };
  await view.send(stateMessage({ members: [waits, ...others] }));
  await view.page.locator(".mem-row", { hasText: "team-lead" }).click();
  expect(await view.page.locator(".conv-waits").innerText()).toBe("Waiting until 14:10:05: The API is overloaded.");
});

describe("the place", () => {
  test("keeps to the end while text arrives", async () => {
    const view = await openTeam(many(2));
    for (let at = 2; at < 60; at += 6) await view.send(items(at, many(6, at)));
    await view.send({ type: "streaming", member: "team-lead", text: "word ".repeat(200) });
    expect(await distanceToEnd(view)).toBe(0);
    expect(await scrollTop(view)).toBeGreaterThan(300);
  });

  test("stays when the person has scrolled up, and follows again from the end", async () => {
    const view = await openTeam(many(2));
    await view.send(items(2, many(60, 2)));
    await view.page.mouse.move(200, 300);
    await view.page.mouse.wheel(0, -400);
    await expect.poll(() => distanceToEnd(view)).toBeGreaterThan(200);
    const read = await firstSeenItem(view);
    await view.send(items(62, many(10, 62)), { type: "streaming", member: "team-lead", text: "more ".repeat(300) });
    expect(await firstSeenItem(view)).toEqual(read);
    await view.page.getByRole("button", { name: "Go to the End" }).click();
    expect(await distanceToEnd(view)).toBe(0);
    await view.send(items(72, many(10, 72)));
    expect(await distanceToEnd(view)).toBe(0);
    expect(await view.page.getByRole("button", { name: "Go to the End" }).count()).toBe(0);
  });

  test("is that of what the person reads and has selected, however much comes, and the newest items at the end", async () => {
    const view = await openTeam(many(200));
    await view.page.mouse.move(200, 500);
    await view.page.mouse.wheel(0, 100_000);
    await expect.poll(() => distanceToEnd(view)).toBe(0);
    await view.page.mouse.wheel(0, -800);
    await expect.poll(() => distanceToEnd(view)).toBeGreaterThan(700);
    await view.page.waitForTimeout(200); // a wheel's way goes on for some frames
    const read = await firstSeenItem(view);
    const selected = () => view.page.evaluate(() => getSelection()?.toString());
    await view.page.evaluate((seq) => {
      const item = document.querySelector(`[data-seq="${seq}"]`);
      if (item) getSelection()?.selectAllChildren(item);
    }, read[0]);
    const text = await selected();
    expect(text).toContain(`Sentence ${read[0]}.`);
    for (let at = 200; at < 300; at += 1) await view.send(items(at, many(1, at)));
    expect(await firstSeenItem(view)).toEqual(read);
    expect(await selected()).toBe(text);
    await view.page.getByRole("button", { name: "Go to the End" }).click();
    for (let at = 300; at < 305; at += 1) {
      await view.send(items(at, many(1, at)));
      expect(await distanceToEnd(view)).toBe(0);
    }
    expect(await texts(view)).toHaveLength(60);
  });

  test("of a conversation that is long when the view opens is its beginning: requests and members", async () => {
    const view = await openTeam(many(100), { attention: [planRequest()] });
    expect(await scrollTop(view)).toBe(0);
    await view.send(items(100, many(5, 100)));
    expect(await scrollTop(view)).toBe(0);
  });

  test("goes to a request that comes while the person has not scrolled, not when they have", async () => {
    const view = await openTeam(many(2));
    await view.send(items(2, many(60, 2)));
    await view.send(stateMessage({ attention: [planRequest()] }));
    expect(await scrollTop(view)).toBe(0);
    const other = await openTeam(many(2));
    await other.send(items(2, many(60, 2)));
    await other.page.mouse.move(200, 300);
    await other.page.mouse.wheel(0, 50);
    await expect.poll(() => other.kept()).toMatchObject({ scroll: { follow: "end" } }); // the wheel's turn has come
    await other.send(stateMessage({ attention: [planRequest()] }));
    await expect.poll(() => distanceToEnd(other)).toBe(0);
    await expect.poll(() => other.page.locator(".needs-now").count()).toBe(1);
  });

  test("is what a team left when it ends while its conversation was followed, else a line leads there", async () => {
    const followed = await openTeam(many(2));
    await followed.send(items(2, many(60, 2)));
    await expect.poll(() => scrollTop(followed)).toBeGreaterThan(300);
    await followed.send(stateMessage({ attention: [], members: [], finished }));
    await expect.poll(() => scrollTop(followed)).toBe(0);
    expect(await followed.page.locator(".read-only").count()).toBe(0);
    const view = await openTeam(many(2));
    await view.send(items(2, many(60, 2)));
    await view.page.mouse.move(200, 300);
    await view.page.mouse.wheel(0, -400);
    await expect.poll(() => distanceToEnd(view)).toBeGreaterThan(200);
    const line = view.page.getByText("Sentence 40.");
    const place = (await line.boundingBox())?.y ?? 0;
    await view.send(stateMessage({ attention: [], members: [], finished }));
    const back = view.page.getByRole("button", { name: "checkout-retry is finished" });
    await back.waitFor();
    expect(Math.abs(((await line.boundingBox())?.y ?? 0) - place)).toBeLessThan(2);
    await back.click();
    await expect.poll(() => scrollTop(view)).toBe(0);
    await back.waitFor({ state: "detached" });
  });

  test("does not move under the pointer when a tool is opened at the end", async () => {
    const detail = Array.from({ length: 30 }, (_, line) => `out ${line}`).join("\n");
    const tool: ConversationItem = {
      type: "tool",
      at: ago(1),
      name: "Bash",
      argument: "ls",
      state: "ok",
      ms: 10,
      detail,
    };
    const view = await openTeam(many(2));
    await view.send(items(2, [...many(40, 2), tool]));
    const line = view.page.getByRole("button", { name: /^Bash ls/ });
    const before = await line.boundingBox();
    await line.click();
    expect((await line.boundingBox())?.y).toBe(before?.y);
  });

  test("a member that is chosen is shown at the end of its conversation", async () => {
    const view = await openTeam(many(3));
    await view.send(items(0, many(80), "backend"));
    await view.page.locator(".mem-row", { hasText: "backend" }).click();
    await expect.poll(() => distanceToEnd(view)).toBe(0);
    expect(await view.page.locator(".head").textContent()).toContain("backend");
    expect(await view.page.getByRole("textbox", { name: "Message to backend" }).count()).toBe(1);
  });
});

test("the status of a member is in its row and in the head of its conversation", async () => {
  const view = await openTeam(many(1));
  await view.send(
    stateMessage({ attention: [], members: members.map((row) => ({ ...row, state: "idle", waiting: 0 })) }),
  );
  expect(await view.page.locator(".mem-word").allTextContents()).toEqual(members.map(() => "Idle"));
  expect(await view.page.locator(".head").textContent()).toContain("Idle");
});

test("a whole team comes in one go without an error", async () => {
  const view = await open();
  await view.send(...teamMessages());
  expect(await view.page.locator(".mem-row").count()).toBe(6);
});
