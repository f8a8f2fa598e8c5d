import * as vscode from "vscode";
import { MusterError } from "../../base/errors.ts";
import type { MemberRow } from "../../protocol/panel.ts";
import { rowText } from "../notices/noticeText.ts";
import type { Services } from "../services.ts";
import { runningSession } from "../teams/runningSession.ts";
import { requireLive } from "../teams/teams.ts";
import { lookOf, memberLine } from "./memberWords.ts";
import { documentName, shownName } from "./shownName.ts";

/**
 * The member that a command is about: the given row, else the one that the person picks. Undefined: none was picked.
 * Throws `unknown_member` where the row is of one that has gone meanwhile, or nobody fits.
 */
export async function chooseMember(
  services: Services,
  given: unknown,
  title: string,
  fits: (member: MemberRow) => boolean = () => true,
): Promise<MemberRow | undefined> {
  const members = (services.teams.current?.state().members ?? []).filter(fits);
  const name = memberNameIn(given);
  const chosen = members.find((member) => member.name === name);
  if (chosen) return chosen;
  if (name !== undefined || members.length === 0)
    throw new MusterError("unknown_member", "The team has no such member now.");
  const items = members.map((member) => ({
    label: rowText(member.displayName),
    iconPath: new vscode.ThemeIcon(lookOf(member).icon),
    description: rowText(memberLine(member, services.say)),
    member,
  }));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t("Which member?") });
  return picked?.member;
}

/** Shows where a member runs: its own terminal, its tmux pane in a terminal, or its transcript as one. */
export async function openTerminal(
  services: Services,
  name: string,
  options: { preserveFocus: boolean },
): Promise<void> {
  const team = requireLive(services.teams);
  const member = team.session.members().find((view) => view.name === name);
  if (!member) throw new MusterError("unknown_member", `${shownName(services, name)} is not in the team any more.`);
  const revealed = await team.session.reveal(name, options);
  if (revealed === "in-process") services.terminals.open(team.terminals, member, options.preserveFocus);
  else if (revealed !== "shown")
    services.terminals.attach(team.terminals, member, revealed.attach, options.preserveFocus);
}

/** Opens what a member's tmux pane shows, as a text. Throws `not_allowed` where this window does not run the team. */
export async function openScreen(services: Services, name: string): Promise<void> {
  const screen = await runningSession(services.teams.live?.session ?? null).screen(name);
  await services.documents.openText(`${name}/screen`, `${documentName(shownName(services, name))}.txt`, screen);
}

/** The name of the member that a command was given, as a row of the tree or a menu gives it; undefined: none. */
export function memberNameIn(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null || !("name" in given)) return undefined;
  return typeof given.name === "string" ? given.name : undefined;
}
