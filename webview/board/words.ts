import { BOARD } from "../l10n/board.ts";
import { sayer, WORDS } from "../l10n.ts";

/** What the Team Board says, with all that the view *Team* says too. */
export const { t, count } = sayer({ ...WORDS, ...BOARD });
