import { dollars } from "../../base/dollars.ts";
import type { AttentionItem, LeadFailure, PermissionItem } from "../../protocol/panel.ts";
import type { Decision } from "../../protocol/request.ts";

/** What can be chosen for a request outside the panel. Some ask for a text first. */
export type Choice =
  | { do: "decide"; icon: string; label: string; detail: string; decision: Decision }
  /** `command`: what is to be changed before it runs once. */
  | { do: "edit"; icon: string; label: string; detail: string; command: string }
  | { do: "deny" | "sendBack" | "answer"; icon: string; label: string; detail: string }
  /** `rules`: those that the person may write differently, before they are kept. */
  | { do: "changeRules"; icon: string; label: string; detail: string; rules: readonly string[] }
  /** `to` in USD; null: the person types it. */
  | { do: "raise"; icon: string; label: string; detail: string; to: number | null }
  | { do: "open" | "compare" | "tryAgain" | "setKey" | "setServer"; icon: string; label: string; detail: string };

const COMPARE: Choice = { do: "compare", icon: "diff", label: "Compare with the Version Before", detail: "" };

/** What helps a lead whose run failed. */
const AFTER_FAILURE: Readonly<Record<LeadFailure, readonly Choice[]>> = {
  key: [
    { do: "tryAgain", icon: "refresh", label: "Try Again", detail: "" },
    { do: "setKey", icon: "key", label: "Set API Key…", detail: "" },
  ],
  server: [
    { do: "tryAgain", icon: "refresh", label: "Try Again", detail: "" },
    { do: "setServer", icon: "server", label: "Set Base URL", detail: "" },
  ],
  other: [{ do: "tryAgain", icon: "refresh", label: "Try Again", detail: "" }],
};

/**
 * What can be chosen in a quick pick, which has no room for a change, a plan or a long command. While such a request was
 * not opened (`opened`), it can be opened, compared or refused; then every choice is there, in the order in which the panel
 * has them.
 */
export function choicesOf(item: AttentionItem, opened: boolean): Choice[] {
  const all = allChoices(item);
  const hidden = opened ? null : notShown(item);
  if (hidden === null) return all;
  const toOpen = all.flatMap((choice): Choice[] => (choice.do === "open" ? [{ ...choice, detail: hidden }] : []));
  return [...toOpen, ...all.filter((choice) => ["compare", "deny", "sendBack"].includes(choice.do))];
}

function allChoices(item: AttentionItem): Choice[] {
  switch (item.kind) {
    case "permission":
      return permissionChoices(item);
    case "plan":
      return [
        { do: "open", icon: "checklist", label: "Open as Document", detail: "" },
        ...(item.version > 1 ? [COMPARE] : []),
        ...item.modes.map((mode): Choice => {
          const detail = mode === "acceptEdits" ? "Accept edits after it" : "Ask before edits after it";
          return { do: "decide", icon: "check", label: "Approve", detail, decision: { kind: "approve", mode } };
        }),
        { do: "sendBack", icon: "reply", label: "Send Back…", detail: "The member keeps planning with your comments" },
      ];
    case "budget":
      return [
        { do: "raise", icon: "arrow-up", label: `Raise to ${dollars(item.next)}`, detail: "", to: item.next },
        { do: "raise", icon: "edit", label: "Other Amount…", detail: "", to: null },
      ];
    case "answer":
      return [
        ...(item.failure ? AFTER_FAILURE[item.failure] : []),
        { do: "answer", icon: "mail", label: "Answer…", detail: "" },
      ];
  }
}

/** Above a quick pick: what is asked, by whom, for which task. */
export function choiceTitle(item: AttentionItem): string {
  const task = item.task ? ` · #${item.task.id} ${item.task.subject}` : "";
  const asker = askerOf(item);
  return `${item.title}${asker === null ? "" : ` · ${asker}`}${task}`;
}

/** Who asks, to stand beside the title of an item; null where the title says it, or it is about the whole team. */
export function askerOf(item: AttentionItem): string | null {
  if (item.kind === "answer" || (item.kind === "budget" && item.member === null)) return null;
  return item.from.displayName;
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
  if (item.kind === "plan") {
    const lines = item.plan.trim().split("\n").length;
    return lines === 1 ? "Not shown here: a plan of 1 line" : `Not shown here: a plan of ${lines} lines`;
  }
  if (item.kind !== "permission" || wholeInOneLine(item) !== null) return null;
  const { preview } = item;
  if (preview.type === "edit") {
    const lines = preview.added + preview.removed;
    return lines === 1 ? "Not shown here: a change of 1 line" : `Not shown here: a change of ${lines} lines`;
  }
  const characters = preview.text.length + (preview.type === "json" ? (preview.omitted ?? 0) : 0);
  return characters === 1 ? "Not shown here: 1 character" : `Not shown here: ${characters} characters`;
}

/** A command of one line can be changed in a field of one line; where characters are invisible only in the panel. */
function editChoice({ preview, warnings }: PermissionItem): Choice[] {
  if (preview.type !== "command" || warnings.length > 0 || /[\n\r\t]/.test(preview.text)) return [];
  return [{ do: "edit", icon: "edit", label: "Edit…", detail: "What you write runs once", command: preview.text }];
}

/** The two wider ways to allow, with the rules that they keep. `areOwn`: the person's, in place of those that are suggested. */
export function widerChoices(rules: readonly string[], areOwn: boolean): Extract<Choice, { do: "decide" }>[] {
  const shown = rules.join(", ");
  const allow = (scope: "session" | "always", label: string, detail: string) => ({
    ...{ do: "decide" as const, icon: "check", label, detail },
    decision: { kind: "allow" as const, scope, ...(areOwn ? { rules: [...rules] } : {}) },
  });
  return [
    allow("session", "Allow for This Session", shown),
    allow("always", "Always Allow", `${shown} · saved in your own settings`),
  ];
}

/** What the person writes is kept in place of what the request suggests. */
function changeRules({ changeable = [] }: PermissionItem): Choice[] {
  if (changeable.length === 0) return [];
  const detail = "You write what is allowed from now on";
  return [{ do: "changeRules", icon: "edit", label: "Change the Rule…", detail, rules: changeable }];
}

function permissionChoices(item: PermissionItem): Choice[] {
  const open = item.preview.type === "edit" ? "Open Diff" : "Open the Whole Request";
  return [
    { do: "decide", icon: "check", label: "Allow Once", detail: "", decision: { kind: "allow", scope: "once" } },
    ...(item.rules.length > 0 ? [...widerChoices(item.rules, false), ...changeRules(item)] : []),
    { do: "deny", icon: "circle-slash", label: "Deny…", detail: "The member reads your reason and goes on" },
    ...editChoice(item),
    { do: "open", icon: item.preview.type === "edit" ? "diff" : "go-to-file", label: open, detail: "" },
  ];
}
