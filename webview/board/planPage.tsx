import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { PlanItem, TaskRow } from "../../src/protocol/panel.ts";
import { clock } from "../format.ts";
import { type MarkdownStyle, renderPieces } from "../markdown.ts";
import { useModel } from "../model.ts";
import { rememberOpened, wasOpened } from "../state/shownWhole.ts";
import { Icon } from "../ui/icon.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Who } from "../ui/who.tsx";
import { PlanLine } from "../views/planLine.tsx";
import { ComparePlan, PlanDecision } from "../views/planReview.tsx";
import { RequestError } from "../views/requestParts.tsx";
import { requestKeys } from "../views/requestRow.tsx";
import { readOn, useEndOnScreen } from "./endOnScreen.ts";
import { planFacts } from "./planFacts.ts";
import { t } from "./words.ts";

const ON_PAGE: MarkdownStyle = { level: 3 };
/** Files and commands that are named before the rest is a number. */
const MOST_NAMED = 8;

/** The plan that the person reads on the board; null: none, or it does not wait any more. */
export function usePlanOnShow(): PlanItem | null {
  const { view, queue } = useModel();
  const id = view.board.value.plan;
  const item = queue.items.value.find((one) => one.id === id);
  const plan = item?.kind === "plan" ? item : null;
  usePageFocus(plan?.id ?? null);
  return plan;
}

/** Where the focus comes to in the board; first for who typed: the next key must press nothing there. */
const CHOSEN = ".bd-seg [aria-pressed=true]";
const PLACES = ".bd-needs, .bd-seg button, .bd-col .icon-btn";

/**
 * The board and a plan stand in each other's place. The focus goes to the one that comes only if it was in the one that
 * goes, or if the person has just opened the plan: they may work anywhere else meanwhile.
 */
function usePageFocus(plan: string | null): void {
  const { focus } = useModel();
  const last = useRef<Element | null>(null);
  const target = focus.value;
  useLayoutEffect(() => {
    const remember = ({ target: at }: Event) => {
      last.current = at instanceof Element ? at : null;
    };
    // Who presses where nothing takes the focus has left what had it.
    const forget = ({ target: at }: Event) => {
      if (at instanceof Node && !last.current?.contains(at)) last.current = null;
    };
    document.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget);
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
    };
  }, []);
  useLayoutEffect(() => {
    const isAsked = plan !== null && target?.kind === "plan" && target.id === plan;
    const gone = last.current;
    const isLost = gone?.isConnected === false && document.activeElement === document.body && document.hasFocus();
    if (isAsked) focus.value = null;
    if (!isAsked && !isLost) return;
    last.current = null;
    const typed = gone?.matches("textarea, input") ? document.querySelector<HTMLElement>(CHOSEN) : null;
    const place = document.querySelector<HTMLElement>(plan === null ? PLACES : ".pp-title");
    (plan === null ? (typed ?? place) : place)?.focus();
  }, [plan, target, focus]);
}

/** A plan that waits, whole: its lines, what there is to know about it, and the choice, as in the view *Team*. */
export function PlanPage({ item, tasks }: { item: PlanItem; tasks: readonly TaskRow[] }) {
  const { view, queue } = useModel();
  const lines = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const choice = useRef<HTMLDivElement>(null);
  const read = wasOpened(view.expansion, item.id);
  useEndOnScreen(end, choice, item.id, () => rememberOpened(view.expansion, item.id));
  const { pieces } = useMemo(() => renderPieces(item.plan, Number.POSITIVE_INFINITY, ON_PAGE), [item.plan]);
  const inert = queue.inertId.value === item.id;
  return (
    <main class="pp" data-request={item.id} onKeyDown={requestKeys}>
      <header class="pp-head">
        <h1 class="pp-title" tabIndex={-1} title={item.title}>
          <Icon name="checklist" />
          <span>{item.title}</span>
        </h1>
        <button
          type="button"
          class="btn btn-ghost btn-small"
          onClick={() => {
            view.board.value = { ...view.board.peek(), plan: null };
          }}
        >
          {t("backToBoard")}
        </button>
      </header>
      <div class="pp-in">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
        <section class="pp-facts" aria-label={t("aboutPlan")} tabIndex={0}>
          <Facts item={item} tasks={tasks} />
        </section>
        <section class="pp-lines" aria-label={t("plan")} ref={lines}>
          <h2 class="vh">{t("plan")}</h2>
          {item.said !== null && item.said !== "" && <Markdown text={item.said} style={ON_PAGE} class="req-said" />}
          <ol class="plan">
            {pieces.map((piece) => (
              <PlanLine key={piece.line} item={item} piece={piece} />
            ))}
          </ol>
          <div class="pp-end" ref={end} />
        </section>
        <div class={inert ? "pp-choice req-inert" : "pp-choice"} ref={choice}>
          <RequestError id={item.id} />
          {!read && (
            <p class="quiet">
              {t("planEndUnseen")}{" "}
              <button
                type="button"
                class="link"
                data-choice="rest"
                onClick={() => lines.current && readOn(lines.current, choice.current)}
              >
                {t("readOn")}
              </button>
            </p>
          )}
          <PlanDecision item={item} inert={inert} unseen={read ? null : t("planEndUnseen")} />
          <p class="quiet pp-note">{t("sentBackNote")}</p>
        </div>
      </div>
    </main>
  );
}

function Facts({ item, tasks }: { item: PlanItem; tasks: readonly TaskRow[] }) {
  const { files, commands } = useMemo(() => planFacts(item.plan), [item.plan]);
  const heldBack = tasks.filter(({ openBlockers }) => item.task !== null && openBlockers.includes(item.task.id));
  const sent = clock(item.createdAt);
  return (
    <dl>
      <Fact name={t("planOf")}>
        <Who member={item.from} />
      </Fact>
      {item.task && <Fact name={t("planTask")}>{`#${item.task.id} ${item.task.subject}`}</Fact>}
      {item.task && (
        <Fact name={t("planHoldsBack")}>
          <Named names={heldBack.map(({ id, subject }) => `#${id} ${subject}`)} none={t("holdsNothing")} />
        </Fact>
      )}
      <Fact name={t("planFiles")}>
        <Named names={files} none={t("planNothing")} code />
      </Fact>
      <Fact name={t("planCommands")}>
        <Named names={commands} none={t("planNothing")} code />
        {commands.length > 0 && <p class="quiet">{t("commandsAsk")}</p>}
      </Fact>
      <Fact name={t("planSent")}>
        {item.version > 1 ? t("laterVersion", sent, item.version) : t("firstVersion", sent)}
        {item.version > 1 && (
          <p>
            <ComparePlan item={item} />
          </p>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="pp-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A short list; `none` stands where it is empty. */
function Named({ names, none, code = false }: { names: readonly string[]; none: string; code?: boolean }) {
  if (names.length === 0) return <span class="quiet">{none}</span>;
  const more = names.length - MOST_NAMED;
  return (
    <ul class="pp-named">
      {names.slice(0, MOST_NAMED).map((name) => (
        <li key={name}>{code ? <code>{name}</code> : name}</li>
      ))}
      {more > 0 && <li class="quiet">{t("andMore", more)}</li>}
    </ul>
  );
}
