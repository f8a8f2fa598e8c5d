import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const file = (name: string) => new URL(`../../../${name}`, import.meta.url);
const json = (name: string) => JSON.parse(readFileSync(file(name), "utf8"));
const manifest = json("package.json");
const texts: Record<string, string>[] = [json("package.nls.json"), json("package.nls.zh-cn.json")];

interface Step {
  id: string;
  title: string;
  description: string;
  media: { svg: string; altText: string };
  completionEvents: string[];
}
const [walkthrough] = manifest.contributes.walkthroughs;
const steps: Step[] = walkthrough.steps;
const commands = new Set<string>(manifest.contributes.commands.map(({ command }: { command: string }) => command));
const own = (text: string) => [...text.matchAll(/command:(muster\.\w+)/g)].map(([, name]) => name ?? "");

describe("the walkthrough", () => {
  it("has five steps, the first of which needs no key", () => {
    expect(steps.map(({ id }) => id)).toEqual(["demo", "key", "goal", "decide", "changes"]);
  });

  it.each(steps)(
    "$id: its picture is there, and its commands are in the manifest",
    ({ description, media, completionEvents }) => {
      const picture = readFileSync(file(media.svg), "utf8");
      expect(picture).toContain("--vscode-");
      expect(picture).not.toMatch(/<(?:text|script|image|foreignObject)|href=/);
      for (const language of texts) {
        expect(language[media.altText.slice(1, -1)]).toMatch(/[.。]$/);
        const used = own(language[description.slice(1, -1)] ?? "");
        expect(used.length).toBeGreaterThan(0);
        expect(used.filter((name) => !commands.has(name))).toEqual([]);
        const words = (language[description.slice(1, -1)] ?? "").replace(/\*\*[^*\n]+\*\*/g, "");
        expect(words).not.toContain("*"); // VS Code knows **bold** here, and shows every other asterisk
      }
      for (const event of completionEvents)
        expect(event).toMatch(/^on(?:Command|Context):muster\.\w+(?: && muster\.\w+)*$/);
    },
  );

  it("offers the same in both languages", () => {
    const [english, chinese] = texts.map((language) =>
      steps.map((step) => own(language[step.description.slice(1, -1)] ?? "")),
    );
    expect(chinese).toEqual(english);
  });
});
