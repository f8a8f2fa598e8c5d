import { LEAD_NAME } from "../../protocol/names.ts";
import type { PlanRequest } from "../../protocol/request.ts";
import { shownName } from "../members/shownName.ts";
import type { Services } from "../services.ts";
import { planBefore } from "./planVersions.ts";

/** Opens a plan beside the one that its member sent before. Throws `not_ready` where that is not known any more. */
export async function comparePlan(services: Services, request: PlanRequest): Promise<void> {
  const before = planBefore(services.teams.current?.received(LEAD_NAME) ?? [], request);
  await services.documents.openPlanChanges(request, before, shownName(services, request.from));
}
