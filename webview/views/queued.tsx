import type { QueuedMessage } from "../../src/protocol/panel.ts";
import { clock } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Icon } from "../ui/icon.tsx";
import { Markdown, MESSAGE } from "../ui/markdown.tsx";
import { Clock, Who, YOU } from "../ui/who.tsx";
import { Images } from "./toolDetail.tsx";

/** What the person said to a member that has not read it yet: it takes its place in the conversation when it does. */
export function Queued({ member, messages }: { member: string; messages: readonly QueuedMessage[] }) {
  const when = useWhen(member);
  return messages.map(({ id, at, text, images = [] }) => (
    <article key={id} class="conv-input conv-queued" aria-label={t("articleBy", t("you"), clock(at))}>
      <div class="msg-head">
        <Who member={YOU} />
        <Clock at={at} class="msg-when" />
      </div>
      <Markdown text={text} style={MESSAGE} />
      <Images images={images} />
      <p class="conv-when">
        <Icon name="clockface" />
        <span>
          {t("queued")} · {when}
        </span>
      </p>
    </article>
  ));
}

/** When the member will read it, one sentence. */
function useWhen(member: string): string {
  const state = useModel().data.panel.value;
  if (state.screen !== "team") return "";
  const paused = state.paused || state.members.find(({ name }) => name === member)?.paused;
  return t(paused ? "queuedPaused" : "queuedBusy");
}
