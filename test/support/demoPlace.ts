import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { eventually } from "./eventually.ts";
import type { Host } from "./host.ts";
import type { TeamView } from "./teamView.ts";

/** The folder of a demo that a window runs: its project and its state. */
export interface DemoPlace {
  readonly project: string;
  readonly stateRoot: string;
  /** A file of the project. */
  sample(file: string): string;
  /** A file of the team's own folder, while it lives and after it. */
  ownFile(name: string): string;
  audit(): { at: string; event: string; id?: string; request?: { id: string } }[];
}

/** The place of the demo that this host's window runs; it is looked for at each use. */
export function demoPlace(host: () => Host): DemoPlace {
  const place = () => {
    const temporary = path.join(host().root, "tmp");
    const [found] = globSync("muster-demo-*", { cwd: temporary });
    return path.join(temporary, found ?? "none");
  };
  const ownFile = (name: string) => {
    const state = path.join(place(), "state");
    const [found] = globSync([`teams/corner-bakery/${name}`, `muster/history/*/${name}`], { cwd: state });
    return readFileSync(path.join(state, found ?? name), "utf8");
  };
  return {
    get project() {
      return path.join(place(), "corner-bakery");
    },
    get stateRoot() {
      return path.join(place(), "state");
    },
    sample: (file) => readFileSync(path.join(place(), "corner-bakery", file), "utf8"),
    ownFile,
    audit: () =>
      ownFile("muster/audit.jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
}

/** Lets the demo's tests run until the team has finished. */
export async function untilDemoEnds(view: TeamView): Promise<void> {
  await eventually(
    "the end of the team",
    async () => {
      const frame = await view.frame();
      if ((await frame.locator(".fin").count()) > 0) return true;
      if ((await frame.locator(".req", { hasText: "Run npm test" }).count()) > 0)
        await view.press(await view.request("Run npm test"), "Allow Once");
      return false;
    },
    90_000,
  );
}
