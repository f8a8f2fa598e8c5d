import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable.ts";
import type { TeamScreen } from "../protocol/panel.ts";
import { noteFirstSteps } from "./firstSteps.ts";
import type { NoticeQueue } from "./notices/noticeQueue.ts";
import { createNotices } from "./notices/notices.ts";
import { sayState } from "./panel/sayPanel.ts";
import type { Services } from "./services.ts";
import { rememberTeam } from "./teams/restoreTeam.ts";
import { teamKeys } from "./teams/teamKeys.ts";
import { createThrottle } from "./throttle.ts";

/** Milliseconds between two updates of the native surfaces, at least. */
const INTERVAL_MS = 100;

/** Keeps everything outside the webview up to date: tree, badge, status bar, context keys, notices. */
export function keepSurfaces(services: Services): Disposable {
  const owned = new DisposableStore();
  const notices = owned.add(createNotices(services));
  let ofTeam: DisposableStore | undefined;
  const throttle = owned.add(createThrottle(INTERVAL_MS, () => update(services, notices)));
  const changed = () => throttle.request();
  const show = () => {
    const { current, live } = services.teams;
    ofTeam?.dispose();
    ofTeam = new DisposableStore();
    if (current) ofTeam.add(current.onDidChange(changed));
    if (live) ofTeam.add(noteFirstSteps(live.session, services.didFirst));
    services.panel.show(current);
    services.board.show(current);
    throttle.run();
  };
  const facts = () => {
    services.panel.feed.changed();
    services.board.feed.changed();
    changed();
  };
  owned.add(services.teams.onDidChange(show));
  owned.add(services.apiKey.onDidChange(facts));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(facts));
  owned.add(vscode.workspace.onDidChangeWorkspaceFolders(facts));
  owned.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("muster") && facts()));
  owned.defer(() => ofTeam?.dispose());
  throttle.run();
  return owned;
}

function update(services: Services, notices: NoticeQueue): void {
  const { teams, tree, statusBar, panel, board, setKeys } = services;
  const { current, live } = teams;
  const state = current ? sayState(current.state(), services.say) : null;
  const settings = services.settings();
  const waiting = state?.attention.length ?? 0;
  tree.update(state ? { state, live: live !== null } : null, settings.notifications === "off" ? 0 : waiting);
  statusBar.update(state && live ? statusOf(state) : null);
  panel.describe();
  board.describe();
  notices.update(state);
  void rememberTeam(services, state);
  setKeys(teamKeys(state && current ? { state, address: current.address } : null, live !== null));
}

function statusOf({ title, members, attention, paused }: TeamScreen) {
  const working = members.filter(({ state }) => state === "working" || state === "starting").length;
  return { title, members: members.length, working, waiting: attention.length, paused: paused !== undefined };
}
