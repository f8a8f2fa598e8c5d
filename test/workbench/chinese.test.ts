import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { SMALL_WORKSPACE, useWindow } from "../support/window.ts";
import { badge, openContainer, runCommand, screenshot, type Workbench, webviewFrame } from "../support/workbench.ts";

describe("a window in Simplified Chinese", { timeout: 120_000 }, () => {
  let workbench: Workbench;

  useWindow({ ...SMALL_WORKSPACE, language: "zh-cn" }, (opened) => {
    ({ workbench } = opened);
  });

  it("names the views in it, and what the panel offers", async () => {
    await openContainer(workbench, "代理团队");
    const headers = workbench.page.locator(".sidebar .pane-header .title");
    await eventually("the views", async () => (await headers.allInnerTexts()).join() === "团队,成员");
    const panel = await webviewFrame(workbench, "Team");
    await panel.getByRole("button", { name: "运行演示团队" }).waitFor();
  });

  it("has its commands in the palette, the status bar and what waits in it", async () => {
    await runCommand(workbench, "代理团队: 运行演示团队");
    await eventually("two things that wait", async () => (await badge(workbench, "代理团队")) === "2");
    const status = workbench.page.locator(".statusbar-item#muster\\.muster\\.muster\\.status");
    expect(await status.getAttribute("aria-label")).toMatch(/^代理团队.*2 件等你决定$/);
    const panel = await webviewFrame(workbench, "Team");
    await panel.locator(".req", { hasText: "计划：" }).first().waitFor();
    await panel.locator(".req", { hasText: "运行 npm test" }).first().waitFor();
  });

  it("tells what happened in the same words as what waits", async () => {
    const { watch } = workbench;
    const panel = await webviewFrame(workbench, "Team");
    await watch.asPerson(() => panel.getByRole("tab", { name: /^动态/ }).click());
    await panel.locator(".act", { hasText: "请求：运行 npm test" }).first().waitFor();
    expect(await panel.locator(".acts").innerText()).not.toMatch(/：Run npm test/);
    await screenshot(workbench, "chinese-activity");
  });
});
