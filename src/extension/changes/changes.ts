import * as vscode from "vscode";
import { MusterError } from "../../base/errors.ts";
import { writtenInLine } from "../../base/hiddenCharacters.ts";
import type { FileStep } from "../../protocol/changes.ts";
import type { LeftReason, Undone } from "../../team/changes/teamChanges.ts";
import type { UndoRefusal } from "../../team/changes/undoPlan.ts";
import type { UnrecordedPlaces } from "../../team/changes/unrecorded.ts";
import { memberNameIn } from "../members/memberActions.ts";
import { shownName } from "../members/shownName.ts";
import { rowText } from "../notices/noticeText.ts";
import type { Services } from "../services.ts";
import { offerDemo } from "../teams/offerDemo.ts";
import type { TeamAddress } from "../teams/shownTeam.ts";
import type { ChangeSide, ShownChanges } from "./shownChanges.ts";

/** Files that a question names; of more only their number is told. */
const MOST_NAMED = 20;

/** *Show Changes*: what the members of the team on show changed, as one diff of many files. */
export async function showChanges(services: Services, given: unknown): Promise<void> {
  const address = await addressOnShow(services);
  if (!address) return;
  const changes = await open(services, address);
  try {
    await showIn(services, { changes, address }, given);
  } finally {
    changes.dispose();
  }
}

async function showIn(
  services: Services,
  { changes, address }: { changes: ShownChanges; address: TeamAddress },
  given: unknown,
): Promise<void> {
  const { l10n } = vscode;
  if (changes.files === 0 && changes.gaps.size > 0)
    throw new MusterError(
      "not_ready",
      "No change is recorded, but of at least one command it is not known what it changed.",
    );
  if (changes.files === 0) throw new MusterError("not_ready", "No member has changed a file yet.");
  const member = await chooseAuthor(services, changes, given, { title: l10n.t("Show Changes"), all: true });
  if (member === undefined) return;
  const name = member === null ? services.teams.current?.state().title : shownName(services, member);
  const uriOf = (path: string, side: ChangeSide) =>
    side.kind === "none"
      ? undefined
      : side.kind === "file"
        ? vscode.Uri.file(path)
        : services.changeDocuments.uri(address, path, side.state);
  const files = (await changes.toShow(member)).map(({ path, before, after }) => [
    vscode.Uri.file(path),
    uriOf(path, before),
    uriOf(path, after),
  ]);
  await vscode.commands.executeCommand("vscode.changes", l10n.t("Changes of {0}", name ?? ""), files);
  services.didFirst("sawChanges");
}

/** *Undo a Member's Changes…*: asks with the files, and leaves those that anybody changed later. */
export async function undoChanges(services: Services, given: unknown): Promise<void> {
  const address = await addressOnShow(services);
  if (!address) return;
  const changes = await open(services, address);
  try {
    await undoIn(services, changes, given);
  } finally {
    changes.dispose();
  }
}

async function undoIn(services: Services, changes: ShownChanges, given: unknown): Promise<void> {
  const { l10n } = vscode;
  if (changes.authors.length === 0)
    throw new MusterError("not_ready", "No member has changed a file that could be undone.");
  const member = await chooseAuthor(services, changes, given, {
    title: l10n.t("Undo a Member's Changes"),
    all: false,
  });
  if (typeof member !== "string") return;
  const name = whoIs(services, member);
  const plan = await changes.plan(member, unsavedFiles());
  const stay = plan.refused.map(({ path, why }) => `${fileName(changes, path)}: ${whyText(services, changes, why)}`);
  const left = stayText(stay);
  const unrecorded = unrecordedText(name, plan.unrecorded);
  if (plan.files.length === 0) {
    const nothing = left
      ? l10n.t("Nothing that {0} changed can be undone.", name)
      : l10n.t("Every file that {0} changed is what it was.", name);
    await vscode.window.showWarningMessage(nothing, { modal: true, detail: paragraphs(left, unrecorded) });
    return;
  }
  const go = l10n.t("Undo");
  const files = named(plan.files.map((step) => stepText(changes, step)));
  const detail = paragraphs(files, left, meanwhileText(name, plan.unrecorded), unrecorded);
  const question =
    plan.files.length === 1
      ? l10n.t("Undo what {0} changed in one file?", name)
      : l10n.t("Undo what {0} changed in {1} files?", name, plan.files.length);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, go)) !== go) return;
  try {
    await tellUndone(changes, { name, ...(await changes.undo(plan)) });
  } finally {
    await services.teams.live?.lookAtChanges();
  }
}

/** Says which files stay after all, and why, where any do. */
async function tellUndone(changes: ShownChanges, { name, done, left }: Undone & { name: string }): Promise<void> {
  const { l10n, window } = vscode;
  if (left.length === 0) {
    window.setStatusBarMessage(l10n.t("What {0} changed is undone.", name), 5_000);
    return;
  }
  const sentence =
    done.length === 0
      ? l10n.t("Nothing of what {0} changed is undone.", name)
      : l10n.t("Of what {0} changed, {1} of {2} files are undone.", name, done.length, done.length + left.length);
  const detail = stayText(left.map(({ path, why }) => `${fileName(changes, path)}: ${leftText(changes, why)}`));
  await window.showWarningMessage(sentence, { modal: true, detail });
}

function linkedText(changes: ShownChanges, folder: string): string {
  return vscode.l10n.t("{0} has become a link, which leads elsewhere", fileName(changes, folder));
}

function leftText(changes: ShownChanges, why: LeftReason): string {
  switch (why.kind) {
    case "changed":
      return vscode.l10n.t("somebody changed it meanwhile");
    case "linked":
      return linkedText(changes, why.folder);
    case "lost":
      return vscode.l10n.t("what it was is not kept any more");
    case "failed":
      return vscode.l10n.t("it cannot be restored ({0})", writtenInLine(why.message));
  }
}

/** Where the team on show is kept; undefined, once the person has been told, where the window shows none. */
async function addressOnShow({ teams }: Services): Promise<TeamAddress | undefined> {
  if (!teams.current) return offerDemo();
  const { address } = teams.current;
  if (!address) throw new MusterError("not_ready", "Nothing is kept of what this team changed.");
  return address;
}

async function open({ log }: Services, address: TeamAddress): Promise<ShownChanges> {
  const { openShownChanges } = await import("./shownChanges.ts");
  return await openShownChanges(address, log);
}

/** The member that a command is about: the given row's, else the picked one; null: all; undefined: none was picked. */
async function chooseAuthor(
  services: Services,
  changes: ShownChanges,
  given: unknown,
  { title, all }: { title: string; all: boolean },
): Promise<string | null | undefined> {
  const asked = memberNameIn(given);
  if (asked !== undefined) {
    if (changes.authors.some(({ member }) => member === asked)) return asked;
    const name = shownName(services, asked);
    if (changes.gaps.has(asked))
      throw new MusterError(
        "not_ready",
        `No change by ${name} is recorded, but of at least one command it is not known what it changed.`,
      );
    throw new MusterError("not_ready", `${name} has changed no file.`);
  }
  const every = { label: vscode.l10n.t("All members"), description: filesText(changes.files), member: null };
  const items = changes.authors.map(({ member, files }) => ({
    label: rowText(shownName(services, member)),
    description: filesText(files),
    member,
  }));
  const picked = await vscode.window.showQuickPick(all ? [every, ...items] : items, {
    title,
    placeHolder: all ? vscode.l10n.t("Whose changes?") : vscode.l10n.t("Whose changes are to be undone?"),
  });
  return picked?.member;
}

/** Files with changes in an editor of any kind that are not saved: they are left alone too. */
function unsavedFiles(): string[] {
  const { workspace, window } = vscode;
  const texts = workspace.textDocuments.flatMap(({ isDirty, uri }) => (isDirty ? uri : []));
  const others = window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ isDirty, input }) => {
      const custom = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook;
      return isDirty && custom ? input.uri : [];
    }),
  );
  return [...texts, ...others].flatMap(({ scheme, fsPath }) => (scheme === "file" ? fsPath : []));
}

function stepText(changes: ShownChanges, { path, before, after }: FileStep): string {
  const name = fileName(changes, path);
  if (after === null) return vscode.l10n.t("{0} (new: is removed)", name);
  return before === null ? vscode.l10n.t("{0} (deleted: comes back)", name) : name;
}

/** A file, as a line of the question names it. */
function fileName(changes: ShownChanges, path: string): string {
  return writtenInLine(changes.nameOf(path));
}

/** A member, as a line of the question names it. */
function whoIs(services: Services, name: string): string {
  return writtenInLine(shownName(services, name));
}

/** Why a file that a member changed stays. */
function whyText(services: Services, changes: ShownChanges, why: UndoRefusal): string {
  switch (why.kind) {
    case "member":
      return vscode.l10n.t("{0} changed it later", whoIs(services, why.by));
    case "person":
      return vscode.l10n.t("you changed it too while a command of {0} ran", whoIs(services, why.by));
    case "commands":
      return vscode.l10n.t(
        "it changed while commands of {0} ran at the same time",
        new Intl.ListFormat(vscode.env.language).format(why.by.map((name) => whoIs(services, name))),
      );
    case "somebody":
      return vscode.l10n.t("somebody else changed it later");
    case "not_kept":
      return vscode.l10n.t("it is not kept, as it is too large or could not be read");
    case "unsaved":
      return vscode.l10n.t("it has changes that are not saved");
    case "linked":
      return linkedText(changes, why.folder);
    case "renamed":
      return vscode.l10n.t("it belongs to {0}, which was renamed and stays", fileName(changes, why.other));
  }
}

/** What may stay of a member's commands, as nobody knows of it; empty where it ran none. */
function unrecordedText(name: string, unrecorded: UnrecordedPlaces | null): string {
  if (unrecorded === null) return "";
  const { l10n } = vscode;
  if (unrecorded === "anywhere")
    return l10n.t(
      "Of at least one command of {0} it is not known at all what it changed. Whatever is not known stays as it is.",
      name,
    );
  return unrecorded === "git"
    ? l10n.t(
        "What commands of {0} changed in files that git ignores, in submodules and other repositories inside of the folder, or outside of it, is not known and stays as it is. So does what they changed in git itself: commits, branches, what is staged.",
        name,
      )
    : l10n.t(
        "What commands of {0} changed outside of the folder, or in node_modules, .git, .hg or .svn, is not known and stays as it is.",
        name,
      );
}

/** Whose a change is that somebody else made while a member's commands ran; empty where it ran none. */
function meanwhileText(name: string, unrecorded: UnrecordedPlaces | null): string {
  if (unrecorded === null) return "";
  return vscode.l10n.t(
    "Whatever else changed on disk while commands of {0} ran counts as its change, but for files that you changed in this window.",
    name,
  );
}

/** Files that stay, each with why; empty where none does. */
function stayText(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${vscode.l10n.t("These stay as they are:")}\n${named(lines)}`;
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter(Boolean).join("\n\n");
}

function named(lines: readonly string[]): string {
  const more = lines.length - MOST_NAMED;
  const shown = lines.slice(0, MOST_NAMED);
  return [...shown, ...(more > 0 ? [vscode.l10n.t("and {0} more", more)] : [])].join("\n");
}

function filesText(files: number): string {
  return files === 1 ? vscode.l10n.t("1 file") : vscode.l10n.t("{0} files", files);
}
