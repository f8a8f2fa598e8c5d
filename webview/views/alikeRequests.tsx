import { useEffect, useState } from "preact/hooks";
import type { PermissionItem } from "../../src/protocol/panel.ts";
import { shortened } from "../format.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { ruleKey } from "../state/alike.ts";
import { leftOf } from "../state/requestQueue.ts";
import { isCut } from "../state/shownWhole.ts";
import { WarningLine } from "../ui/noteLines.tsx";
import { Who } from "../ui/who.tsx";
import { ChoiceButton } from "./choiceButton.tsx";
import { Preview } from "./request.tsx";
import { KeptEdit, RequestError, RequestFrom, RequestSaid, RequestTold } from "./requestParts.tsx";
import { RequestRow } from "./requestRow.tsx";

/** Several requests that the same rules would cover, as one row: open, it shows what each of them will do. */
export function AlikeRequests({ alike, first }: { alike: readonly PermissionItem[]; first: boolean }) {
  const { queue } = useModel();
  const [oldest] = alike;
  if (!oldest) return null;
  const openId = queue.openId.value;
  const open = alike.some(({ id }) => id === openId);
  const inert = alike.some(({ id }) => id === queue.inertId.value);
  const shown = open && openId !== null ? openId : oldest.id;
  const from = membersOf(alike).map((member) => <Who key={member.name} member={member} />);
  return (
    <RequestRow {...{ open, inert, first, from }} item={oldest} id={shown} title={titleOf(alike)}>
      <AlikeBody alike={alike} inert={inert} />
    </RequestRow>
  );
}

function AlikeBody({ alike, inert }: { alike: readonly PermissionItem[]; inert: boolean }) {
  const { queue, view, announcer, focus } = useModel();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const changed = useJustChanged(alike.map(({ id, warnings }) => [id, ...warnings].join("\n")).join("\n"));
  const [oldest] = alike;
  const unseen = alike.some(({ id, preview }) => preview.type === "command" && !seen.has(id));
  const cut = alike.some((item) => isCut(item, view.expansion));
  const key = oldest && ruleKey(oldest);
  const allow = () => {
    const next = queue.decideAll(alike, { kind: "allow", scope: "once" });
    if (next === undefined) return;
    announcer.say(`${t("said.allow.once", titleOf(alike))} ${leftOf(queue)}`);
    focus.value = next ? { kind: "request", id: next.id } : { kind: "tab" };
  };
  return (
    <div class="req-body">
      {alike.map((item) => (
        <div key={item.id} class="req-alike">
          <p class="req-from">
            <RequestFrom item={item} />
          </p>
          <RequestError id={item.id} />
          <RequestSaid item={item} />
          <Preview item={item} onSeen={(whole) => whole && setSeen((known) => new Set(known).add(item.id))} />
          {item.warnings.map((warning) => (
            <WarningLine key={warning} text={warning} />
          ))}
          <RequestTold item={item} />
          <KeptEdit item={item} />
        </div>
      ))}
      <p class="req-note req-rule">{t("sameRule", oldest?.rules.join(", ") ?? "")}</p>
      <div class="req-row">
        <ChoiceButton
          label={count("allowAll", alike.length)}
          look="primary"
          choice="primary"
          held={inert || changed || unseen || cut}
          {...(unseen || cut ? { hint: t(cut ? "notWhole" : "notSeen") } : {})}
          onClick={allow}
        />
        <ChoiceButton
          label={t("oneByOne")}
          look="plain"
          onClick={() => {
            if (!oldest || key === null || key === undefined) return;
            view.expansion.set(key, true);
            focus.value = { kind: "request", id: queue.openId.peek() ?? oldest.id };
          }}
        />
      </div>
    </div>
  );
}

/** For how long nothing can be allowed after the requests of an open row have changed, in milliseconds. */
const SETTLE_MS = 500;

/** Whether what is shown has changed a moment ago. Not at first: then the queue itself holds the buttons. */
function useJustChanged(what: string): boolean {
  const [settled, setSettled] = useState(what);
  useEffect(() => {
    if (settled === what) return undefined;
    const timer = setTimeout(() => setSettled(what), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [what, settled]);
  return settled !== what;
}

/** Titles in the heading of a row, and characters of each where there are several: the open row shows all of it. */
const MOST_TITLES = 3;
const MOST_CHARACTERS = 60;

function titleOf(alike: readonly PermissionItem[]): string {
  const titles = [...new Set(alike.map(({ title }) => title))];
  const shown = titles
    .slice(0, MOST_TITLES)
    .map((title) => (titles.length > 1 ? shortened(title, MOST_CHARACTERS) : title));
  const rest = titles.length - shown.length;
  const together = shown.join(", ");
  return t("several", rest > 0 ? count("andMore", rest, together) : together, alike.length);
}

function membersOf(alike: readonly PermissionItem[]) {
  return [...new Map(alike.map(({ from }) => [from.name, from])).values()];
}
