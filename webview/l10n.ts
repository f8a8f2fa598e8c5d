import { ACTIVITY } from "./l10n/activity.ts";
import { AMOUNTS } from "./l10n/amounts.ts";
import { ANNOUNCEMENTS } from "./l10n/announcements.ts";
import { BOARD } from "./l10n/board.ts";
import { COMPOSER } from "./l10n/composer.ts";
import { CONVERSATION } from "./l10n/conversation.ts";
import { EMPTY } from "./l10n/empty.ts";
import { FINISHED } from "./l10n/finished.ts";
import { INBOXES } from "./l10n/inboxes.ts";
import { MEMBERS } from "./l10n/members.ts";
import { REQUESTS } from "./l10n/requests.ts";
import { TABS } from "./l10n/tabs.ts";
import { TASKS } from "./l10n/tasks.ts";

/** Every sentence that the webview says. `{0}`, `{1}` are put in by `t`. Keys with `.one` and `.other` go through `count`. */
const WORDS = {
  ...REQUESTS,
  ...ANNOUNCEMENTS,
  ...MEMBERS,
  ...TABS,
  ...TASKS,
  ...INBOXES,
  ...CONVERSATION,
  ...ACTIVITY,
  ...COMPOSER,
  ...EMPTY,
  ...FINISHED,
  ...AMOUNTS,
  ...BOARD,
} as const;

type Key = keyof typeof WORDS;
type Counted = Key extends infer K ? (K extends `${infer Base}.other` ? Base : never) : never;

/** The language of VS Code's display is the document's; all forms of Chinese get the simplified one. */
const LANGUAGE = document.documentElement.lang.toLowerCase().startsWith("zh") ? 1 : 0;

/** The sentence of a key with its places filled in, in the display language. */
export function t(key: Key, ...values: (string | number)[]): string {
  return WORDS[key][LANGUAGE].replace(/\{(\d)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}

/** Several names in a sentence: `a, b and c`. */
export function listed(names: readonly string[]): string {
  return LANGUAGE === 1 ? names.join("、") : new Intl.ListFormat("en-GB").format(names);
}

/** The sentence for a number of things: `{0}` is the number. Chinese has one form. */
export function count(key: Counted, n: number, ...values: (string | number)[]): string {
  const one = `${key}.one`;
  return t(n === 1 && one in WORDS ? (one as Key) : `${key}.other`, n, ...values);
}
