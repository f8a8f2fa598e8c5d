import { ACTIVITY } from "../l10n/activity.ts";
import { sayer, WORDS } from "../l10n.ts";

/** What the tab *Activity* says, with all that is said elsewhere too. */
export const { t, count } = sayer({ ...WORDS, ...ACTIVITY });
