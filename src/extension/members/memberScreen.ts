import type { TranscriptRecord } from "../../protocol/transcript.ts";
import type { MemberView, TeamSession } from "../../team/types.ts";
import type { People } from "../../team/views/people.ts";
import { TerminalScreen } from "../../team/views/terminalScreen.ts";
import { keysText } from "../../team/views/terminalText.ts";
import type { Say } from "../displayLanguage.ts";

/** What a member has said, and is saying. */
interface Spoken {
  session: TeamSession;
  people: People;
  records: readonly TranscriptRecord[];
  streaming: string;
  say: Say;
}

/** A screen of `columns` cells that holds a member's transcript so far, and the reply that is being written. */
export function memberScreen(member: MemberView, columns: number, spoken: Spoken): TerminalScreen {
  const { session, people, records, streaming, say } = spoken;
  const about = [member.agentType, member.model, session.team].filter(Boolean).join(" · ");
  const owner = { member: people(member.name), about, keys: keysText(member), people, cwd: session.cwd, say };
  const screen = new TerminalScreen(owner, columns);
  for (const record of records) screen.add(record);
  if (streaming !== "") screen.write(streaming);
  return screen;
}
