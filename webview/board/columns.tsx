import { useCallback, useRef, useState } from "preact/hooks";
import type { MemberRef, MemberRow } from "../../src/protocol/panel.ts";
import { nameOf, tokenCount } from "../format.ts";
import { ColumnContext, type Model, useModel } from "../model.ts";
import { readPlan } from "../navigation.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Age, Who } from "../ui/who.tsx";
import { Items } from "../views/conversation.tsx";
import { memberActions, shownIcon, shownWord } from "../views/memberState.ts";
import { QuietlyWaits, Waits } from "../views/waits.tsx";
import { t } from "./words.ts";

/** A member of a live team, or who was in a finished one. */
export type Member = MemberRef | MemberRow;

/** Shows a request where it can be decided: a plan here, all else in the view *Team*. */
function reviewFromBoard(model: Model, id: string): void {
  const item = model.queue.items.peek().find((one) => one.id === id);
  if (item?.kind === "plan") readPlan(model, id);
  else model.post({ type: "showInTeam", what: { kind: "request", id } });
}

interface ColumnProps {
  member: Member;
  readOnly: boolean;
  onClose: () => void;
}

/** One member's conversation. It stays at its end while text arrives, until the person scrolls up. */
export function Column({ member, readOnly, onClose }: ColumnProps) {
  const model = useModel();
  const row = "state" in member ? member : null;
  const name = nameOf(member);
  const review = (id: string) => reviewFromBoard(model, id);
  return (
    <article class="bd-col">
      <header class={`bd-col-head ${row ? `mem-${row.state}` : ""}`}>
        {row && <Icon name={shownIcon(row)} />}
        <h2>
          <Who member={member} />
        </h2>
        {row && <Facts row={row} />}
        {row && !readOnly && <Actions row={row} />}
        <IconButton icon="close" label={t("closeColumn", name)} onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="bd-col-body" aria-label={t("conversationOf", name)} tabIndex={0}>
        <div class="bd-col-in">
          <ColumnContext.Provider value={member.name}>
            <Items who={member} />
          </ColumnContext.Provider>
        </div>
      </section>
      {row && <QuietlyWaits row={row} />}
      {row?.state === "waiting" && <Waits row={row} onReview={review} />}
    </article>
  );
}

function Facts({ row }: { row: MemberRow }) {
  return (
    <span class="meta bd-col-facts">
      {shownWord(row)}
      {row.since !== null && (
        <>
          {" · "}
          <Age since={row.since} />
        </>
      )}
      {row.tokens > 0 && ` · ${tokenCount(row.tokens)}`}
    </span>
  );
}

function Actions({ row }: { row: MemberRow }) {
  const { post, writeTo } = useModel();
  return (
    <>
      {memberActions(row).terminal && (
        <IconButton
          icon="terminal"
          label={t("openTerminal")}
          onClick={() => post({ type: "openTerminal", member: row.name })}
        />
      )}
      <IconButton icon="mail" label={t("message")} onClick={() => writeTo(row.name)} />
    </>
  );
}

interface ChooserProps {
  members: readonly Member[];
  shown: readonly string[];
  onChoose: (name: string) => void;
}

/** Whose conversations stand on the board: choosing one that is there takes it away. */
export function Chooser({ members, shown, onChoose }: ChooserProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const anchor = useCallback(() => button.current, []);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  return (
    <>
      <button
        ref={button}
        type="button"
        class="btn btn-ghost btn-small"
        aria-haspopup="menu"
        onClick={() => setOpen(true)}
      >
        {t("conversations")}
        <Icon name="chevron-down" />
      </button>
      {open && (
        <Menu label={t("conversations")} anchor={anchor} onClose={() => setOpen(false)}>
          {members.map((member) => (
            <MenuItem key={member.name} onChoose={() => choose.current(member.name)}>
              <span class="bd-choice">
                <Who member={member} />
                {shown.includes(member.name) && <Icon name="check" label={t("shown")} />}
              </span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
