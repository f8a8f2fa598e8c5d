import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { noKey } from "../../../src/agent/modelFailure.ts";
import { COMMAND_NAMES } from "../../../src/extension/commandNames.ts";
import { choicesOf } from "../../../src/extension/requests/requestChoices.ts";
import type { AttentionItem } from "../../../src/protocol/panel.ts";
import { EMPTY } from "../../../webview/l10n/empty.ts";

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
const { contributes } = JSON.parse(read("package.json"));
const texts: Record<string, string> = JSON.parse(read("package.nls.json"));

interface Command {
  command: string;
  title: string;
  category: string;
  enablement: string;
}
const commands: Command[] = contributes.commands;
const menus: Record<string, { command: string; when?: string }[]> = contributes.menus;
const bindings: { command: string; when: string }[] = contributes.keybindings;
const failedLead = { kind: "answer", title: "", text: "", failure: "key" } as unknown as AttentionItem;

it("the manifest has every command, each with a title of its own, a category and an enablement", () => {
  expect(commands.map(({ command }) => command).sort()).toEqual(COMMAND_NAMES.map((name) => `muster.${name}`).sort());
  const titles = commands.map(({ title }) => texts[title.slice(1, -1)]);
  expect(titles).not.toContain(undefined);
  expect(new Set(titles).size).toBe(titles.length);
  for (const { category, enablement } of commands) {
    expect([texts[category.slice(1, -1)], enablement !== ""]).toEqual(["Agent Teams", true]);
  }
});

it.each(["package.nls.json", "package.nls.zh-cn.json"])(
  "a link to a command has the words of its title: %s",
  (name) => {
    const words: Record<string, string> = JSON.parse(read(name));
    const links = Object.values(words).flatMap((text) => [...text.matchAll(/\[([^\]]+)\]\(command:muster\.(\w+)\)/g)]);
    expect(links.length).toBeGreaterThan(8);
    for (const [, shown, command] of links) expect(shown).toBe(words[`command.${command}`]);
  },
);

it("buttons, and sentences that name it, call the command for the key as the palette does", () => {
  const title = texts["command.setApiKey"];
  expect(title).toBe("Set API Key…"); // it asks for more
  expect(choicesOf(failedLead, false).map(({ label }) => label)).toContain(title);
  expect(EMPTY.setApiKey[0]).toBe(title);
  expect(noKey("").message).toContain(`the command “${title}”`);
  expect(read("README.md")).toContain(`**Agent Teams: ${title}**`);
});

it("menus and keys name commands that are there, and conditions name context keys that are set", () => {
  const known = new Set(commands.map(({ command }) => command));
  const entries = [...Object.values(menus).flat(), ...bindings];
  expect(entries.map(({ command }) => command).filter((command) => !known.has(command))).toEqual([]);
  const own = read("src/extension/contextKeys.ts").matchAll(/^ {2}(\w+): (?:boolean|number);$/gm);
  const keys = new Set([...own].map(([, name]) => name));
  const conditions = [...commands.map(({ enablement }) => enablement), ...entries.map(({ when = "" }) => when)];
  const views = new Set(["team", "members"]);
  const used = conditions.flatMap((when) => [...when.matchAll(/\bmuster\.(\w+)/g)].map(([, name = ""]) => name));
  expect(used.filter((name) => !keys.has(name) && !views.has(name))).toEqual([]);
  expect(keys.size).toBeGreaterThan(10);
});

it("all that the panel does with tasks, requests and members is in the palette", () => {
  const hidden = new Set(menus["commandPalette"]?.filter(({ when }) => when === "false").map(({ command }) => command));
  const offered = commands.filter(({ command }) => !hidden.has(command)).map(({ command }) => command.slice(7));
  expect(offered).toEqual(
    expect.arrayContaining([
      ...["tasks", "createTask", "reviewRequest", "reviewNextRequest", "findInConversation"],
      ...["messageMember", "openTerminal", "showScreen", "interruptMember", "changeMode", "shutDownTeammate"],
    ]),
  );
});
