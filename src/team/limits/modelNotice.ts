import type { Logger } from "../../base/logger.ts";
import type { TeamEvent } from "../../protocol/events.ts";
import { type ModelCatalog, unknownModel } from "./models.ts";

/** Logs, once for each model that begins to work in a team, that nothing is known of it. Gets the events of the team. */
export function modelNotice(models: ModelCatalog, logger: Logger): (event: TeamEvent) => void {
  const said = new Set<string>();
  return (event) => {
    if (event.type !== "run_started" && event.type !== "member_joined") return;
    const sentence = unknownModel(event.model, models);
    if (sentence === null || said.has(sentence)) return;
    said.add(sentence);
    logger.warn(sentence);
  };
}
