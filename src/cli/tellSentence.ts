import type { CliIo } from "./cliIo.ts";
import { usableWidth } from "./render/table.ts";
import { visibleLine } from "./render/visibleText.ts";
import { wrapPainted } from "./render/wrapText.ts";

/** `muster: SENTENCE` on standard error: one line, which a terminal gets broken between its words. */
export function tellSentence({ stderr }: Pick<CliIo, "stderr">, sentence: string): void {
  stderr.write(`${wrapPainted(`muster: ${visibleLine(sentence)}`, usableWidth(stderr.columns))}\n`);
}
