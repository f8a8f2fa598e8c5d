import { stripVTControlCharacters } from "node:util";
import type { TranscriptRecord } from "../../protocol/transcript.ts";
import { addRecord, emptyConversation } from "../../team/views/conversation.ts";
import type { People } from "../../team/views/people.ts";
import { itemText } from "../../team/views/terminalText.ts";
import type { OutputStream } from "../cliIo.ts";

/** Cells of a line, where no terminal says how many it has. */
const COLUMNS = 100;

/**
 * Writes a member's records, one after the other, as lines without colours and cursor movements, each finished when it is
 * written. `cwd`: the member's folder, null where it is not known.
 */
export function plainLines(
  people: People,
  cwd: string | null,
  stdout: OutputStream,
): (record: TranscriptRecord) => void {
  const conversation = emptyConversation(cwd);
  return (record) => {
    for (const { item } of addRecord(conversation, record, people)) {
      if (item.type === "tool" && item.state === "running") continue;
      stdout.write(stripVTControlCharacters(itemText(item, COLUMNS)).replaceAll("\r\n", "\n"));
    }
  };
}
