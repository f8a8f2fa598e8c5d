import type { DiffLine, FileDiff } from "../../src/protocol/panel.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { diffKey, hiddenLines, MOST_LINES, openWhole, SHOWN_LINES } from "../state/shownWhole.ts";
import { VisibleText } from "../ui/visibleText.tsx";

/** A change of one file that is asked for. */
export function Diff({ request, preview }: { request: string; preview: FileDiff }) {
  const open = useOpenWhole(request);
  return <DiffBlock id={diffKey(request)} diff={preview} onOpen={open} />;
}

/** Opens what a request is about beside the panel: an edit as a diff, another input as a document. */
export function useOpenWhole(request: string): () => void {
  const model = useModel();
  return () => openWhole(model, "openDiff", request);
}

interface DiffProps {
  /** Names it among what can be open. */
  id: string;
  diff: FileDiff;
  /** Opens the whole change, where something of it is left out. */
  onOpen: () => void;
}

/** Path and counts, then the lines with number and sign. */
export function DiffBlock({ id, diff, onOpen }: DiffProps) {
  const { view } = useModel();
  const all = view.expansion.isOpen(id);
  const hidden = hiddenLines(diff, all);
  const more = all ? 0 : Math.min(diff.lines.length, MOST_LINES) - SHOWN_LINES;
  const lines = diff.lines.slice(0, diff.lines.length - hidden);
  return (
    <>
      <div class="diff-path">
        <span>
          {diff.path.split("/").map((part, index) => (
            <>
              {index > 0 && <wbr />}
              <VisibleText text={index > 0 ? `/${part}` : part} />
            </>
          ))}
        </span>
        <span class="diff-stat">
          <ins title={count("added", diff.added)}>+{diff.added}</ins>{" "}
          <del title={count("removed", diff.removed)}>−{diff.removed}</del>
        </span>
      </div>
      <figure class={lines.some(({ line }) => line >= WIDE) ? "diff diff-wide" : "diff"} aria-label={t("change")}>
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </figure>
      {more > 0 && (
        <button type="button" class="link" data-choice="rest" onClick={() => view.expansion.set(id, true)}>
          {count("moreLines", more)}
        </button>
      )}
      {more <= 0 && hidden + diff.omitted > 0 && (
        <button type="button" class="link" onClick={onOpen}>
          {count("linesInDiff", hidden + diff.omitted)}
        </button>
      )}
    </>
  );
}

/** From this number on, numbers of lines need more room. */
const WIDE = 1_000;

const SIGNS: Record<DiffLine["kind"], string> = { context: " ", added: "+", removed: "−" };

/** One element for each line: the style draws number and sign, and what is copied is the text. */
function Line({ line }: { line: DiffLine }) {
  return (
    <div class={`diff-line diff-${line.kind}`} data-line={line.line} data-sign={SIGNS[line.kind]}>
      <VisibleText text={line.text} />
    </div>
  );
}
