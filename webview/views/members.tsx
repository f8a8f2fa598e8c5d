import { useCallback, useRef, useState } from "preact/hooks";
import type { MemberRow, SharedFile } from "../../src/protocol/panel.ts";
import type { Hold } from "../../src/protocol/team.ts";
import { age, costOf, isNearBudget, nameOf, tokenCount } from "../format.ts";
import { count, listed, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { moveFocus, useTabStop } from "../ui/roving.ts";
import { Age, Who } from "../ui/who.tsx";
import { useTaskDrop } from "./assignTask.ts";
import { MemberMenu } from "./memberMenu.tsx";
import { shownIcon, shownWord } from "./memberState.ts";

interface MembersProps {
  shared?: readonly SharedFile[];
  moreShared?: number;
  paused?: Hold;
  members: readonly MemberRow[];
  tokens: number;
  cost: number | null;
  budget: number | null;
  budgetNote?: string;
  readOnly: boolean;
}

/** The members, one line each. A click shows the conversation of one. */
export function Members(props: MembersProps) {
  const { members, tokens, cost, budget, budgetNote, paused, shared = [], moreShared = 0, readOnly } = props;
  const { member } = useModel();
  const chosen = member.value?.name;
  const near = isNearBudget({ cost, budget });
  const list = useRef<HTMLUListElement>(null);
  useTabStop(list, ".mem-row");
  return (
    <section class="mems" aria-labelledby="members-title">
      <h2 class="section-title section-muted">
        <span id="members-title">{t("members")}</span>
        <span class="mems-sum">
          {tokens > 0 && t("tokens", tokenCount(tokens))}
          {cost !== null && (
            <>
              {tokens > 0 && " · "}
              <span class={near ? "mems-near" : ""}>{costOf(cost, budget)}</span>
            </>
          )}
        </span>
      </h2>
      {budgetNote && (
        <p class="mems-paused">
          <Icon name="warning" />
          <span class="mems-paused-text">{budgetNote}</span>
        </p>
      )}
      {paused && <Paused by={paused.by} readOnly={readOnly} />}
      <ul ref={list} class="mems-list" onKeyDown={(event) => moveFocus(event, ".mem-row", "vertical")}>
        {members.map((row) => (
          <Member
            key={row.name}
            row={row}
            shared={shared.filter(({ members: who }) => who.some(({ name }) => name === row.name))}
            chosen={row.name === chosen}
            readOnly={readOnly}
          />
        ))}
      </ul>
      {shared.length > 0 && <Shared files={shared} unsent={moreShared} />}
    </section>
  );
}

/** So many shared files are named, the newest. */
const MOST_SHARED = 3;

/** Says which files more than one member changed, `unsent` beside these, and leads to the changes. */
function Shared({ files, unsent }: { files: readonly SharedFile[]; unsent: number }) {
  const { post } = useModel();
  const more = files.length + unsent - MOST_SHARED;
  return (
    <div class="mems-shared">
      <Icon name="warning" />
      <ul class="mems-shared-text">
        {files.slice(0, MOST_SHARED).map(({ file, members }) => (
          <li key={file} title={t("sharedBy", file, listed(members.map(nameOf)))}>
            {t("sharedBy", file.split(/[\\/]/).at(-1) ?? file, listed(members.map(nameOf)))}
          </li>
        ))}
        {more > 0 && <li>{count("sharedMore", more)}</li>}
      </ul>
      <button type="button" class="btn btn-small" onClick={() => post({ type: "command", command: "showChanges" })}>
        {t("showChanges")}
      </button>
    </div>
  );
}

/** Says that the team stands still, and lets it go on. */
function Paused({ by, readOnly }: { by: Hold["by"]; readOnly: boolean }) {
  const { post } = useModel();
  return (
    <p class="mems-paused">
      <Icon name="debug-pause" />
      <span class="mems-paused-text">{t(by === "budget" ? "teamPausedByBudget" : "teamPaused")}</span>
      {!readOnly && by === "person" && (
        <button type="button" class="btn btn-small" onClick={() => post({ type: "command", command: "resumeTeam" })}>
          {t("resumeTeam")}
        </button>
      )}
    </p>
  );
}

interface MemberProps {
  row: MemberRow;
  /** Files that it and others changed. */
  shared: readonly SharedFile[];
  chosen: boolean;
  readOnly: boolean;
}

function Member({ row, shared, chosen, readOnly }: MemberProps) {
  const sharedNote = shared.length === 0 ? "" : t("sharesFile", listed(shared.map(({ file }) => file)));
  const { chooseMember, showTab, now, view } = useModel();
  const [menu, setMenu] = useState(false);
  const line = useRef<HTMLButtonElement>(null);
  const anchor = useCallback(() => line.current, []);
  const { isOver, drop } = useTaskDrop(row);
  const openMenu = (event: Event) => {
    if (readOnly) return;
    event.preventDefault();
    setMenu(true);
  };
  return (
    <li
      class={`mem mem-${row.state} ${chosen && view.tab.value === "conversation" ? "mem-chosen" : ""} ${isOver ? "mem-drop" : ""}`}
      onContextMenu={openMenu}
      {...drop}
    >
      <button
        ref={line}
        type="button"
        class="mem-row"
        aria-current={chosen ? "true" : undefined}
        tabIndex={chosen ? 0 : -1}
        title={hoverText(row, now.value) + (sharedNote && `\n${sharedNote}`)}
        onClick={() => {
          chooseMember(row.name);
          showTab("conversation");
        }}
        onKeyDown={(event) => {
          if (event.key === "F10" && event.shiftKey) openMenu(event);
        }}
      >
        <Icon name={shownIcon(row)} />
        <Who member={row} />
        <span class="mem-does">
          <span class={saysWhat(row) ? "vh" : "mem-word"}>{shownWord(row)}</span>
          <span class="mem-detail">{row.detail}</span>
          {sharedNote !== "" && <Icon name="warning" class="mem-shared" label={sharedNote} />}
        </span>
        <Used row={row} />
        {row.since === null ? <span /> : <Age since={row.since} class="mem-age" />}
      </button>
      {!readOnly && (
        <IconButton
          icon="ellipsis"
          label={t("memberActions", nameOf(row))}
          class="mem-more"
          mouseOnly
          onClick={openMenu}
        />
      )}
      {menu && <MemberMenu row={row} anchor={anchor} onClose={() => setMenu(false)} />}
    </li>
  );
}

/** Whether its line says what it does, so that nobody misses the word *Working*. */
function saysWhat(row: MemberRow): boolean {
  return row.state === "working" && row.detail !== "" && !row.paused && !row.waitsForApi;
}

/** Its tokens, or near the end of its own budget what it cost. */
function Used({ row }: { row: MemberRow }) {
  if (row.cost !== undefined && isNearBudget(row))
    return <span class="mem-tokens mems-near">{costOf(row.cost, null)}</span>;
  return <span class="meta mem-tokens">{row.tokens > 0 ? tokenCount(row.tokens) : ""}</span>;
}

function hoverText(row: MemberRow, now: number): string {
  const word = row.since === null ? shownWord(row) : t("stateFor", shownWord(row), age(now - row.since));
  const state = row.detail === "" ? word : t("stateDetail", word, row.detail);
  const cost = row.cost === undefined ? "" : ` · ${costOf(row.cost, row.budget ?? null)}`;
  const mode = cost + (row.mode === null ? "" : `\n${t(`mode.${row.mode}`)}`);
  return t("memberHint", nameOf(row), state, tokenCount(row.tokens)) + mode;
}
