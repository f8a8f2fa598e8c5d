import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import type { Services } from "../../../../src/extension/services.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

/** What VS Code was told and asked. */
const told = {
  dialogs: [] as { text: string; detail: string }[],
  bar: [] as string[],
  notices: [] as string[][],
  shown: [] as unknown[][],
  /** Files that editors have open. */
  open: [] as { uri: FakeUri; encoding: string }[],
  /** What happens while the question whether to undo is open; resolves to the button. */
  onQuestion: async () => {},
};

/** How many records are open. */
const open = { count: 0 };

vi.mock("../../../../src/extension/changes/shownChanges.ts", async (importOriginal) => {
  const own = await importOriginal<typeof import("../../../../src/extension/changes/shownChanges.ts")>();
  const openShownChanges: typeof own.openShownChanges = async (...given) => {
    const changes = await own.openShownChanges(...given);
    open.count += 1;
    const dispose = () => {
      open.count -= 1;
      changes.dispose();
    };
    return { ...changes, dispose };
  };
  return { ...own, openShownChanges };
});

interface FakeUri {
  scheme: string;
  fsPath: string;
  query: string;
  with(parts: Partial<FakeUri>): FakeUri;
}

const uriOf = (parts: Pick<FakeUri, "scheme" | "fsPath" | "query">): FakeUri => ({
  ...parts,
  with: (others) => uriOf({ ...parts, ...others }),
});

vi.mock("vscode", () => ({
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)])),
  },
  env: { language: "en" },
  Uri: { file: (fsPath: string) => uriOf({ scheme: "file", fsPath, query: "" }) },
  workspace: {
    get textDocuments() {
      return told.open;
    },
    // of VS Code's rules: a zero is binary, and what is open has its own encoding
    decode: async (bytes: Uint8Array, { uri, encoding = "utf-8" }: { uri?: FakeUri; encoding?: string }) => {
      if (bytes.includes(0)) throw new Error("binary");
      return new TextDecoder(uri?.fsPath.endsWith(".latin") ? "latin1" : encoding).decode(bytes);
    },
    registerTextDocumentContentProvider: () => ({ dispose() {} }),
  },
  window: {
    tabGroups: { all: [] },
    setStatusBarMessage: (text: string) => told.bar.push(text),
    showQuickPick: async () => undefined,
    showInformationMessage: async (...words: string[]) => {
      told.notices.push(words);
      return words.at(-1);
    },
    showWarningMessage: async (text: string, { detail }: { detail: string }, button?: string) => {
      told.dialogs.push({ text, detail });
      if (button !== undefined) await told.onQuestion();
      return button;
    },
  },
  commands: {
    executeCommand: async (command: string, _?: string, files: unknown[][] = [[command]]) => {
      told.shown.push(...files);
    },
  },
}));

const { showChanges, undoChanges } = await import("../../../../src/extension/changes/changes.ts");
const { ChangeDocuments } = await import("../../../../src/extension/changes/changeDocuments.ts");
afterAll(() => vi.doUnmock("vscode"));

beforeEach(() => {
  Object.assign(told, { dialogs: [], bar: [], notices: [], shown: [], open: [], onQuestion: async () => {} });
});

/** The parts that these commands use, with the team of a bench on show; `looks`: when shared files were looked at, told by the dialogs before. */
function servicesOf({ store }: ChangesBench) {
  const looks: number[] = [];
  const current = {
    address: { root: store.paths.root, kind: "team", folder: "crew" },
    people: (name: string) => ({ displayName: name.toUpperCase() }),
    state: () => ({ title: "The crew" }),
  };
  const changeDocuments = new ChangeDocuments(silentLogger);
  const live = { lookAtChanges: async () => void looks.push(told.dialogs.length) };
  const services = { teams: { current, live }, log: silentLogger, changeDocuments, didFirst() {} };
  return { services: services as unknown as Services, looks, changeDocuments };
}

it("an undo that leaves files says which and why, and shared files are looked at again", async () => {
  await using bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n" }, { repository: false });
  await bench.member("ann")("Bash", { command: "echo ann > a.txt; echo ann > b.txt" });
  const { services, looks } = servicesOf(bench);
  told.onQuestion = async () => void (await bench.write("a.txt", "the person's\n"));
  await undoChanges(services, { name: "ann" });
  expect(told.dialogs.at(-1)).toEqual({
    text: "Of what ANN changed, 1 of 2 files are undone.",
    detail: "These stay as they are:\na.txt: somebody changed it meanwhile",
  });
  expect([told.bar, looks.length]).toEqual([[], 1]);
  expect(await readFile(path.join(bench.cwd, "b.txt"), "utf8")).toBe("b\n");
});

it("an undo of which nothing is done says so, and one of which all is says it in the status bar", async () => {
  await using bench = await changesBench({ "a.txt": "a\n" }, { repository: false });
  await bench.member("ann")("Bash", { command: "echo ann > a.txt" });
  const { services, looks } = servicesOf(bench);
  told.onQuestion = async () => void (await bench.write("a.txt", "the person's\n"));
  await undoChanges(services, { name: "ann" });
  expect(told.dialogs.at(-1)?.text).toBe("Nothing of what ANN changed is undone.");
  told.onQuestion = async () => {};
  await bench.write("a.txt", "ann\n");
  await undoChanges(services, { name: "ann" });
  expect(told.bar).toEqual(["What ANN changed is undone."]);
  expect(looks.length).toBe(2);
});

it("shared files are looked at again also where what was undone cannot be recorded", async () => {
  await using bench = await changesBench({ "a.txt": "a\n" }, { repository: false });
  await bench.member("ann")("Bash", { command: "echo ann > a.txt" });
  const { services, looks } = servicesOf(bench);
  told.onQuestion = () => rm(bench.store.paths.team("crew").dir, { recursive: true });
  await undoChanges(services, { name: "ann" }).catch(() => {});
  expect(looks.length).toBe(1);
});

it.each([
  {
    repository: true,
    places: ["that git ignores", "submodules and other repositories inside", "outside of it", "commits, branches"],
  },
  { repository: false, places: ["outside of the folder", "node_modules, .git, .hg or .svn"] },
])("says where its commands may have changed something that stays (%o)", async ({ repository, places }) => {
  await using bench = await changesBench({ "a.txt": "a\n" }, { repository });
  if (repository) {
    await bench.git("init", "-q", "nested");
    await bench.git("-C", "nested", "commit", "-q", "--allow-empty", "-m", "nested");
  }
  await bench.member("ann")("Bash", { command: "mkdir -p nested; echo ann | tee a.txt > nested/f" });
  await undoChanges(servicesOf(bench).services, { name: "ann" });
  const { detail = "" } = told.dialogs[0] ?? {};
  expect(detail.split("\n").filter((line) => line.includes("nested"))).toEqual(
    repository ? [] : ["nested/f (new: is removed)"],
  );
  for (const place of places) expect(detail).toContain(place);
});

it("the name of a file, or of who changed it, forges no line of the question", async () => {
  await using bench = await changesBench({}, { repository: false });
  const forged = "a\n\nThese stay as they are:\nkey.pem: \u202Eno";
  await bench.member("ann\nnobody")("Bash", { command: `echo ann | tee '${forged}' > '${forged}2'` });
  await bench.write(`${forged}2`, "the person's\n");
  told.onQuestion = async () => void (await bench.write(forged, "the person's\n"));
  await undoChanges(servicesOf(bench).services, { name: "ann\nnobody" });
  const shown = "a⟨U+000A⟩⟨U+000A⟩These stay as they are:⟨U+000A⟩key.pem: ⟨U+202E⟩no";
  expect(told.dialogs.map(({ text, detail }) => [text, ...detail.split("\n\n").slice(0, 2)])).toEqual([
    [
      "Undo what ANN⟨U+000A⟩NOBODY changed in one file?",
      `${shown} (new: is removed)`,
      `These stay as they are:\n${shown}2: somebody else changed it later`,
    ],
    [
      "Nothing of what ANN⟨U+000A⟩NOBODY changed is undone.",
      `These stay as they are:\n${shown}: somebody changed it meanwhile`,
    ],
  ]);
});

it("a recorded text is read in the encoding of its editor, else in that of the settings for the file", async () => {
  await using bench = await changesBench({ "a.txt": "", "b.latin": "" }, { repository: false });
  await bench.write("a.txt", Buffer.from("c4e3bac30a", "hex"));
  await bench.write("b.latin", Buffer.from("e90a", "hex"));
  await bench.member("ann")("Bash", { command: "rm a.txt b.latin" });
  const { services, changeDocuments } = servicesOf(bench);
  await showChanges(services, { name: "ann" });
  const read = ([, before]: unknown[]) => changeDocuments.provideTextDocumentContent(before as never);
  const uri = uriOf({ scheme: "file", fsPath: path.join(bench.cwd, "a.txt"), query: "" });
  told.open = [{ uri, encoding: "gbk" }];
  expect(await Promise.all(told.shown.map(read))).toEqual(["你好\n", "é\n"]);
});

it("a window without a team says so, and runs the demo team for who picks it", async () => {
  const services = { teams: { current: null } } as unknown as Services;
  await showChanges(services, undefined);
  await undoChanges(services, undefined);
  const notice = ["There is no team in this window.", "Run the Demo Team"];
  expect([told.notices, told.shown]).toEqual([
    [notice, notice],
    [["muster.runDemo"], ["muster.runDemo"]],
  ]);
});

it("a member that changed nothing is called by its name on show", async () => {
  await using bench = await changesBench({}, { repository: false });
  await bench.member("ann")("Write", { file_path: "a.txt", content: "ann\n" });
  const { services } = servicesOf(bench);
  await expect(undoChanges(services, { name: "bob" })).rejects.toThrow("BOB has changed no file.");
});

it("where it is not known what a command changed, nobody is said to have changed no file", async () => {
  await using bench = await changesBench({}, { repository: false });
  const { services } = servicesOf(bench);
  await expect(showChanges(services, undefined)).rejects.toThrow("No member has changed a file yet.");
  const at = new Date().toISOString();
  await bench.store.changes.append(bench.owner, { kind: "command", at, member: "ann" });
  await bench.store.changes.append(bench.owner, { kind: "ended", at, since: at, from: at, to: at, member: "ann" });
  const unknown = "is recorded, but of at least one command it is not known what it changed.";
  await expect(showChanges(services, undefined)).rejects.toThrow(`No change ${unknown}`);
  await bench.member("bob")("Write", { file_path: "b.txt", content: "bob\n" });
  await expect(undoChanges(services, { name: "ann" })).rejects.toThrow(`No change by ANN ${unknown}`);
  await bench.member("ann")("Bash", { command: "echo ann > a.txt" });
  await undoChanges(services, { name: "ann" });
  expect(told.dialogs[0]?.detail).toMatch(/Of at least one command of ANN it is not known at all what it changed\./);
});

it("names all whose commands ran while a file changed", async () => {
  await using bench = await changesBench({ "a.txt": "a\n" }, { repository: false });
  const at = (second: number) => new Date(second * 1_000).toISOString();
  await bench.store.changes.append(bench.owner, { kind: "command", at: at(2), member: "bob" });
  const state = { hash: await bench.store.changes.keep(bench.owner, Buffer.from("a\n")), mode: 0o644, kept: true };
  const files = [{ path: path.join(bench.cwd, "a.txt"), before: null, after: state }];
  const call = { id: "1", member: "ann", tool: "Bash" as const, toolUseId: "1" };
  await bench.store.changes.append(bench.owner, { kind: "change", at: at(3), since: at(1), ...call, files });
  await undoChanges(servicesOf(bench).services, { name: "bob" });
  expect(told.dialogs).toEqual([
    {
      text: "Nothing that BOB changed can be undone.",
      detail: expect.stringMatching(/a\.txt: it changed while commands of ANN and BOB ran at the same time/),
    },
  ]);
});

it("what is shown can be read again and again, and nothing stays open for it", async () => {
  await using bench = await changesBench({ "a.txt": "a\n", "b.bin": "" }, { repository: false });
  await bench.member("ann")("Bash", { command: "echo ann > a.txt; printf '\\000' > b.bin" });
  await bench.member("bob")("Bash", { command: "rm b.bin" });
  const { services, changeDocuments } = servicesOf(bench);
  await showChanges(services, undefined); // the pick is left
  await expect(showChanges(services, { name: "cleo" })).rejects.toThrow("CLEO has changed no file.");
  await showChanges(services, { name: "ann" });
  expect(open.count).toBe(0);
  const [a, b] = told.shown as [FakeUri, FakeUri, FakeUri][];
  const read = (uri: FakeUri | undefined) => changeDocuments.provideTextDocumentContent(uri as never);
  expect([await read(a?.[1]), await read(a?.[1]), await read(b?.[2])]).toEqual([
    "a\n",
    "a\n",
    "This file is no text. Its size in bytes is 1.",
  ]);
  expect(a?.[2].scheme).toBe("file");
  expect(await read(a?.[1].with({ query: `${"0".repeat(64)} elsewhere` }))).toBe(
    "What this file was is not known any more.",
  );
  await bench.store.teams.delete("crew", { keepHistory: false, now: Date.now() });
  expect(await read(a?.[1])).toBe("What this file was is not kept any more.");
});
