import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RequestPreview } from "../../src/protocol/panel.ts";
import type { CommandPart } from "../../src/protocol/request.ts";
import { count, t } from "../l10n.ts";
import { Icon } from "../ui/icon.tsx";
import { VisibleText } from "../ui/visibleText.tsx";

type CommandPreview = Extract<RequestPreview, { type: "command" }>;

interface CommandProps {
  preview: CommandPreview;
  /** Told whether all that no rule covers has been on the screen. */
  onSeen: (seen: boolean) => void;
}

/** A command line, one simple command a line, the parts that no rule covers in bold. */
export function Command({ preview, onSeen }: CommandProps) {
  const block = useRef<HTMLElement>(null);
  const { parts, text, cwd } = preview;
  useSeen(block, text, onSeen);
  return (
    <>
      <figure
        ref={block}
        class="cmd"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what will run can be reached and copied by keyboard
        tabIndex={0}
        aria-label={parts ? count("commandParts", parts.length) : t("command")}
        onCopy={(event) => copyOriginal(event, block.current, text)}
      >
        <div class="cmd-cwd">
          <Icon name="folder" />
          <span>
            <VisibleText text={cwd} />
          </span>
        </div>
        {parts ? <Parts parts={parts} /> : <Raw text={text} />}
      </figure>
      {parts === null && <p class="req-note">{t("notShell")}</p>}
    </>
  );
}

/** Above this number of parts, neighbours that rules allow are folded. */
const UNFOLDED = 12;

type Row = { type: "part"; part: CommandPart } | { type: "fold"; parts: CommandPart[] };

function Parts({ parts }: { parts: readonly CommandPart[] }) {
  const rows = parts.length > UNFOLDED ? fold(parts) : parts.map((part): Row => ({ type: "part", part }));
  return (
    <>
      {rows.map((row, index) =>
        row.type === "part" ? <Part key={index} part={row.part} /> : <Fold key={index} parts={row.parts} />,
      )}
    </>
  );
}

/** Neighbours that are covered become one row; a single one, an uncovered one and the last one stay. */
function fold(parts: readonly CommandPart[]): Row[] {
  const rows: Row[] = [];
  let run: CommandPart[] = [];
  const flush = () => {
    if (run.length > 1) rows.push({ type: "fold", parts: run });
    else rows.push(...run.map((part): Row => ({ type: "part", part })));
    run = [];
  };
  for (const [index, part] of parts.entries()) {
    if (part.covered && index < parts.length - 1) run.push(part);
    else {
      flush();
      rows.push({ type: "part", part });
    }
  }
  return rows;
}

function Fold({ parts }: { parts: readonly CommandPart[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="cmd-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span>{count("foldedParts", parts.length)}</span>
      </button>
      {open && parts.map((part, index) => <Part key={index} part={part} />)}
    </>
  );
}

function Part({ part }: { part: CommandPart }) {
  return (
    <div class={part.covered ? "cmd-part" : "cmd-part cmd-asks"}>
      <Icon
        name={part.covered ? "circle-small-filled" : "question"}
        label={part.covered ? t("ruleCovers") : t("ruleMissing")}
      />
      <span class="cmd-text">
        <Words text={part.text} />
        {!part.covered && <span class="cmd-end" />}
      </span>
    </div>
  );
}

function Raw({ text }: { text: string }) {
  return (
    <div class="cmd-raw cmd-text">
      <Words text={text} />
      <span class="cmd-end" />
    </div>
  );
}

/** Longer texts are not split into words. */
const SPLIT_UP_TO = 4000;
/** Longer words may break where they like. */
const WHOLE_UP_TO = 26;

/** Words that do not break inside, unless one is wider than the block. An operator at the end stays with its word. */
function Words({ text }: { text: string }) {
  if (text.length > SPLIT_UP_TO) return <VisibleText text={text} />;
  const words = text.split(/ (?![|;&]+$)/);
  return (
    <>
      {words.map((word, index) => (
        <span key={index}>
          {index > 0 && " "}
          <span class={word.length <= WHOLE_UP_TO && !word.includes("\n") ? "cmd-word" : ""}>
            <VisibleText text={word} />
          </span>
        </span>
      ))}
    </>
  );
}

/** Watches the ends of all parts that no rule covers. */
function useSeen(block: { current: HTMLElement | null }, text: string, onSeen: (seen: boolean) => void): void {
  const report = useRef(onSeen);
  report.current = onSeen;
  useLayoutEffect(() => {
    const unseen = new Set(block.current?.querySelectorAll(".cmd-end"));
    report.current(unseen.size === 0);
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        unseen.delete(entry.target);
        observer.unobserve(entry.target);
      }
      report.current(unseen.size === 0);
    });
    for (const end of unseen) observer.observe(end);
    return () => observer.disconnect();
  }, [text]);
}

/** What is copied is the command as it is, or the selected text of it: never the line breaks that only the view has. */
function copyOriginal(event: ClipboardEvent, block: HTMLElement | null, text: string): void {
  const selection = getSelection();
  if (!block || !selection) return;
  const parts = [...block.querySelectorAll(".cmd-text")];
  const range = selection.isCollapsed ? null : selection.getRangeAt(0);
  const selected = range
    ? parts.filter((part) => range.intersectsNode(part)).map((part) => textWithin(part, range))
    : [];
  const whole = selected.length === 0 || selected.join() === parts.map((part) => part.textContent).join();
  event.clipboardData?.setData("text/plain", whole ? text : selected.filter((piece) => piece !== "").join(" "));
  event.preventDefault();
}

function textWithin(part: Element, selected: Range): string {
  const range = document.createRange();
  range.selectNodeContents(part);
  if (range.compareBoundaryPoints(Range.START_TO_START, selected) < 0)
    range.setStart(selected.startContainer, selected.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, selected) > 0)
    range.setEnd(selected.endContainer, selected.endOffset);
  return range.toString();
}
