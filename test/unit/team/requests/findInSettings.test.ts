import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { DoctorReport } from "../../../../src/store/doctorFindings.ts";
import { settingsFindings } from "../../../../src/team/requests/findInSettings.ts";
import { loosenings } from "../../../../src/team/requests/rulesInForce.ts";
import { addFindings, findingText } from "../../../../src/team/requests/settingsFinding.ts";
import { openTempStore, type TempStore } from "../../../support/tempStore.ts";

/** A store with a project; `write` puts settings into one of the files that a session reads. */
async function openSettings() {
  const temp = await openTempStore();
  const cwd = path.join(temp.root, "project");
  const { paths } = temp.store;
  const [claude = "", project = "", local = ""] = paths.claudeSettings(cwd);
  const files = { person: paths.settings, folder: paths.workspaceSettings(cwd), claude, project, local };
  const write = async (which: keyof typeof files, content: unknown) => {
    await mkdir(path.dirname(files[which]), { recursive: true });
    await writeFile(files[which], typeof content === "string" ? content : JSON.stringify(content));
  };
  const found = async () =>
    (await settingsFindings(temp.store, cwd)).map((one) => ({ stops: one.stops, text: findingText(one) }));
  return {
    ...files,
    cwd,
    write,
    found,
    store: temp.store,
    [Symbol.asyncDispose]: temp[Symbol.asyncDispose] satisfies TempStore[typeof Symbol.asyncDispose],
  };
}

it("nothing is found in settings that mean what they say, nor where there are none", async () => {
  await using it = await openSettings();
  expect(await it.found()).toEqual([]);
  const permissions = {
    defaultMode: "delegate",
    allow: ["Edit(/src/**)", "Agent"],
    ask: ["WebFetch"],
    deny: ["Bash(rm:*)"],
  };
  await it.write("person", { permissions: { ...permissions, additionalDirectories: ["/x"] }, accepted: {} });
  await it.write("folder", { permissions });
  await it.write("claude", {
    model: "x",
    hooks: { Stop: [] },
    permissions: { allow: ["oh no ("], deny: ["mcp__files", "Skill(x)"] },
  });
  expect(await it.found()).toEqual([]);
});

it("hooks are told of, whatever they hold: nothing runs them; those of Claude Code's own files are its own", async () => {
  await using it = await openSettings();
  for (const which of ["claude", "project", "local"] as const) await it.write(which, { hooks: { PreToolUse: [] } });
  expect(await it.found()).toEqual([]);
  const told = (file: string) => ({
    stops: false,
    text: `${file}: "hooks" has no effect: Muster runs no hooks. Remove it.`,
  });
  await it.write("person", { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [] }] } });
  await it.write("folder", { hooks: [] });
  expect(await it.found()).toEqual([told(it.person), told(it.folder)]);
});

it("a text that is no rule, a tool that nobody has and a misspelt key are told with file and key", async () => {
  await using it = await openSettings();
  await it.write("person", { permisions: {}, permissions: { alow: [], deny: ["Bash(rm", "bash(rm:*)"], colour: 1 } });
  expect(await it.found()).toEqual([
    { stops: false, text: `${it.person}: "permisions" means nothing here and has no effect. Write "permissions".` },
    {
      stops: false,
      text: `${it.person}: "permissions.alow" means nothing here and has no effect. Write "permissions.allow".`,
    },
    {
      stops: false,
      text: `${it.person}: "permissions.colour" means nothing here and has no effect. Remove it, or write one of permissions.defaultMode, permissions.allow, permissions.ask, permissions.deny, permissions.additionalDirectories.`,
    },
    {
      stops: true,
      text: `${it.person}: permissions.deny holds "Bash(rm", which is no permission rule. Write Tool or Tool(pattern), as in Bash(npm test:*): no call runs before that.`,
    },
    {
      stops: false,
      text: `${it.person}: permissions.deny holds "bash(rm:*)", a rule of a tool that nobody here has: it matches nothing. Correct the tool's name.`,
    },
  ]);
});

it.each([
  ["WebFetch(example.org)", "WebFetch(domain:example.org)"],
  ["WebFetch(https://docs.example.org/a)", "WebFetch(domain:docs.example.org)"],
  ["WebFetch(domain:a b)", "WebFetch(domain:example.org)"],
  ["npm test", "Tool or Tool(pattern), as in Bash(npm test:*)"],
])("what to write for %s is not what was written", async (text, form) => {
  await using it = await openSettings();
  await it.write("person", { permissions: { deny: [text] } });
  expect((await it.found())[0]?.text).toContain(`no permission rule. Write ${form}: no call runs before that.`);
});

it("what a folder allows in a text that is no rule is not announced as allowing, and stops calls once it is accepted", async () => {
  await using it = await openSettings();
  await it.write("folder", { permissions: { allow: ["npm test", "WebFetch"] } });
  const told = (end: string) => `${it.folder}: permissions.allow holds "npm test", which is no permission rule${end}`;
  expect(await it.found()).toEqual([
    { stops: false, text: told(" and allows nothing. Write Tool or Tool(pattern), as in Bash(npm test:*).") },
  ]);
  const shown = await it.store.settings.workspace(it.cwd);
  expect(loosenings(shown)).toEqual([{ kind: "rule", what: "WebFetch" }]);
  await it.store.settings.acceptWorkspace(it.cwd, shown.digest ?? "");
  expect(await it.found()).toMatchObject([{ stops: true }]);
});

it("a file that holds no settings is told once, with the key that is wrong", async () => {
  await using it = await openSettings();
  for (const [content, why] of [
    ["{", "line 1, column 2 is where it stops being JSON."],
    ['{\n  "permissions": { "deny": ["Bash",] }\n}', "line 2, column 36 is where it stops being JSON."],
    ['{\n  // mine\n  "permissions": {}\n}', "line 2, column 3 begins a comment, which JSON does not have."],
    ["[]", "it is no JSON object."],
    [{ permissions: { deny: "Bash" } }, "permissions.deny must be a list of texts."],
    [{ permissions: { ask: ["Bash", 1] } }, "permissions.ask must be a list of texts."],
    [
      { permissions: { defaultMode: "yolo" } },
      "permissions.defaultMode must be one of default, acceptEdits, plan, bypassPermissions, dontAsk.",
    ],
    [{ permissions: [] }, "permissions must be an object."],
  ] as const) {
    await it.write("folder", content);
    const text = `${it.folder} does not hold valid settings: ${why} Correct it or remove the file; nothing runs without its rules.`;
    expect(await it.found()).toEqual([{ stops: true, text }]);
  }
  await it.write("folder", {});
  await it.write("person", "{");
  expect(await it.found()).toHaveLength(1);
});

it("what Claude Code's settings forbid in a text that is no rule is told, and stops nothing", async () => {
  await using it = await openSettings();
  await it.write("claude", { permissions: { deny: ["oh no ("] } });
  expect(await it.found()).toEqual([
    {
      stops: false,
      text: `${it.claude}: permissions.deny holds "oh no (", which is no rule here and has no effect. Write what it is to forbid into Muster's own settings.`,
    },
  ]);
});

it("each of Claude Code's files is told of under its own path, whatever is wrong with another", async () => {
  await using it = await openSettings();
  await it.write("claude", { permissions: { deny: ["oh no ("] } });
  await it.write("project", "{");
  await it.write("local", { permissions: { ask: 1 } });
  const findings = await settingsFindings(it.store, it.cwd);
  expect(findings.map(({ file, stops, foreign }) => ({ file, stops, foreign }))).toEqual([
    { file: it.claude, stops: false, foreign: true },
    { file: it.project, stops: true, foreign: false },
    { file: it.local, stops: true, foreign: false },
  ]);
  expect(findings.slice(1).map(({ what }) => what)).toEqual(
    [
      [it.project, "line 1, column 2 is where it stops being JSON."],
      [it.local, "permissions.ask must be a list of texts."],
    ].map(([file, why]) => `${file} does not hold valid settings: ${why} Correct it: what it denies counts here too.`),
  );
});

it("a file that cannot be read is a finding, and the others are looked through", async () => {
  await using it = await openSettings();
  await mkdir(it.person, { recursive: true });
  await mkdir(it.project, { recursive: true });
  await it.write("claude", { permissions: { deny: ["oh no ("] } });
  const told = (file: string) => ({
    ...{ file, repair: "", stops: true, foreign: false, error: expect.objectContaining({ reason: "root_unreadable" }) },
    what: `The settings cannot be read: ${file} is a folder where a file should be; move it away.`,
  });
  const findings = await settingsFindings(it.store, it.cwd);
  expect(findings).toEqual([told(it.person), expect.objectContaining({ file: it.claude }), told(it.project)]);
});

it("the doctor gets each finding once: a fault of no team, or a note of another program's file", async () => {
  await using it = await openSettings();
  await it.write("person", { permisions: {} });
  await it.write("claude", { permissions: { deny: ["oh no ("] } });
  const report: DoctorReport = { checked: 0, faults: [], notes: [] };
  for (const folder of [null, it.cwd]) addFindings(report, await settingsFindings(it.store, folder));
  const message = '"permisions" means nothing here and has no effect.';
  expect(report.faults).toMatchObject([{ team: null, file: it.person, message, repair: 'Write "permissions".' }]);
  expect(report.notes).toEqual([expect.stringContaining(it.claude)]);
});
