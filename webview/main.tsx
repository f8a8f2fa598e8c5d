import { render, type VNode } from "preact";
import { connectHost } from "./host.ts";
import { createModel, ModelContext } from "./model.ts";
import { Panel } from "./views/panel.tsx";

/** The Team view and the Team Board start here: the host's page has one element, `#root`, which says what it is. */
function start(): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no #root");
  const isBoard = root.dataset["view"] === "board";
  const model = createModel(connectHost(), isBoard ? "board" : "team");
  const show = (view: VNode) => render(<ModelContext.Provider value={model}>{view}</ModelContext.Provider>, root);
  // the side bar does without what only the board draws
  if (isBoard) void import("./board/board.tsx").then(({ Board }) => show(<Board />));
  else show(<Panel />);
  void import("./ui/afterwards.ts").then(({ startAfterwards }) => startAfterwards(root));
}

start();
