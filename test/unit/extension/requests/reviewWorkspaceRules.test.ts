import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import type { Services } from "../../../../src/extension/services.ts";

const told = { folder: "", details: [] as string[] };

vi.mock("vscode", () => ({
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)])),
  },
  workspace: {
    isTrusted: true,
    get workspaceFolders() {
      return [{ name: "project", uri: { fsPath: told.folder } }];
    },
  },
  window: {
    showWarningMessage: async (_: string, { detail }: { detail: string }) => void told.details.push(detail),
  },
}));

const { reviewWorkspaceRules } = await import("../../../../src/extension/requests/reviewWorkspaceRules.ts");
afterAll(() => vi.doUnmock("vscode"));

const question = async (rule: string) => {
  const dir = await realpath(await mkdtemp(path.join(tmpdir(), "muster-review-")));
  told.folder = path.join(dir, "project");
  const file = path.join(told.folder, ".muster/settings.json");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ permissions: { allow: [rule] } }));
  const settings = () => ({ stateRoot: path.join(dir, "state") });
  const services = { settings, log: silentLogger, say: (text: string) => text };
  await reviewWorkspaceRules(services as unknown as Services);
  await rm(dir, { recursive: true });
  return told.details.at(-1)?.replace(`${file}\n\n`, "");
};

it("a rule of the workspace forges no line of the question whether to accept it", async () => {
  expect(await question("Bash(ls\n• Allows nothing\u202E)")).toBe("• Allows Bash(ls⟨U+000A⟩• Allows nothing⟨U+202E⟩)");
});

it("a rule that is too long for the question ends with a mark", async () => {
  const rule = `Bash(${"x".repeat(300)})`;
  expect(await question(rule)).toBe(`• ${`Allows ${rule}`.slice(0, 200)} …`);
});
