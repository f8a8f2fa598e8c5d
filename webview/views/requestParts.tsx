import type { AttentionItem } from "../../src/protocol/panel.ts";
import { useModel } from "../model.ts";
import { Icon } from "../ui/icon.tsx";
import { Who } from "../ui/who.tsx";

/** Who asks, and for which task. */
export function RequestFrom({ item }: { item: AttentionItem }) {
  return (
    <>
      <Who member={item.from} />
      {item.task && (
        <span class="req-task" title={item.task.subject}>
          #{item.task.id} {item.task.subject}
        </span>
      )}
    </>
  );
}

/** Why the last decision on a request did not count; nothing where it did. */
export function RequestError({ id }: { id: string }) {
  const { queue } = useModel();
  const error = queue.errors.value.get(id);
  if (!error) return null;
  return (
    <p class="req-error">
      <Icon name="error" />
      <span>{error}</span>
    </p>
  );
}
