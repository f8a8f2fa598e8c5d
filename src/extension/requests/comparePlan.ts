import { LEAD_NAME } from "../../protocol/names.ts";
import type { PlanRequest } from "../../protocol/request.ts";
import type { Services } from "../services.ts";
import { planBefore } from "./planVersions.ts";

/** Opens a plan beside the one that its member sent before. Throws `not_ready` where that is not known any more. */
export async function comparePlan({ teams, documents }: Services, request: PlanRequest): Promise<void> {
  const before = planBefore(teams.current?.received(LEAD_NAME) ?? [], request);
  await documents.openPlanChanges(request, before);
}
