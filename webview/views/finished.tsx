import { useRef } from "preact/hooks";
import type { FinishedSummary } from "../../src/protocol/panel.ts";
import { costOf, duration, nameOf, tokenCount } from "../format.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { CommandButton, CommandLink } from "../ui/commandButton.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { moveFocus, useTabStop } from "../ui/roving.ts";
import { Who } from "../ui/who.tsx";

interface FinishedProps {
  title: string;
  summary: FinishedSummary;
  cost: number | null;
  budget: number | null;
}

const ICONS: Record<FinishedSummary["result"], IconName> = {
  completed: "pass",
  incomplete: "circle-slash",
  failed: "error",
  interrupted: "stop-circle",
};

/** What a team left: what is true now, the figures, who did what. */
export function Finished({ title, summary, cost, budget }: FinishedProps) {
  return (
    <section class="fin" aria-labelledby="finished-title">
      <Icon name={ICONS[summary.result]} class={`emp-icon fin-${summary.result}`} />
      <h2 class="emp-title" id="finished-title">
        {t(`finished.${summary.result}`, title)}
      </h2>
      {summary.text !== "" && <Markdown text={summary.text} />}
      <dl class="fin-figures">
        <Figure name={t("figureTasks")} value={t("doneOf", summary.tasks.completed, summary.tasks.total)} />
        <Figure name={t("figureTime")} value={duration(summary.durationMs)} />
        <Figure name={t("figureTokens")} value={tokenCount(summary.tokens)} />
        {cost !== null && <Figure name={t("figureCost")} value={costOf(cost, budget)} />}
        <Figure name={t("figureDecided")} value={count("decided", summary.decisions)} />
        <Files files={summary.files} />
      </dl>
      <ByMember rows={summary.byMember} />
      <div class="fin-links">
        <CommandButton command="newTeam" label={t("newTeam")} primary />
        {summary.files.length > 0 && <CommandLink command="showChanges" label={t("showChanges")} />}
        {summary.files.length > 0 && <CommandLink command="undoChanges" label={t("undoChanges")} />}
        <CommandLink command="openTeam" label={t("openAnother")} />
        {summary.result === "failed" && <CommandLink command="showLog" label={t("showLog")} />}
      </div>
    </section>
  );
}

/** The same in the place of the composer while the summary is above what can be seen; a click goes back up. */
export function FinishedLine({ title, result, onBack }: FinishedLineProps) {
  const { view } = useModel();
  if (view.scroll.value.top < TITLE) return null;
  return (
    <div class="read-only">
      <button type="button" class="link" onClick={onBack}>
        {t(`finished.${result}`, title)}
      </button>
    </div>
  );
}

interface FinishedLineProps {
  title: string;
  result: FinishedSummary["result"];
  onBack: () => void;
}

/** From this place on the title cannot be seen, in pixels. */
const TITLE = 80;

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Files({ files }: { files: readonly string[] }) {
  const { view } = useModel();
  if (files.length === 0) return null;
  const open = view.expansion.isOpen("finished:files");
  return (
    <>
      <dt>{t("figureFiles")}</dt>
      <dd>
        <button
          type="button"
          class="link"
          aria-expanded={open}
          onClick={() => view.expansion.set("finished:files", !open)}
        >
          {count("files", files.length)}
        </button>
        {open && (
          <ul class="fin-files">
            {files.map((file) => (
              <li key={file}>{file}</li>
            ))}
          </ul>
        )}
      </dd>
    </>
  );
}

function ByMember({ rows }: { rows: FinishedSummary["byMember"] }) {
  const { member, chooseMember, showTab } = useModel();
  const chosen = member.value?.name;
  const list = useRef<HTMLUListElement>(null);
  useTabStop(list, ".fin-row");
  const costs = rows.some(({ cost }) => cost !== undefined);
  return (
    <>
      <h3 class="fin-by-title">{t("byMember")}</h3>
      <ul
        ref={list}
        class={costs ? "fin-by" : "fin-by fin-by-tokens"}
        onKeyDown={(event) => moveFocus(event, ".fin-row", "vertical")}
      >
        {rows.map((row) => (
          <li key={row.member.name}>
            <button
              type="button"
              class="fin-row"
              aria-current={row.member.name === chosen ? "true" : undefined}
              tabIndex={row.member.name === chosen ? 0 : -1}
              title={nameOf(row.member)}
              onClick={() => {
                chooseMember(row.member.name);
                showTab("conversation");
              }}
            >
              <Who member={row.member} />
              <span class="meta">{count("taskCount", row.tasks)}</span>
              <span class="meta">{tokenCount(row.tokens)}</span>
              {costs && <span class="meta">{row.cost === undefined ? "" : costOf(row.cost, null)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
