import { render } from "preact";
import { connectHost } from "./host.ts";
import { createModel, ModelContext } from "./model.ts";
import { Panel } from "./views/panel.tsx";

/** The Team view starts here: the host's page has one element, `#root`. */
function start(): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no #root");
  const model = createModel(connectHost());
  render(
    <ModelContext.Provider value={model}>
      <Panel />
    </ModelContext.Provider>,
    root,
  );
}

start();
