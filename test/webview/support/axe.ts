import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { THEMES, type View } from "./page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds in the view as it stands, in the four themes. */
export async function axeFaults(view: View): Promise<string[]> {
  await view.page.evaluate(axe);
  await view.page.locator(".req-inert").waitFor({ state: "detached" }); // what cannot be pressed yet is drawn paler
  const faults: string[] = [];
  for (const theme of THEMES) {
    await view.setTheme(theme);
    const { violations } = await view.page.evaluate(runAxe);
    for (const { id, nodes } of violations)
      faults.push(...nodes.map((node) => `${theme} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`));
  }
  return faults;
}

/** Runs in the page. A webview is not a page: the two rules about landmarks and the first heading do not apply. */
function runAxe(): Promise<AxeResults> {
  const { axe } = window as unknown as { axe: { run(context: unknown, options: unknown): Promise<AxeResults> } };
  return axe.run(document, {
    resultTypes: ["violations"],
    rules: { region: { enabled: false }, "page-has-heading-one": { enabled: false } },
  });
}
