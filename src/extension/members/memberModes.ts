import * as vscode from "vscode";
import { MODE_WORDS, PERMISSION_MODES, type PermissionMode } from "../../protocol/mode.ts";
import type { Say } from "../displayLanguage.ts";
import type { Services } from "../services.ts";
import { requireLive } from "../teams/teams.ts";
import { chooseMember } from "./memberActions.ts";

/** What a mode means, in the words of the quick pick, in English. */
const DETAILS: Readonly<Record<PermissionMode, string>> = {
  default: "It reads in the folder; edits and commands ask you",
  acceptEdits: "It reads and edits in the folder; commands ask you",
  plan: "It only reads, and writes a plan that you approve",
  dontAsk: "It never asks: what no rule allows is denied",
  bypassPermissions: "Everything runs that no rule denies; protected files and critical removals still ask",
};

/** *Change a Member's Mode…*: it counts from the member's next decision on. */
export async function changeMode(services: Services, given: unknown): Promise<void> {
  const { session } = requireLive(services.teams);
  const member = await chooseMember(services, given, vscode.l10n.t("Change a Member's Mode"));
  if (!member) return;
  const now = session.members().find(({ name }) => name === member.name)?.mode;
  const mode = await pickMode(member.displayName, now, services.say);
  if (mode !== undefined && mode !== now) await session.setMode(member.name, mode);
}

/** The mode that the person picks for a member, made sure of where it allows everything; undefined: none was picked. */
export async function pickMode(
  name: string,
  now: PermissionMode | undefined,
  say: Say,
): Promise<PermissionMode | undefined> {
  const items = PERMISSION_MODES.map((mode) => ({
    label: say(MODE_WORDS[mode]),
    detail: say(DETAILS[mode]),
    iconPath: new vscode.ThemeIcon(mode === now ? "check" : "blank"),
    description: mode === now ? vscode.l10n.t("now") : "",
    mode,
  }));
  const title = vscode.l10n.t("Mode of {0}", name);
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  if (!picked || picked.mode === now) return picked?.mode;
  return picked.mode === "bypassPermissions" && !(await isSure(name)) ? undefined : picked.mode;
}

/** *Toggle Delegate Mode*: the lead keeps only team, message and task tools, until it is switched off again. */
export async function toggleDelegate(services: Services): Promise<void> {
  const { session } = requireLive(services.teams);
  session.setDelegates(!session.delegates);
  const sentence = session.delegates
    ? vscode.l10n.t("The lead only delegates now.")
    : vscode.l10n.t("The lead has all its tools again.");
  vscode.window.setStatusBarMessage(sentence, 5_000);
}

async function isSure(name: string): Promise<boolean> {
  const go = vscode.l10n.t("Allow Everything");
  const question = vscode.l10n.t("Let {0} run every command and edit every file without asking you?", name);
  return (await vscode.window.showWarningMessage(question, { modal: true }, go)) === go;
}
