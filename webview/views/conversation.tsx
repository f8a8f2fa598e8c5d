import { useState } from "preact/hooks";
import type { MemberRow } from "../../src/protocol/panel.ts";
import { count, t } from "../l10n.ts";
import { shownName, useModel } from "../model.ts";
import type { Entry } from "../state/conversationStore.ts";
import { Icon } from "../ui/icon.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Who } from "../ui/who.tsx";
import { Item, ToolGroup } from "./conversationItem.tsx";
import { MemberHead } from "./memberHead.tsx";
import { shownState } from "./members.tsx";

/** Items that are drawn before more are asked for. */
const STEP = 60;
/** From this number on, finished tools in a row are one line. */
const GROUP_FROM = 3;

/** What the chosen member has read, written and done, and what it is writing now. */
export function Conversation({ rows, readOnly }: { rows: readonly MemberRow[]; readOnly: boolean }) {
  const { member } = useModel();
  const name = member.value?.name;
  if (name === undefined) return null;
  const row = rows.find((other) => other.name === name);
  return (
    <>
      {row ? (
        <MemberHead row={row} readOnly={readOnly} />
      ) : (
        <header class="head">{member.value && <Who member={member.value} class="head-who" />}</header>
      )}
      <Items key={name} member={name} />
      {row && shownState(row) === "waiting" && <Waits row={row} />}
    </>
  );
}

function Items({ member }: { member: string }) {
  const { data, member: chosen } = useModel();
  const [limit, setLimit] = useState(STEP);
  const store = data.conversation(member);
  const entries = store.last(limit);
  const earlier = Math.min(STEP, store.length - entries.length);
  const streaming = store.streaming.value;
  if (entries.length === 0 && streaming === "")
    return <p class="quiet tab-empty">{t("noConversation", shownName(chosen.value))}</p>;
  return (
    <div class="conv">
      {earlier > 0 && (
        <button type="button" class="link" onClick={() => setLimit(limit + STEP)}>
          {count("earlier", earlier)}
        </button>
      )}
      {grouped(entries).map((group) =>
        group.length >= GROUP_FROM ? (
          <ToolGroup key={`g${group[0]?.seq}`} member={member} entries={group} />
        ) : (
          group.map((entry) => <Item key={entry.seq} member={member} entry={entry} />)
        ),
      )}
      {streaming !== "" && <Streaming text={streaming} />}
    </div>
  );
}

/** Splits into single items and runs of tools that have ended. The last item stays by itself, so that it is seen. */
function grouped(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  let tools: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    const item = entry.item.value;
    if (item.type === "tool" && item.state !== "running" && index < entries.length - 1) {
      tools.push(entry);
      continue;
    }
    if (tools.length > 0) groups.push(tools);
    tools = [];
    groups.push([entry]);
  }
  if (tools.length > 0) groups.push(tools);
  return groups;
}

/** The reply that is being written. It is not live for screen readers; with reduced motion it comes in whole lines. */
function Streaming({ text }: { text: string }) {
  const still =
    document.body.classList.contains("vscode-reduce-motion") || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const shown = still ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  return (
    <div class="conv-streaming">
      <Markdown text={shown} />
    </div>
  );
}

/** Stays at the end while the member waits for the person. */
function Waits({ row }: { row: MemberRow }) {
  const { queue, focus } = useModel();
  const request = queue.items.value.find(({ from }) => from.name === row.name);
  return (
    <div class="conv-waits">
      <Icon name="bell-dot" />
      <span>{t("waitsForYou", row.detail)}</span>
      {request && (
        <button
          type="button"
          class="btn btn-plain btn-small"
          onClick={() => {
            queue.open(request.id);
            focus.value = { kind: "request", id: request.id };
          }}
        >
          {t("review")}
        </button>
      )}
    </div>
  );
}
