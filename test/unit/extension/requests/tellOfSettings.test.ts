import { beforeEach, expect, it, vi } from "vitest";
import type { Services } from "../../../../src/extension/services.ts";
import type { SettingsFinding } from "../../../../src/team/requests/settingsFinding.ts";

const shown: string[] = [];
const opened: string[] = [];

vi.mock("vscode", () => ({
  l10n: {
    t: (text: string, ...parts: string[]) => text.replaceAll(/\{(\d)\}/g, (_, at: string) => parts[Number(at)] ?? ""),
  },
  Uri: { file: (fsPath: string) => ({ fsPath }) },
  window: {
    showWarningMessage: async (_text: string, button: string) => button,
    showErrorMessage: async (text: string) => void shown.push(text),
    showTextDocument: async ({ fsPath }: { fsPath: string }) => {
      opened.push(fsPath);
      if (fsPath === "/folder") throw new Error("it is a folder");
    },
  },
}));

beforeEach(() => void [shown, opened].map((list) => list.splice(0)));

const services = {
  log: { warn() {} },
  say: (text: string) => text,
  settings: () => ({ notifications: "badge" }),
} as unknown as Services;

const finding = (file: string): SettingsFinding => ({
  file,
  what: "It is none.",
  repair: "",
  stops: true,
  foreign: false,
});

it("what stops every call offers its own file, and a file that does not open is told of in a sentence", async () => {
  const { tellOfSettings } = await import("../../../../src/extension/requests/tellOfSettings.ts");
  tellOfSettings(services, { loosenings: [], findings: [finding("/project/.claude/settings.local.json")] });
  await vi.waitFor(() => expect(opened).toEqual(["/project/.claude/settings.local.json"]));
  expect(shown).toEqual([]);
  tellOfSettings(services, { loosenings: [], findings: [finding("/folder")] });
  await vi.waitFor(() => expect(shown).toEqual(["/folder was not opened: it is a folder"]));
});
