import type { Intent } from "../../src/protocol/intents.ts";
import { useModel } from "../model.ts";

type CommandName = Extract<Intent, { type: "command" }>["command"];

/** A button that runs a command of the extension. */
export function CommandButton({
  command,
  label,
  primary = false,
}: {
  command: CommandName;
  label: string;
  primary?: boolean;
}) {
  const { post } = useModel();
  return (
    <button
      type="button"
      class={primary ? "btn btn-primary" : "btn btn-plain"}
      onClick={() => post({ type: "command", command })}
    >
      {label}
    </button>
  );
}

/** The same as a link. */
export function CommandLink({ command, label }: { command: CommandName; label: string }) {
  const { post } = useModel();
  return (
    <button type="button" class="link" onClick={() => post({ type: "command", command })}>
      {label}
    </button>
  );
}
