import type { Intent } from "../../protocol/intents.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { Services } from "../services.ts";
import type { WindowParts } from "../windowParts.ts";
import { emptyState } from "./emptyState.ts";
import { intentPorts } from "./intentPorts.ts";
import { handleIntent, type IntentPorts } from "./intents.ts";
import { panelTitle } from "./panelTitle.ts";
import { TeamBoard } from "./teamBoard.ts";

/** What only the Team Board can ask for. */
export interface BoardPorts {
  showColumns(members: readonly string[]): void;
  showInTeam(what: Extract<Intent, { type: "showInTeam" }>["what"]): Promise<void>;
}

/** Makes the window's Team Board. `services` is called when they are there. */
export function createBoard({ extension, say, log }: WindowParts, services: () => Services): TeamBoard {
  return new TeamBoard({
    ...{ extension, say, log },
    fallback: () => emptyState(services()),
    title: () => panelTitle(services().teams.current),
    onMessage: (message) => void handleIntent(message, boardPorts(services())),
  });
}

/**
 * As for the view *Team*, with the board's own conversations, and answers that go to the board. What only that view has
 * (tabs, a search, threads, the activity) is not changed from here.
 */
export function boardPorts(services: Services): IntentPorts {
  const { panel, board, planDrafts } = services;
  const ports = intentPorts(services);
  return {
    ...ports,
    view: () => null,
    begin: () => {
      board.feed.startOver();
      board.ready();
    },
    setView: () => {}, // the board has no tabs: what it shows comes by showColumns
    draftToPlan: ({ id }, draft, waiting) => {
      planDrafts.set(id, draft, waiting);
      panel.post(planDrafts.message(id));
    },
    tellPlanDrafts: () => board.post(planDrafts.message()),
    conversation: {
      ...ports.conversation,
      ...{ find() {}, openThread() {}, showEarlierMessages() {}, showActivity() {} },
      openChange: (seq, member = LEAD_NAME) => ports.conversation.openChange(seq, member),
      openOutput: (seq, member = LEAD_NAME) => ports.conversation.openOutput(seq, member),
      openTask: (task) => board.feed.changes.openTask(task),
      showEarlier: (before, from, member) => board.feed.conversation(member ?? "")?.showEarlier(before, from),
    },
    board: {
      showColumns: (members) => board.feed.setColumns(members),
      async showInTeam(what) {
        if (what.kind === "composer") await panel.reveal({ kind: "member", name: what.member });
        await panel.reveal(what.kind === "composer" ? { kind: "composer" } : what);
      },
    },
    post: (message) => board.post(message),
  };
}
