import type { ActivityEvent, ActivityRow } from "../../src/protocol/activity.ts";
import { nameOf } from "../format.ts";
import { listed } from "../l10n.ts";
import type { IconName } from "../ui/icon.tsx";
import { t } from "./activityWords.ts";

/** What happened, in words that stand behind the name of who did it, or alone where nobody is known to have. */
export function sentenceOf({ event, who, to }: ActivityRow): string {
  const names = listed(to.map(nameOf));
  switch (event.what) {
    case "gave":
      return t("act.gave", event.task, event.subject, names);
    case "created":
    case "started":
    case "finished":
    case "reopened":
    case "released":
    case "removed":
      return t(who ? `act.${event.what}` : `act.${event.what}Alone`, event.task, event.subject).trim();
    case "wrote":
      return t("act.wrote", names, event.text);
    case "asked": {
      const asks = t(`act.asked.${event.request}`, event.title);
      return event.task === null ? asks : t("act.for", asks, event.task);
    }
    case "decided":
      return decision(event);
    case "withdrew":
      return t("act.withdrew", event.title);
    case "mode":
      return t("act.mode", names, modeWord(event.mode));
    default:
      return state(event, names);
  }
}

const MODES = ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "delegate"] as const;

/** A mode in the words of the panel; one that this version does not know stays as it is called. */
function modeWord(mode: string): string {
  const known = MODES.find((one) => one === mode);
  return known ? t(`mode.${known}`) : mode;
}

function decision({ how, by, title, reason }: Extract<ActivityEvent, { what: "decided" }>): string {
  const decided = t(`act.${how}`, title).replace(/[:：]\s*$/, "");
  const told = reason === null ? decided : t("act.because", decided, reason);
  return by === "person" ? told : t(by === "rule" ? "act.byRule" : "act.byPolicy", told);
}

type StateEvent = Extract<
  ActivityEvent,
  {
    what:
      | "joined"
      | "paused"
      | "resumed"
      | "idle"
      | "interrupted"
      | "stops"
      | "failed"
      | "asksStop"
      | "refusesStop"
      | "left";
  }
>;

function state(event: StateEvent, names: string): string {
  switch (event.what) {
    case "joined":
      if (event.backend === null || event.backend === "in-process") return t("act.joined");
      return t(`act.joined.${event.backend}`);
    case "left":
      return because(t(`act.left.${event.how}`), event.reason);
    case "asksStop":
      return because(t("act.asksStop", names), event.reason);
    case "failed":
    case "refusesStop":
      return because(t(`act.${event.what}`), event.reason);
    case "idle":
    case "interrupted":
    case "stops":
    case "paused":
    case "resumed":
      return t(`act.${event.what}`);
  }
}

function because(what: string, reason: string | null): string {
  return reason === null ? what : t("act.why", what, reason);
}

/** The icon of its kind. */
export function iconOf(event: ActivityEvent): IconName {
  switch (event.what) {
    case "asked":
      return ({ command: "terminal", edit: "edit", plan: "checklist", tool: "tools" } as const)[event.request];
    case "decided":
      if (event.how === "reject") return "reply";
      return event.how === "deny" ? "circle-slash" : "check";
    case "left":
      return event.how === "failed" ? "error" : "stop-circle";
    default:
      return ICONS[event.what];
  }
}

const ICONS: Record<Exclude<ActivityEvent["what"], "asked" | "decided" | "left">, IconName> = {
  created: "circle-large",
  gave: "arrow-right",
  started: "record",
  finished: "pass",
  reopened: "circle-large",
  released: "circle-large",
  removed: "circle-slash",
  wrote: "mail",
  withdrew: "circle-slash",
  joined: "clockface",
  idle: "circle",
  interrupted: "debug-stop",
  paused: "debug-pause",
  resumed: "debug-continue",
  stops: "stop-circle",
  failed: "error",
  asksStop: "stop-circle",
  refusesStop: "circle-slash",
  mode: "tools",
};
