import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { noticeText, rowText } from "../../../../src/extension/notices/noticeText.ts";
import { HOSTILE } from "../../../support/hostileStrings.ts";

/** What VS Code takes for a link in a notification (`vs/base/common/linkedText.ts`); a command runs when it is clicked. */
const LINK = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+(?: ["'].+?["'])?\)/i;

it("no text of a model becomes a link or a command in a notification", () => {
  expect(HOSTILE.some((text) => LINK.test(text))).toBe(true);
  for (const text of [...HOSTILE, "[a]\n(command:x)", "[[a](command:x)](command:y)", '[a](command:x "t")']) {
    const shown = noticeText(`alice: ${text}`);
    expect(shown, text).not.toMatch(LINK);
    expect(shown.length).toBeLessThan(6_000);
    expect(shown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]/);
  }
  expect(noticeText("alice: Run npm test [1/2] (all)")).toBe("alice: Run npm test [1/2] (all)");
});

it("every notification whose text is not our own goes through it", () => {
  const root = path.resolve(import.meta.dirname, "../../../..");
  const calls = globSync("src/extension/**/*.ts", { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(path.join(root, file), "utf8").matchAll(
        /show(?:Information|Warning|Error)Message(?:<[^>]*>)?\(([^,)]*)(.{0,20})/gs,
      ),
    ]
      .filter(([, , rest = ""]) => !rest.includes("modal"))
      .map(([, text = ""]) => `${path.basename(file)}: ${text}`),
  );
  expect(calls.sort()).toEqual([
    "commands.ts: noticeText(say(errorMessage(error",
    "continueTeam.ts: noticeText(sentence",
    "newTeam.ts: sentence",
    "notices.ts: noticeText(more",
    "notices.ts: noticeText(text",
    "offerDemo.ts: sentence",
    'pickRequest.ts: vscode.l10n.t("Nothing waits for you."',
    "reviewWorkspaceRules.ts: noticeText(sentence",
    "tellOfSettings.ts: noticeText(findingText(finding",
    "tellOfSettings.ts: noticeText(sentence",
    "tellOfSettings.ts: sentence",
  ]);
});

it("a row of a quick pick shows what a command substitutes, instead of an icon", () => {
  // VS Code's own rule: an optional backslash, then $(name) or $(name~modifier)
  const drawn = (label: string) =>
    label.replaceAll(/(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g, (_, escaped, icon) =>
      escaped ? `$(${icon})` : "☐",
    );
  for (const text of ["echo $(whoami)", "x $(a~spin) $(b)", "echo \\$(date)", "echo $(rm -rf x) $((1+1)) $HOME"])
    expect(drawn(rowText(text))).toBe(text);
  expect(drawn("echo $(whoami)")).toBe("echo ☐");
});
