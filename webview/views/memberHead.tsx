import type { ComponentChildren } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MemberRow } from "../../src/protocol/panel.ts";
import { costOf, isNearBudget, nameOf, tokenCount } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { Age, Who } from "../ui/who.tsx";
import { MemberMenu } from "./memberMenu.tsx";
import { memberActions, shownIcon, shownWord } from "./memberState.ts";

interface HeadProps {
  row: MemberRow;
  readOnly: boolean;
  /** What can be done with the conversation, whoever runs the team. */
  children?: ComponentChildren;
}

/** Whose conversation this is, how it is, and what can be done with it. */
export function MemberHead({ row, readOnly, children }: HeadProps) {
  const { post } = useModel();
  const [menu, setMenu] = useState(false);
  const head = useRef<HTMLElement>(null);
  const anchor = useCallback(() => head.current?.querySelector<HTMLElement>(".head-more") ?? null, []);
  useLayoutEffect(() => () => setMenu(false), [row.name]); // a menu is of the member that it was opened for
  const can = memberActions(row);
  return (
    <header ref={head} class={`head mem-${row.state}`}>
      <Icon name={shownIcon(row)} />
      <Who member={row} class="head-who" />
      <span class="meta">{shownWord(row)}</span>
      <span class="meta head-facts">
        {row.since !== null && (
          <>
            {" · "}
            <Age since={row.since} />
          </>
        )}
        {row.tokens > 0 && ` · ${tokenCount(row.tokens)}`}
        {row.cost !== undefined && row.cost > 0 && (
          <>
            {" · "}
            <span class={isNearBudget(row) ? "mems-near" : ""}>{costOf(row.cost, row.budget ?? null)}</span>
          </>
        )}
        {row.mode !== null && row.mode !== "default" && ` · ${t(`mode.${row.mode}`)}`}
      </span>
      <span class="head-actions">
        {children}
        {!readOnly && (
          <>
            {can.interrupt && (
              <IconButton
                icon="debug-stop"
                label={t("interrupt")}
                onClick={() => post({ type: "interrupt", member: row.name })}
              />
            )}
            {can.terminal && (
              <IconButton
                icon="terminal"
                label={t("openTerminal")}
                class="head-open"
                onClick={() => post({ type: "openTerminal", member: row.name })}
              />
            )}
            {can.screen && (
              <IconButton
                icon="list-selection"
                label={t("showScreen")}
                class="head-open"
                onClick={() => post({ type: "showScreen", member: row.name })}
              />
            )}
            <IconButton
              icon="ellipsis"
              label={t("memberActions", nameOf(row))}
              class="head-more"
              onClick={() => setMenu(true)}
            />
            {menu && <MemberMenu row={row} anchor={anchor} onClose={() => setMenu(false)} />}
          </>
        )}
      </span>
    </header>
  );
}
