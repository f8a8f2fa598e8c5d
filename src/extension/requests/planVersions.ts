import * as z from "zod";
import type { Thread } from "../../protocol/panel.ts";
import type { PlanRequest } from "../../protocol/request.ts";

/** What of a message that asks for a plan's approval is read here (`plan_approval_request`, as the lead's inbox holds it). */
const planMessage = z.object({ planContent: z.string(), requestId: z.string() });

/** The plan that the member of this request sent last before it, from what the members wrote to each other; else null. */
export function planBefore(threads: readonly Thread[], request: Pick<PlanRequest, "id" | "from">): string | null {
  const plans = threads
    .flatMap(({ messages }) => messages)
    .filter(({ kind, from, json }) => kind === "plan_approval_request" && from === request.from && json !== null)
    .sort((one, other) => one.at - other.at)
    .flatMap(({ json }) => planMessage.safeParse(JSON.parse(json ?? "")).data ?? []);
  const own = plans.findIndex(({ requestId }) => requestId === request.id);
  const earlier = own < 0 ? plans : plans.slice(0, own);
  return earlier.at(-1)?.planContent ?? null;
}
