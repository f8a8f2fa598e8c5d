import type { Entry } from "../../protocol/message.ts";
import { parseBody, requestIdOf } from "../../protocol/messageBody.ts";
import type { PlanRequest } from "../../protocol/request.ts";

/**
 * The plan that the member of this request sent last before it, whole; null where there is none. `received`: what the
 * lead got, oldest first.
 */
export function planBefore(received: readonly Entry[], request: Pick<PlanRequest, "id" | "from">): string | null {
  const plans = received.flatMap((entry) => {
    const body = entry.from === request.from ? parseBody(entry.text) : null;
    return body?.kind === "plan_approval_request" ? [body.body] : [];
  });
  const own = plans.findIndex((plan) => requestIdOf(plan) === request.id);
  const earlier = own < 0 ? plans : plans.slice(0, own);
  return earlier.at(-1)?.planContent ?? null;
}
