import { render } from "preact";
import { Board } from "./board/board.tsx";
import { connectHost } from "./host.ts";
import { createModel, ModelContext } from "./model.ts";
import { Panel } from "./views/panel.tsx";

/** The Team view and the Team Board start here: the host's page has one element, `#root`, which says what it is. */
function start(): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no #root");
  const isBoard = root.dataset["view"] === "board";
  const model = createModel(connectHost(), isBoard ? "board" : "team");
  render(<ModelContext.Provider value={model}>{isBoard ? <Board /> : <Panel />}</ModelContext.Provider>, root);
  void import("./ui/lostFocus.ts").then(({ keepLostFocus }) => keepLostFocus(root)); // not needed for the first picture
}

start();
