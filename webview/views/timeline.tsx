import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ActivityFilter, ActivityKind, ActivityRow } from "../../src/protocol/activity.ts";
import type { MemberRef, PanelState } from "../../src/protocol/panel.ts";
import { day, isSameDay, nameOf, timeOfDay } from "../format.ts";
import { useModel } from "../model.ts";
import { newestFirst } from "../state/activityStore.ts";
import { KINDS } from "../state/viewState.ts";
import { Select } from "../ui/fields.tsx";
import { Icon } from "../ui/icon.tsx";
import { useLimit } from "../ui/limit.ts";
import { VisibleText } from "../ui/visibleText.tsx";
import { Clock, Dot } from "../ui/who.tsx";
import { iconOf, sentenceOf } from "./activitySentence.ts";
import { count, t } from "./activityWords.ts";

/** Rows that are drawn before more are asked for, and the name of the list. */
const STEP = 100;
const ROWS = "activity";

/** What happened in the team, newest first. */
export function Timeline() {
  const { data, view, post } = useModel();
  const filter = view.activity.value;
  const rows = data.activity.rows.value;
  useEffect(() => post({ type: "filterActivity", ...filter }), [filter, post]);
  if (rows === null) return null;
  const all = filter.member === null && filter.kind === null;
  return (
    <>
      {(rows.length > 0 || !all) && <Filter />}
      {rows.length === 0 && <p class="quiet tab-empty">{t(all ? "noActivity" : "noActivityFits")}</p>}
      {rows.length > 0 && <Rows key={`${filter.member} ${filter.kind}`} rows={rows} />}
    </>
  );
}

function Filter() {
  const { data, view } = useModel();
  const { member, kind } = view.activity.value;
  const choose = (part: Partial<ActivityFilter>) => {
    const { [ROWS]: _, ...others } = view.limits.peek();
    view.limits.value = others;
    view.activity.value = { ...view.activity.peek(), ...part };
  };
  const people = peopleOf(data.panel.value, data.activity.rows.value ?? [], member);
  return (
    <div class="act-filter">
      <Select
        label={t("activityMember")}
        value={member ?? ALL}
        options={[
          { value: ALL, label: t("allMembers") },
          ...people.map((one) => ({ value: one.name, label: nameOf(one) })),
        ]}
        onChange={(name) => {
          choose({ member: name === ALL ? null : name });
        }}
      />
      <Select<ActivityKind | typeof ALL>
        label={t("activityKind")}
        value={kind ?? ALL}
        options={[
          { value: ALL, label: t("allKinds") },
          ...KINDS.map((one) => ({ value: one, label: t(`kind.${one}`) })),
        ]}
        onChange={(one) => {
          choose({ kind: one === ALL ? null : one });
        }}
      />
    </div>
  );
}

/** No member has this name, and no kind. */
const ALL = "*";

const PERSON: MemberRef = { name: "user", displayName: "you", color: null, role: "person" };

/** Who there is, who was there and did something of what is shown, and who is chosen: each once. */
function peopleOf(state: PanelState, rows: readonly ActivityRow[], chosen: string | null): MemberRef[] {
  if (state.screen !== "team") return [];
  const members =
    state.members.length > 0 ? state.members : (state.finished?.byMember.map(({ member }) => member) ?? []);
  const people = new Map<string, MemberRef>([...members, PERSON].map((one) => [one.name, one]));
  for (const { who } of rows) if (who && who.role === "teammate" && !people.has(who.name)) people.set(who.name, who);
  if (chosen !== null && !people.has(chosen))
    people.set(chosen, { name: chosen, displayName: chosen, color: null, role: "teammate" });
  return [...people.values()];
}

function Rows({ rows }: { rows: readonly ActivityRow[] }) {
  const { data, post } = useModel();
  const [limit, showMore] = useLimit(ROWS, STEP);
  const list = useRef<HTMLOListElement>(null);
  const { seen, news, showNews } = useSeen(rows, list);
  const drawn = seen.slice(0, limit);
  const more = seen.length > limit || data.activity.earlier.value > 0;
  const missing = seen.length < limit && data.activity.earlier.value > 0;
  useEffect(() => {
    if (missing) post({ type: "moreActivity" });
  }, [missing, seen.length, post]); // after a reload page by page, until as many are there as were
  return (
    <>
      {news > 0 && (
        <div class="act-news">
          <button type="button" class="btn btn-plain btn-small" onClick={showNews}>
            <Icon name="arrow-up" />
            {count("newRows", news)}
          </button>
        </div>
      )}
      <ol class="acts" ref={list}>
        {drawn.flatMap((row, index) => [
          newDay(row, drawn[index - 1]) && (
            <li key={`day ${row.id}`} class="quiet act-day">
              {day(row.at)}
            </li>
          ),
          <Row key={row.id} row={row} timed={minute(row) !== minute(drawn[index - 1])} />,
        ])}
      </ol>
      {more && (
        <button type="button" class="link act-more" onClick={showMore}>
          {t("earlierRows.other")}
        </button>
      )}
    </>
  );
}

/** Whether a row is the first of another day, and not of today. */
function newDay(row: ActivityRow, newer: ActivityRow | undefined): boolean {
  return !isSameDay(row.at, newer?.at ?? Date.now());
}

function minute(row: ActivityRow | undefined): number | undefined {
  return row && Math.floor(row.at / 60_000);
}

/**
 * Rows that may be seen. What comes while the top of the list is out of sight waits above it, so that nothing moves
 * under the pointer.
 */
function useSeen(rows: readonly ActivityRow[], list: { current: HTMLElement | null }) {
  const { view } = useModel();
  const [newest, setNewest] = useState(rows[0]);
  const seen = newest ? rows.filter((row) => newestFirst(row, newest) >= 0) : rows;
  const { top } = view.scroll.value;
  useLayoutEffect(() => {
    if (rows[0] !== newest && isTopSeen(list.current)) setNewest(rows[0]);
  }, [rows, newest, top, list]);
  const showNews = () => {
    setNewest(rows[0]);
    list.current?.scrollIntoView({ block: "start" });
  };
  return { seen, news: rows.length - seen.length, showNews };
}

function isTopSeen(list: HTMLElement | null): boolean {
  const tabs = document.querySelector(".tabs");
  return !list || !tabs || list.getBoundingClientRect().top >= tabs.getBoundingClientRect().bottom - 1;
}

function Row({ row, timed }: { row: ActivityRow; timed: boolean }) {
  const { event, who, at } = row;
  return (
    <li class={`act act-${event.what}`}>
      {timed ? <Clock at={at} bare class="act-time" /> : <span class="vh">{timeOfDay(at)}</span>}
      <Icon name={iconOf(event)} />
      <p class="act-text">
        {who && (
          <>
            <Dot member={who} /> <b>{nameOf(who)}</b>{" "}
          </>
        )}
        <VisibleText text={sentenceOf(row)} />
      </p>
    </li>
  );
}
