import type { AttentionItem } from "../../protocol/panel.ts";
import type { Decision } from "../../protocol/request.ts";

/** What can be chosen for a request outside the panel. Some ask for a text first. */
export type Choice =
  | { do: "decide"; icon: string; label: string; detail: string; decision: Decision }
  /** `command`: what is to be changed before it runs once. */
  | { do: "edit"; icon: string; label: string; detail: string; command: string }
  | { do: "deny" | "sendBack" | "answer"; icon: string; label: string; detail: string }
  /** `to` in USD; null: the person types it. */
  | { do: "raise"; icon: string; label: string; detail: string; to: number | null }
  | { do: "open" | "tryAgain" | "setKey"; icon: string; label: string; detail: string };

/** What helps a lead whose run failed. */
const AFTER_FAILURE: readonly Choice[] = [
  { do: "tryAgain", icon: "refresh", label: "Try Again", detail: "" },
  { do: "setKey", icon: "key", label: "Set API Key", detail: "" },
];

/**
 * What can be chosen in a quick pick, which has no room for a change, a plan or a long command. While such a request was
 * not opened (`opened`), it can be opened or refused; then every choice is there, in the order in which the panel has them.
 */
export function choicesOf(item: AttentionItem, opened: boolean): Choice[] {
  const all = allChoices(item);
  const hidden = opened ? null : notShown(item);
  if (hidden === null) return all;
  const toOpen = all.flatMap((choice): Choice[] => (choice.do === "open" ? [{ ...choice, detail: hidden }] : []));
  return [...toOpen, ...all.filter((choice) => choice.do === "deny" || choice.do === "sendBack")];
}

function allChoices(item: AttentionItem): Choice[] {
  switch (item.kind) {
    case "permission":
      return permissionChoices(item);
    case "plan":
      return [
        { do: "open", icon: "checklist", label: "Open Plan", detail: "" },
        ...item.modes.map((mode): Choice => {
          const detail = mode === "acceptEdits" ? "Accept edits after it" : "Ask before edits after it";
          return { do: "decide", icon: "check", label: "Approve", detail, decision: { kind: "approve", mode } };
        }),
        { do: "sendBack", icon: "reply", label: "Send Back…", detail: "The member keeps planning with your comments" },
      ];
    case "budget":
      return [
        { do: "raise", icon: "arrow-up", label: `Raise to $${item.next}`, detail: "", to: item.next },
        { do: "raise", icon: "edit", label: "Other Amount…", detail: "", to: null },
      ];
    case "answer":
      return [...(item.failed ? AFTER_FAILURE : []), { do: "answer", icon: "mail", label: "Answer…", detail: "" }];
  }
}

/** Above a quick pick: what is asked, by whom, for which task. */
export function choiceTitle(item: AttentionItem): string {
  const task = item.task ? ` · #${item.task.id} ${item.task.subject}` : "";
  return `${item.title} · ${item.from.displayName}${task}`;
}

/**
 * What a call will do, where one line of a quick pick can hold all of it; null where it has to be opened, so that no
 * end of a command is hidden.
 */
export function wholeInOneLine(item: AttentionItem, characters = 70): string | null {
  if (item.kind !== "permission" || item.preview.type !== "command" || item.warnings.length > 0) return null;
  const { text } = item.preview;
  return text.length <= characters && !/[\n\r\t]/.test(text) ? text : null;
}

/** How much of a request a quick pick does not show; null: nothing that is decided about. */
function notShown(item: AttentionItem): string | null {
  if (item.kind === "plan") return `Not shown here: a plan of ${item.plan.trim().split("\n").length} lines`;
  if (item.kind !== "permission" || wholeInOneLine(item) !== null) return null;
  const { preview } = item;
  if (preview.type === "edit") return `Not shown here: a change of ${preview.added + preview.removed} lines`;
  const omitted = preview.type === "json" ? (preview.omitted ?? 0) : 0;
  return `Not shown here: ${preview.text.length + omitted} characters`;
}

/** A command of one line can be changed in a field of one line; where characters are invisible only in the panel. */
function editChoice({ preview, warnings }: Extract<AttentionItem, { kind: "permission" }>): Choice[] {
  if (preview.type !== "command" || warnings.length > 0 || /[\n\r\t]/.test(preview.text)) return [];
  return [{ do: "edit", icon: "edit", label: "Edit…", detail: "What you write runs once", command: preview.text }];
}

function permissionChoices(item: Extract<AttentionItem, { kind: "permission" }>): Choice[] {
  const rules = item.rules.join(", ");
  const allow = (scope: "once" | "session" | "always", label: string, detail: string): Choice => ({
    ...{ do: "decide", icon: "check", label, detail },
    decision: { kind: "allow", scope },
  });
  const broader = [
    allow("session", "Allow for This Session", rules),
    allow("always", "Always Allow", `${rules} · saved in your own settings`),
  ];
  const open = item.preview.type === "edit" ? "Open Diff" : "Open the Whole Request";
  return [
    allow("once", "Allow Once", ""),
    ...(item.rules.length > 0 ? broader : []),
    { do: "deny", icon: "circle-slash", label: "Deny…", detail: "The member reads your reason and goes on" },
    ...editChoice(item),
    { do: "open", icon: item.preview.type === "edit" ? "diff" : "go-to-file", label: open, detail: "" },
  ];
}
