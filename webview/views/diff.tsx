import type { DiffLine, RequestPreview } from "../../src/protocol/panel.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { VisibleText } from "../ui/visibleText.tsx";

type EditPreview = Extract<RequestPreview, { type: "edit" }>;

/** Lines that are shown before the rest is asked for. */
const SHOWN = 40;

/** A change of one file: path and counts, then the lines with number and sign. */
export function Diff({ request, preview }: { request: string; preview: EditPreview }) {
  const { view, post } = useModel();
  const key = `diff:${request}`;
  const all = view.expansion.isOpen(key);
  const hidden = all ? 0 : Math.max(0, preview.lines.length - SHOWN);
  return (
    <>
      <div class="diff-path">
        <span>
          {preview.path.split("/").map((part, index) => (
            <>
              {index > 0 && <wbr />}
              <VisibleText text={index > 0 ? `/${part}` : part} />
            </>
          ))}
        </span>
        <span class="diff-stat">
          <ins title={t("added", preview.added)}>+{preview.added}</ins>{" "}
          <del title={t("removed", preview.removed)}>−{preview.removed}</del>
        </span>
      </div>
      <figure class="diff" aria-label={t("change")}>
        {(hidden > 0 ? preview.lines.slice(0, SHOWN) : preview.lines).map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </figure>
      {hidden > 0 && (
        <button type="button" class="link" onClick={() => view.expansion.set(key, true)}>
          {count("moreLines", hidden)}
        </button>
      )}
      {hidden === 0 && preview.omitted > 0 && (
        <button type="button" class="link" onClick={() => post({ type: "openDiff", request })}>
          {count("linesInDiff", preview.omitted)}
        </button>
      )}
    </>
  );
}

const SIGNS: Record<DiffLine["kind"], string> = { context: " ", added: "+", removed: "−" };

function Line({ line }: { line: DiffLine }) {
  return (
    <div class={`diff-line diff-${line.kind}`}>
      <span class="diff-number">{line.line}</span>
      <span class="diff-sign">{SIGNS[line.kind]}</span>
      <span class="diff-text">
        <VisibleText text={line.text} />
      </span>
    </div>
  );
}
