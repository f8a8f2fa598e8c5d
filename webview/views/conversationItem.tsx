import type { ConversationItem } from "../../src/protocol/panel.ts";
import { clock, nameOf, toolTime } from "../format.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import type { Entry } from "../state/conversationStore.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Markdown, MESSAGE, SPOKEN } from "../ui/markdown.tsx";
import { Clock, Who } from "../ui/who.tsx";
import { Images, ToolDetail } from "./toolDetail.tsx";

type Of<T extends ConversationItem["type"]> = Extract<ConversationItem, { type: T }>;

interface ItemProps {
  member: string;
  entry: Entry;
}

/** Names an item among what can be open. */
export const itemKey = (member: string, seq: number) => `item:${member}:${seq}`;
/** Names a run of tools by the place of its first. */
export const groupKey = (member: string, seq: number | undefined) => `tools:${member}:${seq}`;

/** One piece of a conversation. */
export function Item({ member, entry }: ItemProps) {
  const item = entry.item.value;
  const { seq } = entry;
  const key = itemKey(member, seq);
  if (item.type === "input") return <Input item={item} seq={seq} rowKey={key} />;
  if (item.type === "tool") return <Tool item={item} seq={seq} rowKey={key} />;
  if (item.type === "note") return <Note item={item} seq={seq} />;
  return (
    <Markdown text={item.text} style={SPOKEN} class={item.aside ? "conv-text conv-aside" : "conv-text"} seq={seq} />
  );
}

/** Several tools in a row: one line that opens to one line each. */
export function ToolGroup({ member, entries }: { member: string; entries: readonly Entry[] }) {
  const { view } = useModel();
  const tools = entries.flatMap(({ item }) => (item.value.type === "tool" ? [item.value] : []));
  const failed = tools.filter(({ state }) => state === "failed").length;
  const key = groupKey(member, entries[0]?.seq);
  const open = view.expansion.isOpen(key);
  const total = tools.reduce((sum, { ms }) => sum + (ms ?? 0), 0);
  return (
    <div class="conv-group" data-first={entries[0]?.seq} data-last={entries.at(-1)?.seq}>
      <button type="button" class="tool-line" aria-expanded={open} onClick={() => view.expansion.set(key, !open)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <b>{t("toolGroup.other", tools.length)}</b>
        <span class="tool-argument">{tools.map(({ name, argument }) => `${name} ${argument}`).join(", ")}</span>
        {failed > 0 && (
          <span class="tool-failed">
            <Icon name="error" />
            {count("toolGroupFailed", failed)}
          </span>
        )}
        <span class="meta">{toolTime(total)}</span>
      </button>
      {open && (
        <div class="conv-group-items">
          {entries.map((entry) => (
            <Item key={entry.seq} member={member} entry={entry} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Texts longer than this, in characters or lines, are cut until they are opened. */
const LONG_INPUT = { chars: 700, lines: 10 };

function Input({ item, seq, rowKey }: { item: Of<"input">; seq: number; rowKey: string }) {
  const { view } = useModel();
  const name = item.from ? nameOf(item.from) : t(`origin.${item.origin}`);
  const long = item.text.length > LONG_INPUT.chars || item.text.split("\n").length > LONG_INPUT.lines;
  const open = view.expansion.isOpen(rowKey);
  return (
    <article class="conv-input" data-seq={seq} aria-label={t("articleBy", name, clock(item.at))}>
      <div class="msg-head">
        {item.from ? <Who member={item.from} /> : <span class="conv-origin">{name}</span>}
        <Clock at={item.at} class="msg-when" />
      </div>
      <Markdown text={item.text} style={MESSAGE} class={long && !open ? "conv-cut" : ""} />
      <Images images={item.images ?? []} />
      {long && (
        <button type="button" class="link" aria-expanded={open} onClick={() => view.expansion.set(rowKey, !open)}>
          {t(open ? "showLess" : "showMore")}
        </button>
      )}
    </article>
  );
}

const TOOL_ICONS: Record<Of<"tool">["state"], IconName> = {
  running: "session-in-progress",
  ok: "check",
  failed: "error",
};

function Tool({ item, seq, rowKey }: { item: Of<"tool">; seq: number; rowKey: string }) {
  const { view } = useModel();
  const open = view.expansion.isOpen(rowKey);
  return (
    <div class={`conv-tool tool-${item.state}`} data-seq={seq} data-key={rowKey}>
      <button type="button" class="tool-line" aria-expanded={open} onClick={() => view.expansion.set(rowKey, !open)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <b title={item.name}>{item.name}</b>
        <Argument item={item} />
        <Icon name={TOOL_ICONS[item.state]} label={t(`tool.${item.state}`)} />
        {item.ms !== null && <span class="meta">{toolTime(item.ms)}</span>}
      </button>
      {open && <ToolDetail item={item} seq={seq} rowKey={rowKey} />}
    </div>
  );
}

/** Tools whose argument is the path of a file. */
const OF_FILES = new Set(["Read", "Write", "Edit"]);
/** Folders of fewer characters stay whole: cut, they would hardly be shorter. */
const SHORT = 8;

/** What a tool works on. Where there is no room for the whole path, its folders are cut, not the name of the file. */
function Argument({ item: { name, argument } }: { item: Of<"tool"> }) {
  const cut = OF_FILES.has(name) ? argument.lastIndexOf("/") : 0;
  if (cut < 1)
    return (
      <span class="tool-argument" title={argument}>
        {argument}
      </span>
    );
  return (
    <>
      <span class={`tool-argument tool-folder${cut < SHORT ? " tool-whole" : ""}`} title={argument}>
        {argument.slice(0, cut)}
      </span>
      <span class="tool-argument tool-file" title={argument}>
        {argument.slice(cut)}
      </span>
    </>
  );
}

function Note({ item, seq }: { item: Of<"note">; seq: number }) {
  return (
    <p class={`conv-note conv-note-${item.tone}`} data-seq={seq}>
      {item.tone === "error" && <Icon name="error" />}
      <span>{item.text}</span>
    </p>
  );
}
